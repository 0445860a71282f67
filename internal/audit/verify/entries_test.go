package verify_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/audit/verify"
)

// indices collects what a filter selects.
func indices(t *testing.T, dir string, f verify.Filter) []uint64 {
	t.Helper()
	var out []uint64
	for e, err := range verify.Entries(dir, f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Index)
	}
	return out
}

func TestFilter(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	day := func(d int) time.Time { return time.Date(2020, 1, d, 0, 0, 0, 0, time.UTC) }
	e := moothall.AuditEntry{
		Scope: moothall.Scope{Session: "s"}, Time: day(1), Agent: "g", Action: "a", Tool: "t",
		Status: "ok", Query: "q", Call: "c",
	}
	write(t, l, e)
	write(t, l, moothall.AuditEntry{Time: day(2), Action: "b", Status: "failed"})
	write(t, l, moothall.AuditEntry{Time: day(3), Action: "b", Status: "failed"})
	for name, c := range map[string]struct {
		f    verify.Filter
		want []uint64
	}{
		"all":      {verify.Filter{}, []uint64{0, 1, 2, 3}},
		"from to":  {verify.Filter{From: 1, To: 3}, []uint64{1, 2}},
		"days":     {verify.Filter{Since: day(1), Until: day(3)}, []uint64{1, 2}},
		"by":       {verify.Filter{By: moothall.AuditKeeper}, []uint64{0}},
		"agent":    {verify.Filter{Agent: "g"}, []uint64{1}},
		"action":   {verify.Filter{Action: "b"}, []uint64{2, 3}},
		"tool":     {verify.Filter{Tool: "t"}, []uint64{1}},
		"status":   {verify.Filter{Status: "failed", To: 3}, []uint64{2}},
		"session":  {verify.Filter{Session: "s"}, []uint64{1}},
		"query":    {verify.Filter{Query: "q"}, []uint64{1}},
		"call":     {verify.Filter{Call: "c"}, []uint64{1}},
		"no match": {verify.Filter{Call: "c", Status: "failed"}, nil},
	} {
		if d := cmp.Diff(c.want, indices(t, dir, c.f)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for range verify.Entries(dir, verify.Filter{}) {
		break // stopping early is allowed
	}
}

func TestEntriesOfDamagedLog(t *testing.T) {
	t.Parallel()
	dir := numbered(t, 5)
	path := filepath.Join(dir, "log")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Replace(b, []byte(`"c3"`), []byte(`"c9"`), 1)
	for name, c := range map[string]struct {
		log     []byte
		entries int
		code    moothall.Code
	}{
		"unfinished": {b[:len(b)-5], 5, ""},
		"damaged":    {bad, 3, moothall.CodeCorrupt},
		"no newline": {append(bytes.Clone(b), bytes.Repeat([]byte("x"), 70_000)...), 6, moothall.CodeCorrupt},
	} {
		if err := os.WriteFile(path, c.log, 0o600); err != nil {
			t.Fatal(err)
		}
		n := 0
		var last error
		for _, err := range verify.Entries(dir, verify.Filter{}) {
			if last = err; err == nil {
				n++
			}
		}
		if n != c.entries || moothall.ErrorCode(last) != c.code {
			t.Errorf("%s: %d entries, %v", name, n, last)
		}
	}
	for _, err := range verify.Entries(t.TempDir(), verify.Filter{}) {
		if moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Errorf("no log: %v", err)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	dir := numbered(t, 3)
	path := filepath.Join(dir, "log")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	size := func(n int) int { return len(bytes.Join(lines[:n], nil)) }
	set := func(n int) {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set(size(2) + 7) // the third record has begun
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tick := make(chan time.Time, 2)
	var got []uint64
	for e, err := range verify.Follow(ctx, dir, verify.Filter{}, 1, &verify.FollowOptions{Tick: tick}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Index)
		switch e.Index {
		case 1:
			set(size(3) - 1) // all but its newline
			tick <- time.Time{}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.Write(whole[size(3)-1:])
			f.Close()
			tick <- time.Time{}
		case 3:
			cancel()
		}
	}
	if d := cmp.Diff([]uint64{1, 2, 3}, got); d != "" {
		t.Error(d)
	}
}

func TestFollowEnds(t *testing.T) {
	t.Parallel()
	dir := numbered(t, 3)
	n := 0
	for range verify.Follow(t.Context(), dir, verify.Filter{To: 2}, 0, nil) {
		n++
	}
	if n != 2 {
		t.Errorf("%d entries below 2", n)
	}
	for what, harm := range map[string]func(dir string) error{
		"shrinks":       func(dir string) error { return os.Truncate(filepath.Join(dir, "log"), 100) },
		"is moved away": func(dir string) error { return os.Rename(dir, dir+"-before") },
		"is replaced": func(dir string) error {
			return errors.Join(os.Rename(dir, dir+"-before"), os.CopyFS(dir, os.DirFS(numbered(t, 5))))
		},
	} {
		dir := numbered(t, 3)
		tick := make(chan time.Time, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		var last error
		for e, err := range verify.Follow(ctx, dir, verify.Filter{}, 3, &verify.FollowOptions{Tick: tick}) {
			if last = err; err == nil && e.Index == 3 {
				if err := harm(dir); err != nil {
					t.Fatal(err)
				}
				tick <- time.Time{}
			}
		}
		cancel()
		if moothall.ErrorCode(last) != moothall.CodeInterrupted {
			t.Errorf("a log that %s: %v", what, last)
		}
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	write(t, l, moothall.AuditEntry{
		Scope:  moothall.Scope{Lineage: moothall.Lineage{"a", "b"}},
		Action: "x", Status: "ok", Agent: "=cmd()", Note: "line\n\"two\",",
	})
	var out bytes.Buffer
	if err := verify.Export(dir, &out, "jsonl", verify.Filter{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	var e verify.Entry
	if err := json.Unmarshal([]byte(lines[1]), &e); err != nil || len(lines) != 2 {
		t.Fatalf("%q: %v", out.String(), err)
	}
	for want, err := range verify.Entries(dir, verify.Filter{From: 1}) {
		if d := cmp.Diff(want, e); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	out.Reset()
	if err := verify.Export(dir, &out, "csv", verify.Filter{From: 1}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %v", rows, err)
	}
	want := []string{"1", rows[1][1], "broker", "'=cmd()", "", "a>b", "x", "", "", "ok", "", "", "", "", "", "line\n\"two\","}
	if d := cmp.Diff(want, rows[1]); d != "" || len(rows[0]) != len(want) {
		t.Error(d)
	}
	if err := verify.Export(dir, &out, "xml", verify.Filter{}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("xml: %v", err)
	}
}
