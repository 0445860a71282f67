package row

import (
	"encoding/binary"
	"math"

	"moothall"
	"moothall/internal/memory"
)

// Pack writes three vectors of one length, one after the other. CodeInvalid
// for others.
func Pack(v memory.Vectors) ([]byte, error) {
	d := len(v.Name)
	if d == 0 || len(v.Description) != d || len(v.Corpus) != d {
		return nil, moothall.Fail(moothall.CodeInvalid, "keep vectors", "the three vectors of an entry must be of one length")
	}
	out := make([]byte, 0, 12*d)
	for _, f := range [][]float32{v.Name, v.Description, v.Corpus} {
		for _, x := range f {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out, nil
}

// Unpack reads what Pack wrote, for the record at place n.
func Unpack(n uint64, embedder string, b []byte) (memory.Vectors, error) {
	if len(b) == 0 || len(b)%12 != 0 {
		return memory.Vectors{}, moothall.Fail(moothall.CodeCorrupt, "read vectors", "the vectors of an entry are damaged")
	}
	all := make([]float32, len(b)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	d := len(all) / 3
	return memory.Vectors{N: n, Embedder: embedder, Name: all[:d:d], Description: all[d : 2*d : 2*d], Corpus: all[2*d:]}, nil
}
