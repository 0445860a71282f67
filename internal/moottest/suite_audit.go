package moottest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
)

// TestAudit checks an audit record. Open returns one that accepts entries.
func TestAudit(t *testing.T, open func(t *testing.T) moothall.Audit) {
	suite(t, open, map[string]func(*testing.T, moothall.Audit){
		"indexes rise":            auditRises,
		"bad entries are refused": auditRefuses,
		"concurrent appends":      auditConcurrent,
		"large parameters":        auditLarge,
		"buffers are not kept":    auditBuffers,
		"canceled caller":         auditCanceled,
	})
}

func auditEntry() moothall.AuditEntry {
	return moothall.AuditEntry{
		Scope: scope(), Time: time.Now(), Agent: "suite-agent", AgentType: "suite", Action: moothall.ActionToolCall,
		Tool: "echo", Status: moothall.StatusIntent, Call: "call-1", Rule: "suite/any", Note: "a note", Params: []byte(`{"a":1}`),
	}
}

func auditRises(t *testing.T, a moothall.Audit) {
	var last uint64
	for i := range 20 {
		e := auditEntry()
		e.Relaxed = i%2 == 0
		index, err := a.Append(t.Context(), e)
		wantCode(t, err, "")
		if i > 0 && index <= last {
			t.Fatalf("index %d follows %d", index, last)
		}
		last = index
	}
}

func auditRefuses(t *testing.T, a moothall.Audit) {
	for name, spoil := range map[string]func(*moothall.AuditEntry){
		"no action":    func(e *moothall.AuditEntry) { e.Action = "" },
		"no status":    func(e *moothall.AuditEntry) { e.Status = "" },
		"long note":    func(e *moothall.AuditEntry) { e.Note = strings.Repeat("x", 201) },
		"deep lineage": func(e *moothall.AuditEntry) { e.Lineage = make(moothall.Lineage, 33) },
	} {
		e := auditEntry()
		spoil(&e)
		if _, err := a.Append(t.Context(), e); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v, want code invalid", name, err)
		}
	}
	_, err := a.Append(t.Context(), auditEntry()) // a refused entry harms nothing
	wantCode(t, err, "")
}

func auditConcurrent(t *testing.T, a moothall.Audit) {
	const writers, each = 8, 10
	got := make([][]uint64, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for range each {
				index, err := a.Append(t.Context(), auditEntry())
				if err != nil {
					t.Error(err)
					return
				}
				got[w] = append(got[w], index)
			}
		})
	}
	wg.Wait()
	all := slices.Concat(got...)
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != writers*each {
		t.Errorf("%d different indexes for %d entries", n, writers*each)
	}
	for w := range got {
		if !slices.IsSorted(got[w]) {
			t.Errorf("the indexes of one writer do not rise: %v", got[w])
		}
	}
}

func auditLarge(t *testing.T, a moothall.Audit) {
	e := auditEntry()
	e.Params = make([]byte, 1<<20)
	_, err := a.Append(t.Context(), e)
	wantCode(t, err, "")
}

// auditBuffers shows races under the race detector, and in the fake's records.
func auditBuffers(t *testing.T, a moothall.Audit) {
	e := auditEntry()
	for range 10 {
		_, err := a.Append(t.Context(), e)
		wantCode(t, err, "")
		for i := range e.Params {
			e.Params[i]++
		}
		e.Lineage[0] += "x"
	}
}

// auditCanceled allows an entry to be written for a caller that gave up: the
// record may know more than the caller.
func auditCanceled(t *testing.T, a moothall.Audit) {
	if _, err := a.Append(canceled(t), auditEntry()); err != nil {
		wantCode(t, err, moothall.CodeCanceled)
	}
	past, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	if _, err := a.Append(past, auditEntry()); err != nil {
		wantCode(t, err, moothall.CodeTimeout)
	}
	_, err := a.Append(t.Context(), auditEntry())
	wantCode(t, err, "")
}
