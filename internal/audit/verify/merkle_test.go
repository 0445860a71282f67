package verify

import (
	"encoding/hex"
	"testing"
)

// naive is the definition of RFC 6962, section 2.1, word for word.
func naive(leaves [][]byte) digest {
	if len(leaves) == 1 {
		h, _ := leafHash(leaves[0], nil)
		return h
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	return nodeHash(naive(leaves[:k]), naive(leaves[k:]))
}

func TestTreeAgreesWithDefinition(t *testing.T) {
	t.Parallel()
	var leaves [][]byte
	var tr tree
	for i := range 130 {
		leaves = append(leaves, []byte{byte(i)})
		h, _ := leafHash(leaves[i], nil)
		tr.add(h)
		if tr.root() != naive(leaves) {
			t.Fatalf("size %d", i+1)
		}
	}
}

// The first three roots of the test vectors of Certificate Transparency.
func TestTreeVectors(t *testing.T) {
	t.Parallel()
	if got := (&tree{}).root(); hex.EncodeToString(got[:4]) != "e3b0c442" {
		t.Errorf("empty tree: %x", got)
	}
	var tr tree
	for i, leaf := range []string{"", "\x00", "\x10"} {
		h, _ := leafHash([]byte(leaf), nil)
		tr.add(h)
		got := tr.root()
		want := []string{
			"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
			"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
			"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		}[i]
		if hex.EncodeToString(got[:]) != want {
			t.Errorf("size %d: %x", i+1, got)
		}
	}
}
