package row_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
)

// line is a row of values as a driver hands them out.
type line []any

func (l line) Scan(dest ...any) error {
	if len(dest) != len(l) {
		return errors.New("the columns and what reads them differ in number")
	}
	for i, d := range dest {
		reflect.ValueOf(d).Elem().Set(reflect.ValueOf(l[i]).Convert(reflect.TypeOf(d).Elem()))
	}
	return nil
}

func record() memory.Record {
	score := 0.5
	return memory.Record{N: 7, Whole: "w", Merged: 4, Print: 1<<63 + 5, From: []moothall.MemoryID{"a", "b"}, Entry: moothall.MemoryEntry{
		ID: "m", Kind: moothall.Fact, Trust: moothall.TrustModel, Created: time.Date(2026, 5, 30, 1, 2, 3, 4000, time.UTC), Accesses: 3,
		Source: "s", Thread: "t", Place: 9, Speaker: "x", Tags: []string{"ä", `"`}, Name: "n", Description: "d", Corpus: "c",
		Turn: &moothall.TurnNotes{Session: "ses", Query: "q", Respondent: "B", Score: &score},
	}}
}

// TestBack writes a record down and reads it back.
func TestBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]memory.Record{"full": record(), "empty": {N: 1}} {
		values, err := row.Of(&want)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(row.Columns, ",") + 1; n != len(values) || strings.Count(row.Light, ",")+1 != n {
			t.Errorf("%d columns, %d values", n, len(values))
		}
		got, err := row.Record(line(append([]any{int64(want.N)}, values...)))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestHeadAndHeld(t *testing.T) {
	t.Parallel()
	head, err := row.Head(line{int64(3), "fact", "model", int64(1_000_000), "s", "t", int64(9), `["a"]`, `{"respondent_id":"B"}`, true, int64(-1)})
	want := memory.Head{N: 3, Kind: moothall.Fact, Trust: moothall.TrustModel, Created: time.Unix(1, 0).UTC(), Source: "s", Thread: "t", Place: 9, Tags: []string{"a"}, Part: true, Print: 1<<64 - 1, Unseen: true}
	if diff := cmp.Diff(want, head); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	held, err := row.Held(line{"e", "q", "B", `{"query_id":"q"}`})
	if err != nil || held.Event != "e" || held.Query != "q" || held.Respondent != "B" {
		t.Errorf("got %+v, %v", held, err)
	}
}

// TestDamage gives each column of JSON something that is none.
func TestDamage(t *testing.T) {
	t.Parallel()
	r := record()
	values, err := row.Of(&r)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.FieldsFunc(row.Columns, func(r rune) bool { return strings.ContainsRune(", \n\t", r) })
	for _, name := range []string{"tags", "correlates", "sources", "turn"} {
		bad := slices.Clone(values)
		bad[slices.Index(names, name)] = `["half`
		if _, err := row.Record(line(append([]any{int64(1)}, bad...))); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := row.Pack(memory.Vectors{Name: []float32{1}, Description: []float32{1}}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("unequal vectors: %v", err)
	}
}

// FuzzUnpack reads arbitrary blobs: what it takes is what Pack writes.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("twelve bytes"))
	f.Add(make([]byte, 25))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := row.Unpack(7, "e", b)
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeCorrupt {
				t.Fatal(err)
			}
			return
		}
		again, err := row.Pack(v)
		if err != nil || !slices.Equal(again, b) || v.N != 7 || v.Embedder != "e" {
			t.Fatalf("%x became %x: %v", b, again, err)
		}
	})
}
