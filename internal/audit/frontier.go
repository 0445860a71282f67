package audit

import (
	"errors"

	"golang.org/x/mod/sumdb/tlog"
)

// frontier is the right edge of a growing Merkle tree: for every bit set in
// size, the hash of the complete subtree of that many leaves. That is all
// that the next leaf and the root need, so the log keeps no hash file.
type frontier struct {
	size int64
	edge [63]tlog.Hash
}

var _ tlog.HashReader = (*frontier)(nil)

// ReadHashes returns stored hashes of the right edge and refuses all others.
func (f *frontier) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		level, n := tlog.SplitStoredHashIndex(x)
		if level >= len(f.edge) || f.size>>level&1 == 0 || n != f.size>>level-1 {
			return nil, errors.New("hash is not on the tree's right edge")
		}
		out[i] = f.edge[level]
	}
	return out, nil
}

// add appends a leaf.
func (f *frontier) add(leaf tlog.Hash) error {
	hashes, err := tlog.StoredHashesForRecordHash(f.size, leaf, f)
	if err != nil {
		return err
	}
	top := len(hashes) - 1
	f.edge[top] = hashes[top]
	f.size++
	return nil
}

// head returns the tree's size and root.
func (f *frontier) head() (head, error) {
	root, err := tlog.TreeHash(f.size, f)
	return head{size: uint64(f.size), root: root}, err
}
