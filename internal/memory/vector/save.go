package vector

import (
	"bufio"
	"encoding/binary"
	"io"
)

// Save writes what the index holds at the time of the call, for [Load].
// Writers may go on meanwhile. The fingerprint says which state of the store
// the vectors come from. A file is complete only when Save has returned nil
// and the caller has flushed it; write it beside the old one and rename. It
// returns [moothall.CodeInvalid] for a fingerprint of more than 1,024 bytes,
// [moothall.CodeExhausted] on a full disk and [moothall.CodeUnavailable] when
// the writer fails otherwise.
func (x *Index) Save(w io.Writer, fingerprint string) error {
	if len(fingerprint) > maxFingerprint {
		return invalid(opSave, "the fingerprint is too long")
	}
	s := x.state.Load()
	out := bufio.NewWriterSize(w, bufferSize)
	if _, err := out.Write(header(x.shape.dim, s.live, fingerprint)); err != nil {
		return writeError(err)
	}
	number := 0
	for i := range s.segments() {
		seg := s.at(i)
		if seg.n == seg.gone {
			continue
		}
		if err := saveChunk(out, number, seg); err != nil {
			return writeError(err)
		}
		number++
	}
	if err := out.Flush(); err != nil {
		return writeError(err)
	}
	return nil
}

func header(dim, rows int, fingerprint string) []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(dim))
	b = binary.LittleEndian.AppendUint64(b, uint64(rows))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(fingerprint)))
	b = append(b, fingerprint...)
	h := newSum()
	h.Write(b)
	return binary.LittleEndian.AppendUint32(b, h.Sum32())
}

// saveChunk writes the living rows of a segment.
func saveChunk(out io.Writer, number int, seg *segment) error {
	sum := chunkSum(number)
	both := io.MultiWriter(out, sum)
	if err := binary.Write(both, binary.LittleEndian, uint32(seg.n-seg.gone)); err != nil {
		return err
	}
	for i := range seg.live {
		if err := writeNumbers(both, seg.b.ids[i:i+1]); err != nil {
			return err
		}
	}
	for i := range seg.live {
		if err := writeNumbers(both, seg.b.row(i)[:seg.b.shape.dim]); err != nil {
			return err
		}
	}
	return binary.Write(out, binary.LittleEndian, sum.Sum32())
}
