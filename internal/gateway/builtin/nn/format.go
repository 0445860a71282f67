package nn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"moothall"
)

const (
	magic     = "MOOTNN01"
	maxHeader = 1 << 20
	align     = 64
)

// fault is what Open returns for a file that is not a network.
func fault(format string, args ...any) error {
	return moothall.Fail(moothall.CodeCorrupt, "open model", fmt.Sprintf(format, args...))
}

// header is the JSON part of a file.
type header struct {
	Config  Config   `json:"config"`
	Tensors []tensor `json:"tensors"`
}

// tensor says where numbers lie, from the beginning of the data.
type tensor struct {
	Name   string `json:"name"`
	Shape  []int  `json:"shape"`
	Type   string `json:"type"`
	Offset int64  `json:"offset"`
}

// file is an opened file: its data, the tensors that nobody took yet, and how
// many bytes the others have.
type file struct {
	data    []byte
	tensors map[string]tensor
	used    int
}

// readHeader divides a file into its header and its data.
func readHeader(raw []byte) (header, *file, error) {
	var h header
	start := len(magic) + 4
	if len(raw) < start || string(raw[:len(magic)]) != magic {
		return h, nil, fault("this is no model file")
	}
	length := binary.LittleEndian.Uint32(raw[len(magic):])
	if length > maxHeader || int(length) > len(raw)-start {
		return h, nil, fault("the header's length does not fit the file")
	}
	end := start + int(length)
	d := json.NewDecoder(bytes.NewReader(raw[start:end]))
	d.DisallowUnknownFields()
	err := d.Decode(&h)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more follows its end")
		}
	}
	if err != nil {
		return h, nil, &moothall.Error{Code: moothall.CodeCorrupt, Op: "open model", Message: "the header is not as it should be", Err: err}
	}
	if err := h.Config.check(); err != nil {
		return h, nil, err
	}
	f := &file{data: raw[min(aligned(end), len(raw)):], tensors: make(map[string]tensor, len(h.Tensors))}
	for _, t := range h.Tensors {
		if _, twice := f.tensors[t.Name]; twice {
			return h, nil, fault("tensor %q is there twice", t.Name)
		}
		f.tensors[t.Name] = t
	}
	return h, f, nil
}

func aligned(n int) int { return (n + align - 1) / align * align }

// take returns the given number of bytes of a tensor, after checking its type
// and shape. Tensors that lie over each other are refused, since a small file
// could ask for much memory by them.
func (f *file) take(size int, name, kind string, shape ...int) ([]byte, error) {
	t, ok := f.tensors[name]
	delete(f.tensors, name)
	switch {
	case !ok:
		return nil, fault("tensor %q is missing", name)
	case t.Type != kind || !slices.Equal(t.Shape, shape):
		return nil, fault("tensor %q is %s of %v, not %s of %v", name, t.Type, t.Shape, kind, shape)
	case t.Offset < 0 || t.Offset%align != 0:
		return nil, fault("tensor %q has an impossible offset", name)
	case t.Offset > int64(len(f.data)) || size > len(f.data)-int(t.Offset):
		return nil, fault("tensor %q goes beyond the file", name)
	case size > len(f.data)-f.used:
		return nil, fault("tensor %q lies over others", name)
	}
	f.used += size
	return f.data[t.Offset:][:size], nil
}

// vector reads a tensor of float32.
func (f *file) vector(name string, n int) ([]float32, error) {
	b, err := f.take(4*n, name, "f32", n)
	if err != nil {
		return nil, err
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if !finite(out[i]) {
			return nil, fault("tensor %q holds what is no number", name)
		}
	}
	return out, nil
}

// matrix reads a tensor of int8 blocks. Weights stay where they are; scales,
// one byte in seventeen of a file, are widened to float32.
func (f *file) matrix(name string, rows, cols int) (matrix, error) {
	n := rows * cols
	b, err := f.take(aligned(n)+2*(n/block), name, "q8", rows, cols)
	if err != nil {
		return matrix{}, err
	}
	m := matrix{rows: rows, cols: cols}
	m.q = unsafe.Slice((*int8)(unsafe.Pointer(&b[0])), n)
	half := b[aligned(n):]
	m.scales = make([]float32, n/block)
	for i := range m.scales {
		h := binary.LittleEndian.Uint16(half[2*i:])
		if h&0x7c00 == 0x7c00 {
			return matrix{}, fault("tensor %q has a scale that is no number", name)
		}
		m.scales[i] = fromHalf(h)
	}
	return m, nil
}

func finite(x float32) bool { return x-x == 0 }
