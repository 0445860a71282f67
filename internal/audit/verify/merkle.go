package verify

import (
	"crypto/sha256"
	"encoding/base64"
	"math/bits"
)

// digest is a SHA-256 hash of RFC 6962.
type digest [sha256.Size]byte

func (d digest) String() string { return base64.StdEncoding.EncodeToString(d[:]) }

// parseDigest accepts the one canonical spelling.
func parseDigest(s string) (d digest, ok bool) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(b) != len(d) {
		return d, false
	}
	copy(d[:], b)
	return d, d.String() == s
}

// leafHash hashes a record. buf is scratch space, returned for the next call.
func leafHash(record, buf []byte) (digest, []byte) {
	buf = append(append(buf[:0], 0), record...)
	return sha256.Sum256(buf), buf
}

func nodeHash(left, right digest) digest {
	var b [1 + 2*sha256.Size]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return sha256.Sum256(b[:])
}

// tree is a Merkle tree that only grows: the roots of its perfect subtrees,
// largest first, one for every bit set in size.
type tree struct {
	size  uint64
	roots []digest
}

func (t *tree) add(leaf digest) {
	t.roots = append(t.roots, leaf)
	for range bits.TrailingZeros64(t.size + 1) {
		n := len(t.roots)
		t.roots[n-2] = nodeHash(t.roots[n-2], t.roots[n-1])
		t.roots = t.roots[:n-1]
	}
	t.size++
}

// root folds the subtrees from the right, as RFC 6962 defines the hash of a
// list whose length is no power of two.
func (t *tree) root() digest {
	n := len(t.roots)
	if n == 0 {
		return sha256.Sum256(nil)
	}
	h := t.roots[n-1]
	for i := n - 2; i >= 0; i-- {
		h = nodeHash(t.roots[i], h)
	}
	return h
}

// span is a range of leaves, end excluded.
type span struct{ start, end uint64 }

// pathSpans returns the subtrees whose roots prove leaf m in the tree over s,
// lowest first.
func pathSpans(m uint64, s span) []span {
	n := s.end - s.start
	if n <= 1 {
		return nil
	}
	mid := s.start + 1<<(bits.Len64(n-1)-1)
	if m < mid {
		return append(pathSpans(m, span{s.start, mid}), span{mid, s.end})
	}
	return append(pathSpans(m, span{mid, s.end}), span{s.start, mid})
}

// rootFromPath computes the root of a tree of n leaves from leaf m and its
// path. ok is false when the path has the wrong length.
func rootFromPath(m, n uint64, leaf digest, path []digest) (root digest, ok bool) {
	spans := pathSpans(m, span{0, n})
	if m >= n || len(spans) != len(path) {
		return digest{}, false
	}
	h := leaf
	for i, s := range spans {
		if s.start > m {
			h = nodeHash(h, path[i])
		} else {
			h = nodeHash(path[i], h)
		}
	}
	return h, true
}
