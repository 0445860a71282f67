// Package enginetest is the contract suite of memory engines. Every engine
// runs it on its own tests; it is never part of the program.
package enginetest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/memory"
)

// Test checks an engine. Open returns an empty one.
func Test(t *testing.T, open func(t *testing.T) memory.Engine) {
	for name, test := range map[string]func(*testing.T, memory.Engine){
		"records come back":       roundTrip,
		"places are never reused": places,
		"same id replaces":        replace,
		"deleted and put again":   again,
		"lists and pages":         lists,
		"candidates":              candidates,
		"once":                    once,
		"all or nothing":          atomic,
		"turns and notes":         turns,
		"derived entries":         derived,
		"held notes":              held,
		"held notes are bounded":  heldMost,
		"words":                   words,
		"words are no syntax":     syntax,
		"vectors":                 vectors,
		"state and version":       state,
		"heads":                   heads,
		"canceled":                canceled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func record(id string) *memory.Record {
	return &memory.Record{
		Entry: moothall.MemoryEntry{
			ID: moothall.MemoryID(id), Kind: moothall.Fact, Name: "name of " + id, Description: "about " + id, Corpus: "text of " + id,
			Created: noon, Source: "suite", Trust: moothall.TrustPerson,
		},
		Print: 1<<63 + 5,
		Text:  memory.Text{Name: "name " + id, Corpus: "text " + id},
	}
}

func apply(t *testing.T, e memory.Engine, c memory.Change) {
	t.Helper()
	if done, err := e.Apply(t.Context(), &c); err != nil || !done {
		t.Fatalf("apply: %v, %v", done, err)
	}
}

func put(t *testing.T, e memory.Engine, list ...*memory.Record) {
	t.Helper()
	apply(t, e, memory.Change{Put: list})
}

func get(t *testing.T, e memory.Engine, ids ...moothall.MemoryID) []memory.Record {
	t.Helper()
	out, err := e.Get(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func all[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func ids(list []memory.Record) []string {
	out := []string{}
	for _, r := range list {
		out = append(out, string(r.Entry.ID))
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (want -, got +):\n%s", what, d)
	}
}

func roundTrip(t *testing.T, e memory.Engine) {
	score := 0.5
	r := record("a")
	r.From, r.Whole, r.Merged = []moothall.MemoryID{"x", "y"}, "w", 3
	r.Entry.Tags, r.Entry.Correlates = []string{"one", "täg \"2\""}, []moothall.MemoryID{"z"}
	r.Entry.Thread, r.Entry.Place, r.Entry.Speaker, r.Entry.Accesses = "th", -7, "Ada", 9
	r.Entry.Accessed = noon.Add(time.Hour)
	r.Entry.Corpus = "all\x00 of it \u202e ' \" ;--"
	r.Entry.Turn = &moothall.TurnNotes{Session: "s", Query: "q", Question: "why", Answer: "so", Respondent: "A", Score: &score, Entities: []string{"E"}}
	put(t, e, r)
	if r.N == 0 {
		t.Fatal("no place was set")
	}
	want := *r
	want.Text, want.Vectors = memory.Text{}, nil
	same(t, "by id", get(t, e, "a"), []memory.Record{want})
	at, err := e.At(t.Context(), []uint64{r.N, 999, r.N}, true)
	if err != nil || len(at) != 2 {
		t.Fatalf("by place: %d records, %v", len(at), err)
	}
	same(t, "by place", at[0], want)
	light, err := e.At(t.Context(), []uint64{r.N}, false)
	if err != nil || len(light) != 1 || light[0].Entry.Corpus != "" || light[0].Entry.Name != want.Entry.Name {
		t.Errorf("without corpus: %+v, %v", light, err)
	}
	same(t, "scan", all(t, e.Scan(t.Context(), 0)), []memory.Record{want})
	same(t, "scan from the end", len(all(t, e.Scan(t.Context(), r.N))), 0)
}

func places(t *testing.T, e memory.Engine) {
	a, b := record("a"), record("b")
	put(t, e, a, b)
	apply(t, e, memory.Change{Delete: []moothall.MemoryID{"b", "nobody"}})
	c := record("c")
	put(t, e, c)
	if a.N >= b.N || b.N >= c.N {
		t.Errorf("places %d, %d, %d do not rise", a.N, b.N, c.N)
	}
	same(t, "what is left", ids(get(t, e, "c", "b", "a")), []string{"c", "a"})
}

func replace(t *testing.T, e memory.Engine) {
	a := record("a")
	a.Entry.Tags = []string{"old"}
	a.Vectors = []memory.Vectors{vector(0, "m", 1)}
	put(t, e, a)
	again := record("a")
	again.Entry.Corpus, again.Text.Corpus, again.Entry.Tags = "other words", "other words", []string{"new"}
	put(t, e, again)
	if again.N != a.N {
		t.Errorf("the place changed from %d to %d", a.N, again.N)
	}
	for tag, want := range map[string]int{"old": 0, "new": 1} {
		same(t, "tag "+tag, len(all(t, e.List(t.Context(), moothall.MemoryList{Tags: []string{tag}}))), want)
	}
	same(t, "old words", found(t, e, "text"), []uint64(nil))
	same(t, "new words", found(t, e, "other"), []uint64{a.N})
	same(t, "vectors of the old text", len(all(t, e.Vectors(t.Context(), "m"))), 0)
}

// again is what writing a long text anew does to its parts: each goes, and
// another with its id comes in its place, in one change.
func again(t *testing.T, e memory.Engine) {
	var old, parts []*memory.Record
	var names []moothall.MemoryID
	for i := range 16 {
		id := fmt.Sprint("whole#", i)
		names = append(names, moothall.MemoryID(id))
		old, parts = append(old, record(id)), append(parts, record(id))
		old[i].Whole, parts[i].Whole = "whole", "whole"
		parts[i].Text.Corpus = "fresh words"
	}
	put(t, e, append(old, record("whole"))...)
	apply(t, e, memory.Change{Delete: names, Put: parts})
	same(t, "parts", len(get(t, e, names...)), len(parts))
	same(t, "old words", found(t, e, "text"), []uint64{old[15].N + 1})
	same(t, "new words", len(found(t, e, "fresh")), 16)
	gone, err := e.Derived(t.Context(), []moothall.MemoryID{"whole"})
	if err != nil || len(gone) != 17 {
		t.Errorf("%d entries are the whole and its parts, want 17: %v", len(gone), err)
	}
	apply(t, e, memory.Change{Delete: gone})
	same(t, "what is left", len(all(t, e.Scan(t.Context(), 0))), 0)
}

func lists(t *testing.T, e memory.Engine) {
	for i := range 6 {
		r := record(fmt.Sprintf("e%d", i))
		r.Entry.Created = noon.Add(time.Duration(i/2) * time.Minute) // pairs of one age
		if i%2 == 0 {
			r.Entry.Kind, r.Entry.Tags = moothall.Document, []string{"even", "all"}
		}
		if i == 5 {
			r.Entry.Turn = &moothall.TurnNotes{Session: "s", Query: "q"}
		}
		put(t, e, r)
	}
	for name, c := range map[string]struct {
		l    moothall.MemoryList
		want []string
	}{
		"all":     {moothall.MemoryList{}, []string{"e5", "e4", "e3", "e2", "e1", "e0"}},
		"limit":   {moothall.MemoryList{Limit: 2}, []string{"e5", "e4"}},
		"page":    {moothall.MemoryList{Limit: 2, Before: "e4"}, []string{"e3", "e2"}},
		"kinds":   {moothall.MemoryList{Kinds: []moothall.MemoryKind{moothall.Document}}, []string{"e4", "e2", "e0"}},
		"tags":    {moothall.MemoryList{Tags: []string{"all", "even"}, Limit: 1}, []string{"e4"}},
		"no tag":  {moothall.MemoryList{Tags: []string{"even", "odd"}}, []string{}},
		"ids":     {moothall.MemoryList{IDs: []moothall.MemoryID{"e1", "zz", "e3"}}, []string{"e3", "e1"}},
		"session": {moothall.MemoryList{Session: "s"}, []string{"e5"}},
		"gone":    {moothall.MemoryList{Before: "nobody"}, []string{}},
	} {
		same(t, name, ids(all(t, e.List(t.Context(), c.l))), c.want)
	}
	for range e.List(t.Context(), moothall.MemoryList{}) {
		break // must not hold anything
	}
	put(t, e, record("after"))
}

func candidates(t *testing.T, e memory.Engine) {
	r := record("a")
	r.Proposed, r.Text = true, memory.Text{}
	put(t, e, r, record("b"))
	same(t, "entries", ids(all(t, e.List(t.Context(), moothall.MemoryList{}))), []string{"b"})
	same(t, "candidates", ids(all(t, e.List(t.Context(), moothall.MemoryList{Proposed: true}))), []string{"a"})
	n, c, err := e.Count(t.Context())
	if err != nil || n != 1 || c != 1 {
		t.Errorf("counted %d and %d, %v", n, c, err)
	}
	lacking, err := e.Lacking(t.Context(), "m", 0, 10)
	if err != nil || len(lacking) != 1 {
		t.Errorf("%v lack vectors, %v; a candidate needs none", lacking, err)
	}
	r.Proposed = false
	put(t, e, r)
	same(t, "accepted", len(all(t, e.List(t.Context(), moothall.MemoryList{}))), 2)
}

func once(t *testing.T, e memory.Engine) {
	apply(t, e, memory.Change{Once: "x", Put: []*memory.Record{record("a")}})
	done, err := e.Apply(t.Context(), &memory.Change{Once: "x", Put: []*memory.Record{record("b")}})
	if err != nil || done {
		t.Errorf("the second time: %v, %v", done, err)
	}
	same(t, "records", ids(get(t, e, "a", "b")), []string{"a"})
}

func atomic(t *testing.T, e memory.Engine) {
	bad := record("bad")
	bad.Vectors = []memory.Vectors{{Embedder: "m", Name: []float32{1}}} // not of one length
	_, err := e.Apply(t.Context(), &memory.Change{Once: "x", Put: []*memory.Record{record("a"), bad}, State: map[string][]byte{"k": []byte("v")}})
	if err == nil {
		t.Fatal("vectors of different lengths were stored")
	}
	same(t, "records", len(get(t, e, "a", "bad")), 0)
	if v, err := e.State(t.Context(), "k"); v != nil || err != nil {
		t.Errorf("state %q, %v", v, err)
	}
	apply(t, e, memory.Change{Once: "x", Put: []*memory.Record{record("a")}})
}

func turns(t *testing.T, e memory.Engine) {
	for _, who := range []string{"A", "B"} {
		r := record("turn-" + who)
		r.Entry.Turn = &moothall.TurnNotes{Query: "q", Respondent: moothall.RespondentID(who)}
		put(t, e, r)
	}
	both, err := e.Turn(t.Context(), "q", "")
	if err != nil || len(both) != 2 {
		t.Fatalf("%d engrams, %v", len(both), err)
	}
	one, err := e.Turn(t.Context(), "q", "B")
	if err != nil || len(one) != 1 || one[0].Entry.ID != "turn-B" {
		t.Fatalf("got %v, %v", ids(one), err)
	}
	one[0].Entry.Turn.Feedback, one[0].Entry.Tags = "good", []string{"noted"}
	apply(t, e, memory.Change{Notes: []*memory.Record{&one[0]}})
	apply(t, e, memory.Change{Touch: []memory.Touch{{N: one[0].N, Count: 2, At: noon}, {N: one[0].N, Count: 1, At: noon.Add(-time.Hour)}}})
	got := get(t, e, "turn-B")[0]
	if got.Entry.Turn.Feedback != "good" || got.Entry.Accesses != 3 || !got.Entry.Accessed.Equal(noon) {
		t.Errorf("noted as %+v", got.Entry)
	}
	same(t, "its words stay", found(t, e, "text"), []uint64{both[0].N, both[1].N})
	same(t, "its tag is found", ids(all(t, e.List(t.Context(), moothall.MemoryList{Tags: []string{"noted"}}))), []string{"turn-B"})
	if none, err := e.Turn(t.Context(), "", ""); err != nil || len(none) != 0 {
		t.Errorf("no query: %v, %v", ids(none), err)
	}
}

func derived(t *testing.T, e memory.Engine) {
	from := func(id string, sources ...moothall.MemoryID) *memory.Record {
		r := record(id)
		r.From = sources
		return r
	}
	part := record("part")
	part.Whole = "b"
	put(t, e, from("a", "c"), from("b", "a"), from("c", "b"), part, from("other")) // a cycle, too
	got, err := e.Derived(t.Context(), []moothall.MemoryID{"a"})
	slices.Sort(got)
	if want := []moothall.MemoryID{"a", "b", "c", "part"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if none, err := e.Derived(t.Context(), []moothall.MemoryID{"nobody"}); err != nil || len(none) != 0 {
		t.Errorf("of nobody: %v, %v", none, err)
	}
}

func held(t *testing.T, e memory.Engine) {
	score := 1.0
	h := memory.Held{Event: "e1", Query: "q", Respondent: "A", Notes: moothall.TurnNotes{Score: &score}}
	apply(t, e, memory.Change{Hold: []memory.Held{h, h, {Event: "e2", Query: "q", Notes: moothall.TurnNotes{Question: "why"}}}})
	got, err := e.Held(t.Context(), "q")
	if err != nil || len(got) != 2 {
		t.Fatalf("%d are held, %v", len(got), err)
	}
	same(t, "held", got[0], h)
	apply(t, e, memory.Change{Hold: []memory.Held{{Event: "e3", Query: "other"}}})
	every, err := e.Held(t.Context(), "")
	if err != nil || len(every) != 3 || every[2].Query != "other" {
		t.Errorf("of all turns %+v are held, %v", every, err)
	}
	apply(t, e, memory.Change{Release: []moothall.QueryID{"q"}})
	if got, err := e.Held(t.Context(), "q"); err != nil || len(got) != 0 {
		t.Errorf("%d are still held, %v", len(got), err)
	}
}

// heldMost: what has waited longest goes, whoever it waits for.
func heldMost(t *testing.T, e memory.Engine) {
	for i := range 6 {
		id := strconv.Itoa(i)
		apply(t, e, memory.Change{
			HoldMost: 3,
			Hold:     []memory.Held{{Event: moothall.EventID("e" + id), Query: moothall.QueryID("q" + id)}},
		})
	}
	for i := range 6 {
		got, err := e.Held(t.Context(), moothall.QueryID("q"+strconv.Itoa(i)))
		if want := i >= 3; err != nil || (len(got) == 1) != want {
			t.Errorf("note %d: %d are held, %v; want it kept: %v", i, len(got), err, want)
		}
	}
	apply(t, e, memory.Change{Hold: []memory.Held{{Event: "more", Query: "q"}}})
	if got, err := e.Held(t.Context(), "q3"); err != nil || len(got) != 1 {
		t.Errorf("without a limit %d of an older turn are held, %v", len(got), err)
	}
}

func state(t *testing.T, e memory.Engine) {
	apply(t, e, memory.Change{State: map[string][]byte{"k": {0, 1, 2}}})
	v, err := e.State(t.Context(), "k")
	if err != nil || !slices.Equal(v, []byte{0, 1, 2}) {
		t.Errorf("state %v, %v", v, err)
	}
	apply(t, e, memory.Change{State: map[string][]byte{"k": nil}})
	if v, err := e.State(t.Context(), "k"); v != nil || err != nil {
		t.Errorf("deleted state %v, %v", v, err)
	}
	version := func() uint64 {
		v, err := e.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	r := record("a")
	steps := []memory.Change{{Put: []*memory.Record{r}}, {Vectors: []memory.Vectors{vector(1, "m", 1)}}, {Delete: []moothall.MemoryID{"a"}}}
	for i, c := range steps {
		before := version()
		if i == 1 {
			c.Vectors[0].N = r.N
		}
		apply(t, e, c)
		if version() == before {
			t.Errorf("step %d did not change the version", i)
		}
	}
}

func heads(t *testing.T, e memory.Engine) {
	score, reward := 0.5, -1.0
	r := record("a")
	r.Entry.Thread, r.Entry.Place, r.Entry.Tags, r.Whole = "th", 4, []string{"x"}, "w"
	r.Entry.Turn = &moothall.TurnNotes{Score: &score, Reward: &reward, Respondent: "B", Winner: "A"}
	p := record("p")
	p.Proposed = true
	put(t, e, r, p)
	same(t, "heads", all(t, e.Heads(t.Context())), []memory.Head{{
		N: r.N, Kind: moothall.Fact, Trust: moothall.TrustPerson, Created: noon, Source: r.Entry.Source, Thread: "th", Place: 4, Tags: []string{"x"},
		Score: &score, Reward: &reward, Part: true, Unseen: true, Print: r.Print,
	}})
}

func canceled(t *testing.T, e memory.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Apply(ctx, &memory.Change{Put: []*memory.Record{record("a")}}); moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("apply: %v", err)
	}
	for _, err := range e.List(ctx, moothall.MemoryList{}) {
		if moothall.ErrorCode(err) != moothall.CodeCanceled {
			t.Errorf("list: %v", err)
		}
	}
	same(t, "records", len(get(t, e, "a")), 0)
}
