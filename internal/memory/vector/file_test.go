package vector_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"moothall"
	"moothall/internal/memory/vector"
)

func saved(t testing.TB, x *vector.Index, fingerprint string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := x.Save(&b, fingerprint); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, dim := range []int{1, 17, 64, 100} {
		for _, n := range []int{0, 1, 64, 65, 3000} {
			rows := sets["random"](dim, n, rng)
			x := build(t, vector.Kernels()[0], dim, rows)
			for i := 0; i < n; i += 9 {
				id := uint64(i)*7 + 1
				x.Delete(id)
				delete(rows, id)
			}
			back, err := vector.Load(bytes.NewReader(saved(t, x, "state 1")), dim, "state 1", vector.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := back.Consistent(); err != nil {
				t.Error(err)
			}
			compare(t, back, rows, gauss(dim, rng), 20, nil)
			rows[1<<40] = gauss(dim, rng) // and it goes on from there
			if err := back.Put(1<<40, rows[1<<40]); err != nil {
				t.Fatal(err)
			}
			compare(t, back, rows, rows[1<<40], 20, nil)
		}
	}
}

// Any changed byte, any missing byte and any further byte is noticed.
func TestDamageIsRefused(t *testing.T) {
	t.Parallel()
	rows := sets["random"](3, 150, rand.New(rand.NewPCG(2, 2)))
	whole := saved(t, build(t, "plain", 3, rows), "f")
	load := func(b []byte) error {
		_, err := vector.Load(bytes.NewReader(b), 3, "f", vector.Options{Workers: 1})
		return err
	}
	if err := load(whole); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		refused(t, load(b), moothall.CodeCorrupt)
		refused(t, load(whole[:i]), moothall.CodeCorrupt)
		if t.Failed() {
			t.Fatalf("byte %d of %d", i, len(whole))
		}
	}
	refused(t, load(append(bytes.Clone(whole), 0)), moothall.CodeCorrupt)
}

// Two chunks of one length that have changed places.
func TestSwappedChunksAreRefused(t *testing.T) {
	t.Parallel()
	x := build(t, "plain", 2, sets["random"](2, 128, rand.New(rand.NewPCG(3, 3))))
	whole := saved(t, x, "f")
	const chunk = 4 + 64*(8+8) + 4 // the first two blocks have 64 rows
	head := len(whole) - 2*chunk
	b := bytes.Clone(whole[:head])
	b = append(b, whole[head+chunk:]...)
	b = append(b, whole[head:head+chunk]...)
	_, err := vector.Load(bytes.NewReader(b), 2, "f", vector.Options{})
	refused(t, err, moothall.CodeCorrupt)
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	x := build(t, "plain", 2, map[uint64][]float32{1: {1, 2}})
	whole := saved(t, x, "state 1")
	for name, err := range map[string]error{
		"fingerprint": second(vector.Load(bytes.NewReader(whole), 2, "state 2", vector.Options{})),
		"dimension":   second(vector.Load(bytes.NewReader(whole), 3, "state 1", vector.Options{})),
		"program":     second(vector.Load(strings.NewReader(strings.Repeat("SQLite format 3\x00", 9)), 2, "", vector.Options{})),
		"not finite":  second(vector.Load(bytes.NewReader(vector.File(2, []uint64{1}, []float32{1, float32(math.NaN())})), 2, "f", vector.Options{})),
		"id twice":    second(vector.Load(bytes.NewReader(vector.File(1, []uint64{8, 8}, []float32{1, 2})), 1, "f", vector.Options{})),
	} {
		t.Run(name, func(t *testing.T) { refused(t, err, moothall.CodeCorrupt) })
	}
	if _, err := vector.Load(bytes.NewReader(vector.File(1, []uint64{8, 9}, []float32{1, 2})), 1, "f", vector.Options{}); err != nil {
		t.Errorf("the hand-made file is not read when it is right: %v", err)
	}
	refused(t, second(vector.Load(bytes.NewReader(whole), 0, "state 1", vector.Options{})), moothall.CodeInvalid)
	refused(t, x.Save(io.Discard, strings.Repeat("f", 1025)), moothall.CodeInvalid)
}

func second[A, B any](_ A, b B) B { return b }

func TestFailingDisk(t *testing.T) {
	t.Parallel()
	x := build(t, "plain", 2, map[uint64][]float32{1: {1, 2}})
	whole := saved(t, x, "f")
	cause := errors.New("sector 7")
	for n := range len(whole) + 1 {
		r := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(cause))
		_, err := vector.Load(r, 2, "f", vector.Options{})
		refused(t, err, moothall.CodeUnavailable)
		if !errors.Is(err, cause) {
			t.Errorf("after %d bytes: %v does not lead to the cause", n, err)
		}
	}
	refused(t, x.Save(brokenWriter{cause}, "f"), moothall.CodeUnavailable)
	refused(t, x.Save(brokenWriter{syscall.ENOSPC}, "f"), moothall.CodeExhausted)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// The order of bytes in a file does not depend on the machine's.
func TestFileFormat(t *testing.T) {
	t.Parallel()
	want := vector.File(2, []uint64{0x0102030405060708}, []float32{1, -2})
	got := saved(t, build(t, "plain", 2, map[uint64][]float32{0x0102030405060708: {1, -2}}), "f")
	if !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
	if !bytes.Contains(got, []byte{8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}) {
		t.Errorf("not little endian: %x", got)
	}
}
