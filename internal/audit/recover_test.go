package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/audit"
)

// reopen opens and closes a damaged log that must recover, and checks that it
// kept this many old entries and noted the rest.
func reopen(t *testing.T, dir string, kept int, cut int64) {
	t.Helper()
	l, err := audit.Open(dir, nil)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	s := l.Stats()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	want := kept
	if cut > 0 {
		want++
	}
	if s.Entries != uint64(want) || s.Signed != s.Entries || s.Recovered != cut {
		t.Fatalf("%+v; want %d entries, all signed, %d bytes cut", s, want, cut)
	}
	mustBeOK(t, dir)
	last := entries(t, dir)[want-1]
	if cut == 0 {
		return
	}
	if last.Action != moothall.ActionRecovered || !strings.Contains(last.Note, fmt.Sprintf("cut %d bytes", cut)) {
		t.Fatalf("last entry: %+v", last)
	}
	torn, _ := filepath.Glob(filepath.Join(dir, "torn-*"))
	if len(torn) != 1 || !strings.HasSuffix(last.Note, filepath.Base(torn[0])) {
		t.Fatalf("torn files %v, note %q", torn, last.Note)
	}
	if info, err := os.Stat(torn[0]); err != nil || info.Size() != cut {
		t.Fatalf("torn file: %v %v", info, err)
	}
}

func TestTornTailAtEveryByte(t *testing.T) {
	t.Parallel()
	dir, tail := unsigned(t, 4)
	whole := get(t, dir, "log")
	if n := len(records(whole)); n != 10 {
		t.Fatalf("%d records in the fixture", n)
	}
	for size := int(tail); size <= len(whole); size += min(stride(), 11) {
		own := filepath.Join(t.TempDir(), "audit")
		copyDir(t, dir, own)
		put(t, own, "log", whole[:size])
		if r := check(t, own, nil); !r.OK {
			t.Fatalf("cut at %d: a torn tail is no damage: %+v", size, r.Findings)
		}
		complete := records(whole[:size])
		kept := len(bytes.Join(complete, nil))
		if kept < size {
			complete = complete[:bytes.Count(whole[:size], []byte("\n"))]
		}
		reopen(t, own, len(complete), int64(size-kept))
	}
}

// zero returns log with bytes [from, to) lost: they read as zeros.
func zero(log []byte, from, to int) []byte {
	out := bytes.Clone(log)
	clear(out[from:to])
	return out
}

// A batch that was being written when the power failed may miss any of its
// pages.
func TestLostPagesOfUnacknowledgedBatch(t *testing.T) {
	t.Parallel()
	dir, tail := unsigned(t, 1, 6)
	whole := get(t, dir, "log")
	lines := records(whole)
	first := len(lines) - 6
	begin := len(bytes.Join(lines[:first], nil))
	if begin <= int(tail) {
		t.Fatal("fixture")
	}
	for from := begin; from < len(whole); from += 37 {
		for _, size := range []int{1, 64, 300, len(whole)} {
			own := filepath.Join(t.TempDir(), "audit")
			copyDir(t, dir, own)
			put(t, own, "log", zero(whole, from, min(from+size, len(whole))))
			if r := check(t, own, nil); r.OK {
				t.Fatalf("zeros from %d: not noticed by verify", from)
			}
			kept := bytes.Count(whole[:from], []byte("\n"))
			at := len(bytes.Join(lines[:kept], nil))
			reopen(t, own, kept, int64(len(whole)-at))
		}
	}
}

// The same loss is refused when a later batch shows that the flush had been
// done, even where the damage swallowed newlines or the later record follows
// zeros on one line.
func TestLostPagesOfAcknowledgedBatch(t *testing.T) {
	t.Parallel()
	dir, _ := unsigned(t, 1, 6, 1)
	whole := get(t, dir, "log")
	lines := records(whole)
	begin := len(bytes.Join(lines[:len(lines)-7], nil))
	end := len(whole) - len(lines[len(lines)-1])
	for from := begin; from < end; from += 37 {
		for _, to := range []int{from + 1, from + 64, end - 1, end} {
			put(t, dir, "log", zero(whole, from, min(to, end)))
			wantRefused(t, dir, moothall.CodeTampered)
		}
	}
	for n := len(lines) - 7; n < len(lines)-1; n++ { // newlines turned into other bytes
		changed := bytes.Clone(whole)
		changed[len(bytes.Join(lines[:n+1], nil))-1] = '7'
		put(t, dir, "log", changed)
		wantRefused(t, dir, moothall.CodeTampered)
	}
}

// A lost region may be longer than any buffer.
func TestLongLostRegion(t *testing.T) {
	t.Parallel()
	dir, _ := unsigned(t, 1)
	whole := get(t, dir, "log")
	n := uint64(len(records(whole)))
	gap := make([]byte, 1<<20)
	e := []byte(`{"time":"2026-01-01T00:00:00Z","by":"hall","action":"a","status":"ok"}`)

	put(t, dir, "log", append(append(bytes.Clone(whole), gap...), audit.AppendLine(nil, n+9, n+9, e)...))
	wantRefused(t, dir, moothall.CodeTampered)

	torn := append(gap, audit.AppendLine(nil, n+9, n, e)...)
	put(t, dir, "log", append(bytes.Clone(whole), torn...))
	reopen(t, dir, int(n), int64(len(torn)))
}

// Creation may be cut short anywhere; nothing was acknowledged, so opening
// again begins anew.
func TestInterruptedCreation(t *testing.T) {
	t.Parallel()
	dir := build(t, 1)
	log, heads := get(t, dir, "log"), get(t, dir, "heads")
	type files map[string][]byte
	states := []files{
		{}, {"log": nil}, {"log": log[:1]}, {"log": log[:len(log)/2]}, {"log": log[:len(log)-1]}, {"log": log},
		{"log": make([]byte, len(log))}, // size known, data lost
		{"log": log, "heads.tmp": heads[:20]},
		{"log": log, "heads": heads},
		{"log": log, "heads": heads, "hash.key.tmp": nil},
		{"log": log, "heads": heads, "hash.key": get(t, dir, "hash.key")},
		{"log": log, "heads": heads, "hash.key": get(t, dir, "hash.key"), "key.pub": get(t, dir, "key.pub")},
		{
			"log": log, "heads": heads, "hash.key": get(t, dir, "hash.key"), "key.pub": get(t, dir, "key.pub"),
			"key.tmp": get(t, dir, "key")[:10],
		},
	}
	for i, state := range states {
		own := filepath.Join(t.TempDir(), "audit")
		if err := os.Mkdir(own, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, b := range state {
			put(t, own, name, b)
		}
		l, err := audit.Open(own, nil)
		if err != nil {
			t.Errorf("state %d: %v", i, err)
			continue
		}
		if n := mustAppend(t, l, call(1)); n != 1 {
			t.Errorf("state %d: first index %d", i, n)
		}
		l.Close()
		mustBeOK(t, own)
	}
}

// Heads are written one at a time; a crash leaves the beginning of one, or
// one with a page of zeros.
func TestTornHead(t *testing.T) {
	t.Parallel()
	dir := build(t, 100)
	whole := get(t, dir, "heads")
	frames := bytes.SplitAfter(whole, []byte("---\n"))
	begin := len(bytes.Join(frames[:len(frames)-2], nil))
	for at := begin + 1; at < len(whole); at += 7 {
		for name, heads := range map[string][]byte{
			"cut": whole[:at], "lost end": zero(whole, at, len(whole)), "lost begin": zero(whole, begin, at),
		} {
			own := filepath.Join(t.TempDir(), "audit")
			copyDir(t, dir, own)
			put(t, own, "heads", heads)
			if r := check(t, own, nil); r.OK != (name == "cut") {
				t.Errorf("%s at %d: verify says %v: %+v", name, at, r.OK, r.Findings)
			}
			reopen(t, own, 100, int64(len(heads)-begin))
		}
	}
}

func TestUncleanStopIsSealed(t *testing.T) {
	t.Parallel()
	dir, _ := unsigned(t, 2, 3)
	before := mustBeOK(t, dir)
	if before.Signed != 6 || before.Entries != 11 {
		t.Fatalf("fixture: %+v", before)
	}
	reopen(t, dir, 11, 0)
}
