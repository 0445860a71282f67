package moothall_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"moothall"
)

func TestNewIDSortsByCreation(t *testing.T) {
	const n = 10_000
	before := time.Now().Add(-time.Millisecond)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = moothall.NewID()
	}
	if !slices.IsSorted(ids) {
		t.Error("ids of one goroutine are not in order")
	}
	for _, id := range ids[:100] {
		at, ok := moothall.IDTime(id)
		if !ok || at.Before(before.Truncate(time.Millisecond)) || at.After(time.Now().Add(time.Minute)) {
			t.Fatalf("IDTime(%s) = %v, %v", id, at, ok)
		}
	}
}

func TestNewIDIsUniqueAcrossGoroutines(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				id := moothall.NewID()
				mu.Lock()
				if seen[id] {
					t.Errorf("%s came twice", id)
				}
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestIDTimeRefusesForeignIDs(t *testing.T) {
	for _, id := range []string{"", "x", "0198f0c2-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "zzzzzzzz-zzzz-7aaa-8aaa-aaaaaaaaaaaa"} {
		if at, ok := moothall.IDTime(id); ok {
			t.Errorf("IDTime(%q) = %v", id, at)
		}
	}
}
