package vector_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"moothall"
	"moothall/internal/memory/vector"
)

// FuzzLoad reads any bytes. What is taken must be written back as it was in
// its rows; what is refused must be refused as damaged.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(vector.File(2, nil, nil))
	f.Add(vector.File(2, []uint64{1, 2}, []float32{1, 2, 3, 4}))
	f.Add(vector.File(2, []uint64{1, 1}, []float32{1, 2, 3, 4}))
	f.Add(vector.File(2, []uint64{7}, []float32{0, float32(math.Inf(1))}))
	f.Add(append(vector.File(2, []uint64{7}, []float32{0, 1}), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := vector.Load(bytes.NewReader(b), 2, "f", vector.Options{Workers: 1})
		if err != nil {
			refused(t, err, moothall.CodeCorrupt)
			return
		}
		if err := x.Consistent(); err != nil {
			t.Error(err)
		}
		again, err := vector.Load(bytes.NewReader(saved(t, x, "f")), 2, "f", vector.Options{Workers: 1})
		if err != nil || again.Len() != x.Len() {
			t.Errorf("%d rows, then %v", x.Len(), err)
		}
	})
}

// FuzzSearch reads bytes as a query and a few vectors, and asks every kernel.
func FuzzSearch(f *testing.F) {
	f.Add(uint8(3), uint8(2), []byte("some bytes that make a few numbers of all sorts"))
	f.Add(uint8(1), uint8(1), make([]byte, 40))
	f.Add(uint8(17), uint8(3), bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, 100))
	f.Add(uint8(2), uint8(1), []byte{1, 0, 0, 0, 0xff, 0xff, 0x7f, 0x7f, 0xff, 0xff, 0x7f, 0xff, 1, 0, 0, 0x80})
	f.Fuzz(func(t *testing.T, dim, k uint8, b []byte) {
		width, want := int(dim%70)+1, int(k%9)+1
		q, b := numbers(b, width)
		rows := map[uint64][]float32{}
		for id := uint64(0); len(b) > 0 && id < 40; id++ {
			rows[id], b = numbers(b, width)
		}
		for _, kernel := range vector.Kernels() {
			x := build(t, kernel, width, rows)
			compare(t, x, rows, q, want, nil)
			compare(t, x, rows, q, want, func(id uint64) bool { return id%3 != 1 })
		}
	})
}

// numbers takes a vector off b; what is missing or not finite is 0.
func numbers(b []byte, n int) ([]float32, []byte) {
	v := make([]float32, n)
	for i := range v {
		if len(b) < 4 {
			return v, nil
		}
		f := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if f-f == 0 {
			v[i] = f
		}
		b = b[4:]
	}
	return v, b
}
