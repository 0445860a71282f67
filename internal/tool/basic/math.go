package basic

import (
	"cmp"
	"math"
	"math/big"

	"moothall"
)

func integer(n int64) Number { return Number{big.NewRat(n, 1), true} }

func degree() Number { return Number{new(big.Rat).SetFloat64(math.Pi / 180), false} }

func tooBig() error {
	return moothall.Fail(moothall.CodeTooLarge, "expression", "a number has more than about 20,000 digits")
}

func bits(r *big.Rat) int { return max(r.Num().BitLen(), r.Denom().BitLen()) }

// bounded keeps numbers small enough to calculate with.
func bounded(r *big.Rat, exact bool) (Number, error) {
	if bits(r) > maxBits {
		return Number{}, tooBig()
	}
	return Number{r, exact}, nil
}

// apply calculates one operator. Floor division and remainder round down, so
// that the remainder has the sign of the divisor.
func apply(op string, a, b Number) (Number, error) {
	if bits(a.rat)+bits(b.rat) > 2*maxBits {
		return Number{}, tooBig()
	}
	exact, out := a.Exact && b.Exact, new(big.Rat)
	switch op {
	case "+":
		return bounded(out.Add(a.rat, b.rat), exact)
	case "-":
		return bounded(out.Sub(a.rat, b.rat), exact)
	case "*":
		return bounded(out.Mul(a.rat, b.rat), exact)
	}
	if b.rat.Sign() == 0 {
		return Number{}, undefined("a division by zero has no value")
	}
	quotient := out.Quo(a.rat, b.rat)
	if op == "/" {
		return bounded(quotient, exact)
	}
	whole := new(big.Rat).SetInt(floor(quotient))
	if op == "//" {
		return bounded(whole, exact)
	}
	return bounded(new(big.Rat).Sub(a.rat, whole.Mul(whole, b.rat)), exact)
}

// floor rounds down. Euclidean division does, since denominators are positive.
func floor(r *big.Rat) *big.Int {
	q, _ := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	return q
}

// power is exact for integer exponents as long as the result stays small.
func power(base, exp Number) (Number, error) {
	if exp.Exact && exp.rat.IsInt() {
		return integerPower(base, exp.rat.Num())
	}
	if base.rat.Sign() < 0 {
		return Number{}, undefined("a negative number to a fractional power is not a real number")
	}
	if base.rat.Sign() == 0 && exp.rat.Sign() < 0 {
		return Number{}, undefined("zero to a negative power has no value")
	}
	if half := big.NewRat(1, 2); exp.rat.Cmp(half) == 0 {
		return root(base)
	}
	return real2(math.Pow, base, exp)
}

func integerPower(base Number, exp *big.Int) (Number, error) {
	switch {
	case exp.Sign() == 0:
		return Number{big.NewRat(1, 1), base.Exact}, nil // 0^0 is 1, as everywhere in programming
	case base.rat.Sign() == 0 && exp.Sign() < 0:
		return Number{}, undefined("zero to a negative power has no value")
	case bits(base.rat) <= 1: // 0, 1 or -1
		out := new(big.Rat).Set(base.rat)
		if exp.Bit(0) == 0 {
			out.Abs(out)
		}
		return Number{out, base.Exact}, nil
	}
	n := new(big.Int).Abs(exp)
	if !n.IsInt64() || n.Int64() > maxBits || (int64(bits(base.rat))-1)*n.Int64() > maxBits {
		return Number{}, tooBig()
	}
	num := new(big.Int).Exp(base.rat.Num(), n, nil)
	den := new(big.Int).Exp(base.rat.Denom(), n, nil)
	if exp.Sign() < 0 {
		num, den = den, num
	}
	return bounded(new(big.Rat).SetFrac(num, den), base.Exact)
}

// root is the square root: exact where there is an exact one.
func root(n Number) (Number, error) {
	if n.rat.Sign() < 0 {
		return Number{}, undefined("the square root of a negative number is not a real number")
	}
	num, den := new(big.Int).Sqrt(n.rat.Num()), new(big.Int).Sqrt(n.rat.Denom())
	out := new(big.Rat).SetFrac(num, den)
	if new(big.Rat).Mul(out, out).Cmp(n.rat) == 0 {
		return Number{out, n.Exact}, nil
	}
	f := new(big.Float).SetPrec(128).SetRat(n.rat)
	r, _ := f.Sqrt(f).Rat(nil)
	return Number{r, false}, nil
}

// maxFactorial keeps the result within maxBits.
const maxFactorial = 5000

func factorial(n Number) (Number, error) {
	if !n.rat.IsInt() || n.rat.Sign() < 0 {
		return Number{}, undefined("the factorial is defined for 0, 1, 2 and so on only")
	}
	if v := n.rat.Num(); !v.IsInt64() || v.Int64() > maxFactorial {
		return Number{}, tooBig()
	}
	return bounded(new(big.Rat).SetInt(new(big.Int).MulRange(1, n.rat.Num().Int64())), n.Exact)
}

// real1 calculates in 64-bit floating point.
func real1(f func(float64) float64) func([]Number) (Number, error) {
	return func(a []Number) (Number, error) {
		x, err := a[0].real()
		if err != nil {
			return Number{}, err
		}
		return fromFloat(f(x))
	}
}

func real2(f func(x, y float64) float64, a, b Number) (Number, error) {
	x, errX := a.real()
	y, errY := b.real()
	if err := cmp.Or(errX, errY); err != nil {
		return Number{}, err
	}
	return fromFloat(f(x, y))
}

// real is the number in 64 bits, if they hold it.
func (n Number) real() (float64, error) {
	x := n.Float()
	if math.IsInf(x, 0) || x == 0 && n.rat.Sign() != 0 {
		return 0, moothall.Fail(moothall.CodeTooLarge, "expression", "a number is too large or too small for a function whose values are not exact")
	}
	return x, nil
}

func fromFloat(f float64) (Number, error) {
	switch {
	case math.IsNaN(f):
		return Number{}, undefined("the function has no value there")
	case math.IsInf(f, 0):
		return Number{}, undefined("the result is too large, or the function has no value there")
	}
	return Number{new(big.Rat).SetFloat64(f), false}, nil
}
