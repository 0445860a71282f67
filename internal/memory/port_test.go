package memory_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moothall"
	"moothall/internal/memory"
)

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	a := openMemory(t)
	m := a.For(moothall.Person)
	library(t, m)
	write(t, m, moothall.MemoryEntry{Kind: moothall.Document, Name: "long", Description: "long", Corpus: strings.Repeat("All work and no play. ", 800)})
	score := 0.5
	write(t, m, moothall.MemoryEntry{
		Kind: moothall.Engram, Name: "turn", Description: "d", Corpus: "A <turn> & more.", Trust: moothall.TrustModel, Thread: "th", Place: 3, Speaker: "Ada",
		Turn: &moothall.TurnNotes{Session: "s", Query: "q", Score: &score},
	})
	var file bytes.Buffer
	n, err := a.Export(t.Context(), moothall.Person, &file, nil)
	if err != nil || n != 8 {
		t.Fatalf("exported %d, %v", n, err)
	}
	b := openMemory(t)
	text := file.String()
	for round := range 2 {
		got, err := b.Import(t.Context(), moothall.Person, strings.NewReader(text), memory.ImportOptions{})
		want := memory.Imported{Lines: 8, Stored: 8}
		if round == 1 {
			want = memory.Imported{Lines: 8, Unchanged: 8}
		}
		if err != nil || got != want {
			t.Fatalf("round %d: %+v, %v", round, got, err)
		}
	}
	byID := cmpopts.SortSlices(func(x, y moothall.MemoryEntry) bool { return x.ID < y.ID })
	if d := cmp.Diff(list(t, m, moothall.MemoryList{}), list(t, b.For(moothall.Person), moothall.MemoryList{}), byID); d != "" {
		t.Errorf("what was moved differs (-before +after):\n%s", d)
	}
}

// TestImportTimes: a time that no file could hold again is refused, since it
// would keep everything else from being exported; a time of null is none.
func TestImportTimes(t *testing.T) {
	t.Parallel()
	service := openMemory(t, func(o *memory.Options) { o.Now = func() time.Time { return noon } })
	for _, when := range []string{"9e11", "-9e10", `"9999-12-31T23:00:00-05:00"`, `"0000-06-01"`} {
		_, err := service.Import(t.Context(), moothall.Person, strings.NewReader(`{"text":"out of time","time":`+when+`}`), memory.ImportOptions{})
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", when, err)
		}
	}
	far := moothall.MemoryEntry{Corpus: "far away", Created: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)}
	_, err := service.For(moothall.Person).Write(t.Context(), moothall.WriteRequest{Entry: far})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = service.Import(t.Context(), moothall.Person, strings.NewReader(`{"text":"Some time.","time":null}`), memory.ImportOptions{})
	wantCode(t, err, "")
	got := list(t, service.For(moothall.Person), moothall.MemoryList{})
	if len(got) != 1 || !got[0].Created.Equal(noon) {
		t.Errorf("%+v", got)
	}
	if n, err := service.Export(t.Context(), moothall.Person, io.Discard, nil); err != nil || n != 1 {
		t.Errorf("exported %d, %v", n, err)
	}
}

func TestImportLines(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	file := `{"text":"Hello Ada","speaker":"Ben","thread":"t","time":"1:56 pm on 8 May, 2023"}

{"text":"Hello Ben","speaker":"Ada","thread":"t","time":"2023-05-08 13:57","tags":["greeting"]}
{"id":"given","text":"A page","source":"external: web","time":1700000000,"unknown":{"x":1}}
`
	var told []moothall.Progress
	got, err := service.Import(t.Context(), moothall.Person, strings.NewReader(file), memory.ImportOptions{
		Source: "file", Total: 3, Progress: func(p moothall.Progress) { told = append(told, p) },
	})
	if err != nil || got.Stored != 3 || len(told) != 1 || told[0].Done != 3 || told[0].Total != 3 {
		t.Fatalf("%+v, %v, %+v", got, err, told)
	}
	entries := map[string]moothall.MemoryEntry{}
	for _, e := range list(t, service.For(moothall.Person), moothall.MemoryList{}) {
		entries[e.Corpus] = e
	}
	first, second := entries["Hello Ada"], entries["Hello Ben"]
	if first.Place != 1 || second.Place != 2 || first.Created.Format("2006-01-02 15:04") != "2023-05-08 13:56" || first.Source != "file" ||
		second.Speaker != "Ada" || !contains(second.Tags, "greeting") || first.Trust != moothall.TrustPerson {
		t.Errorf("%+v\n%+v", first, second)
	}
	given := list(t, service.For(moothall.Person), moothall.MemoryList{IDs: []moothall.MemoryID{"given"}})
	if len(given) != 1 || given[0].Trust != moothall.TrustExternal {
		t.Errorf("%+v", given)
	}
}

// TestImportOfAnEditor: a file that an editor has saved begins with a mark.
func TestImportOfAnEditor(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	file := "\uFEFF" + `{"text":"The first.","thread":"t"}` + "\r\n" + `{"text":"The second.","thread":"t"}` + "\r\n"
	var got memory.Imported
	err := memory.Pieces(strings.NewReader(file), 1, func(piece []byte) error {
		one, err := service.Import(t.Context(), moothall.Person, bytes.NewReader(piece), memory.ImportOptions{})
		got.Stored += one.Stored
		return err
	})
	wantCode(t, err, "")
	for _, e := range list(t, service.For(moothall.Person), moothall.MemoryList{}) {
		if want := map[string]int64{"The first.": 1, "The second.": 2}[e.Corpus]; e.Place != want {
			t.Errorf("%q has place %d, want %d", e.Corpus, e.Place, want)
		}
	}
	if got.Stored != 2 {
		t.Errorf("stored %d", got.Stored)
	}
}

// TestImportChanged: a line with the id of an entry takes its place when it
// says anything else.
func TestImportChanged(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	line := func(change func(l map[string]any)) memory.Imported {
		t.Helper()
		l := map[string]any{
			"id": "a", "name": "account", "description": "my account", "text": "The balance is 5 euros.", "kind": "engram", "speaker": "Ana",
			"source": "bank", "time": "2026-01-01", "correlating_ids": []string{"b"}, "from": []string{"c"},
			"turn": map[string]any{"query_id": "q", "answer": "Yes.", "critic_score": 3},
		}
		change(l)
		b, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		got, err := service.Import(t.Context(), moothall.Person, bytes.NewReader(b), memory.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	asIs := func(map[string]any) {}
	line(asIs)
	for key, v := range map[string]any{
		"text": "The balance is -5 euros.", "name": "Account!", "kind": "fact", "speaker": "Ben", "source": "post", "time": "2026-06-01",
		"correlating_ids": []string{"d"}, "from": []string{}, "turn": map[string]any{"query_id": "q", "answer": "Yes.", "critic_score": 4},
	} {
		if got := line(func(l map[string]any) { l[key] = v }); got.Stored != 1 {
			t.Errorf("another %s: %+v", key, got)
		}
		if got := line(asIs); got.Stored != 1 {
			t.Errorf("the %s of before: %+v", key, got)
		}
	}
	if err := service.For(moothall.Person).Annotate(t.Context(), moothall.Annotation{Query: "q", Notes: moothall.TurnNotes{Feedback: "brief"}}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(map[string]any){
		"as it was": asIs, "no time": func(l map[string]any) { delete(l, "time") }, "no turn": func(l map[string]any) { delete(l, "turn") },
		"no link": func(l map[string]any) { delete(l, "correlating_ids") },
	} {
		if got := line(change); got.Unchanged != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestImportSigns: lines without ids that differ in a sign alone are entries of
// their own, in whatever order they come again.
func TestImportSigns(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	file := []string{`{"text":"The driver is written in C."}`, `{"text":"The driver is written in C++."}`, `{"text":"The driver is written in C#."}`}
	for round, want := range []memory.Imported{{Lines: 3, Stored: 3}, {Lines: 3, Unchanged: 3}, {Lines: 3, Unchanged: 3}} {
		got, err := service.Import(t.Context(), moothall.Person, strings.NewReader(strings.Join(file, "\n")), memory.ImportOptions{})
		if err != nil || got != want {
			t.Errorf("round %d: %+v, %v", round, got, err)
		}
		slices.Reverse(file)
	}
	if got := list(t, service.For(moothall.Person), moothall.MemoryList{}); len(got) != 3 {
		t.Errorf("%d entries, want 3: %+v", len(got), got)
	}
}

// TestImportSignsForgotten: a line is known by the id that it has, though the
// one that it had to be told apart from is forgotten.
func TestImportSignsForgotten(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	first, others := `{"text":"The freezer is set to -5 degrees."}`, `{"text":"The freezer is set to 5 degrees."}
{"text":"The freezer is set to +5 degrees."}`
	check := func(file string, want memory.Imported) {
		t.Helper()
		got, err := service.Import(t.Context(), moothall.Person, strings.NewReader(file), memory.ImportOptions{})
		if err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	check(first+"\n"+others, memory.Imported{Lines: 3, Stored: 3})
	for _, e := range list(t, m, moothall.MemoryList{}) {
		if !strings.Contains(e.Corpus, "-5") {
			continue
		}
		if _, err := m.Forget(t.Context(), ctxScope, e.ID); err != nil {
			t.Fatal(err)
		}
	}
	check(others, memory.Imported{Lines: 2, Unchanged: 2})
	check(others+"\n"+first, memory.Imported{Lines: 3, Stored: 1, Unchanged: 2})
	if got := list(t, m, moothall.MemoryList{}); len(got) != 3 {
		t.Errorf("%d entries, want 3: %+v", len(got), got)
	}
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]string{
		"no JSON": `hello`, "a list": `[1]`, "cut": `{"text":"a`, "no text": `{"id":"x"}`, "time": `{"text":"a","time":"soon"}`,
		"kind": `{"text":"a","kind":"dream"}`, "id": `{"text":"a","id":"a\u0000b"}`, "type": `{"text":7}`,
	} {
		service := openMemory(t)
		_, err := service.Import(t.Context(), moothall.Person, strings.NewReader(lines(3).String()+bad+"\n"+`{"text":"after"}`), memory.ImportOptions{})
		if moothall.ErrorCode(err) != moothall.CodeInvalid || !strings.Contains(fmt.Sprint(err), "line 4") || moothall.ErrorRemedy(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
		if s := stats(t, service); s.Entries != 3 {
			t.Errorf("%s: %d entries, want those before the line", name, s.Entries)
		}
	}
	service := openMemory(t)
	_, err := service.Import(t.Context(), moothall.Critic, lines(1), memory.ImportOptions{})
	wantCode(t, err, moothall.CodeDenied)
	ctx, cancel := context.WithCancel(t.Context())
	got, err := service.Import(ctx, moothall.Person, lines(2000), memory.ImportOptions{Progress: func(moothall.Progress) { cancel() }})
	wantCode(t, err, moothall.CodeCanceled)
	again, err := service.Import(t.Context(), moothall.Person, lines(2000), memory.ImportOptions{})
	if err != nil || again.Unchanged != got.Stored || again.Stored+again.Unchanged != 2000 {
		t.Errorf("gone on after the end of %+v: %+v, %v", got, again, err)
	}
}

// TestRoundTripAtTheLimits: what the memory itself adds to an entry does not
// make it one that cannot be imported.
func TestRoundTripAtTheLimits(t *testing.T) {
	t.Parallel()
	a := openMemory(t)
	m := a.For(moothall.Person)
	var tags []string
	for i := range 64 {
		tags = append(tags, fmt.Sprint("tag", i))
	}
	write(t, m, moothall.MemoryEntry{Corpus: "Ana eats meat on Sundays.", Tags: tags})
	write(t, m, moothall.MemoryEntry{Corpus: "Ana never eats meat on Sundays.", Tags: tags})
	write(t, m, moothall.MemoryEntry{Corpus: "A page from far away.", Source: strings.Repeat("x", 2000), Trust: moothall.TrustExternal})
	if stats(t, a).Contested != 1 {
		t.Error("nothing is contested")
	}
	var file bytes.Buffer
	_, err := a.Export(t.Context(), moothall.Person, &file, nil)
	wantCode(t, err, "")
	got, err := openMemory(t).Import(t.Context(), moothall.Person, &file, memory.ImportOptions{})
	if err != nil || got.Stored != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestImportTrust: a line is trusted no more than what it was made from,
// wherever that stands, and is freed of orders where that came from outside.
func TestImportTrust(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	write(t, m, moothall.MemoryEntry{ID: "page", Corpus: "The ferry leaves at noon.", Trust: moothall.TrustExternal})
	file := `{"id":"second","text":"So it leaves at 12.","from":["first"]}
{"id":"first","text":"` + planted + `","from":["page","own"],"trust":"person"}
{"id":"own","text":"I go by ferry."}
{"id":"mine","text":"I bought a ticket.","from":["own","nobody"]}
`
	for _, stored := range []int64{4, 0} {
		got, err := service.Import(t.Context(), moothall.Person, strings.NewReader(file), memory.ImportOptions{})
		if err != nil || got.Stored != stored {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	for id, want := range map[moothall.MemoryID]moothall.Trust{
		"first": moothall.TrustExternal, "second": moothall.TrustExternal, "own": moothall.TrustPerson, "mine": moothall.TrustPerson,
	} {
		got := list(t, m, moothall.MemoryList{IDs: []moothall.MemoryID{id}})
		if len(got) != 1 || got[0].Trust != want {
			t.Fatalf("%s is trusted other than %s: %+v", id, want, got)
		}
		if want == moothall.TrustExternal {
			outside(t, string(id), &got[0])
		}
	}
}
