package nn

import "math"

// Keys and values are kept as float16: half the memory of float32, with an
// error of one part in 2,048 at most, below what the int8 weights bring.

// unhalf undoes the exponent of a float16 whose bits were moved into a
// float32: the biases differ by 112.
const unhalf = 0x1p112

// moved puts a finite float16 into the bits of a float32, which is then too
// small by unhalf. Folding that factor into the other operand of a product
// makes the conversion two shifts.
func moved(h uint16) float32 {
	// The sign is carried into four bits, of which the first is kept.
	return math.Float32frombits(uint32(int32(int16(h))<<13) & 0x8fffffff)
}

// fromHalf widens a finite float16.
func fromHalf(h uint16) float32 { return moved(h) * unhalf }

// toHalf rounds to the nearest float16, ties to even; what is too large, or no
// number, becomes the largest, so that no infinity is ever stored.
func toHalf(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b >= 0x477fe000: // 65504
		return sign | 0x7bff
	case b < 0x38800000: // 2^-14: subnormal, in steps of 2^-24
		// Adding 0.5 leaves those steps as the last bits of the sum.
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
	}
	b += 0xfff + b>>13&1
	return sign | uint16((b-112<<23)>>13)
}

// toHalves rounds a row.
func toHalves(dst []uint16, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = toHalf(v)
	}
}
