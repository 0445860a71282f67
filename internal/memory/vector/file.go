package vector

import (
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"syscall"
	"unsafe"

	"moothall"
)

// A segment file, all numbers little endian:
//
//	magic    8 bytes
//	version  uint32
//	dim      uint32
//	rows     uint64
//	length   uint32, then as many bytes of fingerprint
//	sum      uint32, CRC-32C of all the above
//
// then chunks until all rows are there, and nothing after them:
//
//	rows     uint32, 1 to 1024
//	ids      8 bytes each
//	vectors  4*dim bytes each
//	sum      uint32, CRC-32C of the chunk's number (uint64) and all the above
//
// Codes are not stored: they are computed again, so that a change of the
// code needs no new version, and no file can break the bound.
const (
	magic          = "mootvec\n"
	version        = 1
	maxFingerprint = 1024
	headSize       = 8 + 4 + 4 + 8 + 4
	bufferSize     = 1 << 20
)

// newSum returns a CRC-32C; the table is made once by the standard library.
func newSum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// chunkSum returns a sum that has the chunk's number in it already, so that a
// chunk in another's place is noticed.
func chunkSum(number int) hash.Hash32 {
	h := newSum()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number))
	h.Write(b[:])
	return h
}

// number is what rows and ids are made of.
type number interface{ float32 | uint64 }

// bytesOf shows numbers as the machine's bytes.
func bytesOf[T number](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// bigEndian reports whether bytesOf has the wrong order for a file.
func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// swap turns the order of bytes in each number of the given size.
func swap(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// writeNumbers writes numbers in the file's order.
func writeNumbers[T number](w io.Writer, v []T) error {
	b := bytesOf(v)
	if bigEndian() && len(v) > 0 {
		b = append([]byte(nil), b...)
		swap(b, len(b)/len(v))
	}
	_, err := w.Write(b)
	return err
}

// readNumbers fills v; the bytes are still in the file's order, for the sum.
func readNumbers[T number](r io.Reader, v []T) error {
	_, err := io.ReadFull(r, bytesOf(v))
	return err
}

// toMachine gives numbers that readNumbers read the machine's order.
func toMachine[T number](v []T) {
	if bigEndian() && len(v) > 0 {
		b := bytesOf(v)
		swap(b, len(b)/len(v))
	}
}

const (
	opSave = "save vector segment"
	opLoad = "load vector segment"
)

func corrupt(message string) error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: opLoad, Message: message,
		Remedy: "build the index again from the store",
	}
}

// ErrStale is in the error of [Load] for a whole file that was written of
// other vectors or by another version of the program.
var ErrStale = errors.New("stale vector segment")

func stale(message string) error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: opLoad, Message: message,
		Remedy: "build the index again from the store", Err: ErrStale,
	}
}

// readError tells a file that ends too early from a disk that fails.
func readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return corrupt("the file ends too early")
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: opLoad, Message: "the file cannot be read", Err: err}
}

func writeError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return &moothall.Error{
			Code: moothall.CodeExhausted, Op: opSave, Message: "the disk is full",
			Remedy: "free some space; the index goes on without the file", Err: err,
		}
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: opSave, Message: "the file cannot be written", Err: err}
}
