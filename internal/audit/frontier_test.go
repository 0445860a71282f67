package audit

import (
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// The frontier gives the roots that a log with all its hashes stored gives.
func TestFrontierAgreesWithStoredHashes(t *testing.T) {
	t.Parallel()
	var stored []tlog.Hash
	all := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, x := range indexes {
			out[i] = stored[x]
		}
		return out, nil
	})
	var f frontier
	for n := range int64(300) {
		leaf := tlog.RecordHash([]byte{byte(n), byte(n >> 8)})
		hashes, err := tlog.StoredHashesForRecordHash(n, leaf, all)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		if err := f.add(leaf); err != nil {
			t.Fatal(err)
		}
		want, err := tlog.TreeHash(n+1, all)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.head()
		if err != nil || got.root != want || got.size != uint64(n+1) {
			t.Fatalf("size %d: %v, %v", n+1, got, err)
		}
	}
	if _, err := f.ReadHashes([]int64{0}); err == nil {
		t.Error("a hash that is not kept was returned")
	}
}
