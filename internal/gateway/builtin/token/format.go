package token

import (
	"encoding/binary"
	"fmt"

	"moothall"
)

const (
	magic      = "MOOTBPE1"
	maxEntries = 1 << 20
	maxEntry   = 1 << 10 // bytes of one entry
)

// fault is what Open returns for a file that is not a vocabulary.
func fault(format string, args ...any) error {
	return moothall.Fail(moothall.CodeCorrupt, "open vocabulary", fmt.Sprintf(format, args...))
}

// reader takes numbers and bytes off the front of a file.
type reader struct{ rest []byte }

func (r *reader) take(n int) ([]byte, bool) {
	if len(r.rest) < n {
		return nil, false
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b, true
}

func (r *reader) uint32() (uint32, bool) {
	b, ok := r.take(4)
	if !ok {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b), true
}

// Open reads a vocabulary file, which it keeps and which must not change
// afterwards. A file that is damaged gives an error of [moothall.CodeCorrupt].
func Open(data []byte) (*Tokenizer, error) {
	r := &reader{rest: data}
	if b, ok := r.take(len(magic)); !ok || string(b) != magic {
		return nil, fault("this is no vocabulary file")
	}
	t := &Tokenizer{}
	ids, err := t.readEntries(r)
	if err != nil {
		return nil, err
	}
	if err := t.readBytes(ids); err != nil {
		return nil, err
	}
	if err := t.readMerges(r, ids); err != nil {
		return nil, err
	}
	if len(r.rest) > 0 {
		return nil, fault("%d bytes are left over", len(r.rest))
	}
	t.findWhole(ids)
	return t, nil
}

// readEntries reads the pieces and returns their ids.
func (t *Tokenizer) readEntries(r *reader) (map[string]int32, error) {
	n, ok := r.uint32()
	if !ok || n > maxEntries || int(n)*3 > len(r.rest) {
		return nil, fault("the number of entries does not fit the file")
	}
	t.pieces = make([][]byte, 0, n)
	ids := make(map[string]int32, n)
	for id := range int32(n) {
		b, ok := r.take(2)
		if !ok {
			return nil, fault("entry %d is cut short", id)
		}
		length := int(binary.LittleEndian.Uint16(b))
		if b, ok = r.take(length); !ok || length == 0 || length > maxEntry {
			return nil, fault("entry %d has an impossible length", id)
		}
		if _, twice := ids[string(b)]; twice {
			return nil, fault("entry %d is there twice", id)
		}
		t.pieces, ids[string(b)] = append(t.pieces, b), id
	}
	return ids, nil
}

// readBytes checks the special tokens and finds the token of each byte.
func (t *Tokenizer) readBytes(ids map[string]int32) error {
	for id, name := range specials {
		if got, ok := ids[name]; !ok || int(got) != id {
			return fault("the special token %s is not in its place", name)
		}
	}
	for i := range t.bytes {
		id, ok := ids[string([]byte{byte(i)})]
		if !ok {
			return fault("the byte %d has no token", i)
		}
		t.bytes[i] = id
	}
	return nil
}

// readMerges reads the pairs that merge.
func (t *Tokenizer) readMerges(r *reader, ids map[string]int32) error {
	m, ok := r.uint32()
	if !ok || m > maxEntries || int(m)*8 > len(r.rest) {
		return fault("the number of merges does not fit the file")
	}
	t.pairs = newPairs(int(m))
	var joined []byte
	for rank := range m {
		left, _ := r.uint32()
		right, _ := r.uint32()
		if !t.plain(left) || !t.plain(right) {
			return fault("merge %d joins what is no plain token", rank)
		}
		joined = append(append(joined[:0], t.pieces[left]...), t.pieces[right]...)
		id, ok := ids[string(joined)]
		if !ok || Special(id) {
			return fault("merge %d makes what is no plain token", rank)
		}
		if !t.pairs.add(int32(left), int32(right), rank, id) {
			return fault("merge %d is there twice", rank)
		}
	}
	return nil
}

// plain reports whether an id of the file is a token that text may yield.
func (t *Tokenizer) plain(id uint32) bool {
	return uint64(id) < uint64(len(t.pieces)) && !Special(int32(id))
}

// findWhole remembers the entries that the merges make of their own bytes, so
// that a piece which is one of them, as most words are, needs no merging.
func (t *Tokenizer) findWhole(ids map[string]int32) {
	var m merger
	var out []int32
	whole := make(map[string]int32, len(ids))
	for s, id := range ids {
		if Special(id) || len(s) > short {
			continue
		}
		if out = t.mergeShort(out[:0], &m, s); len(out) == 1 {
			whole[s] = id
		}
	}
	t.whole = whole
}
