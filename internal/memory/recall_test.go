package memory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/moottest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// library writes a small corpus and returns the ids by name.
func library(t testing.TB, m moothall.Memory) map[string]moothall.MemoryID {
	t.Helper()
	out := map[string]moothall.MemoryID{}
	for _, e := range []moothall.MemoryEntry{
		{Name: "Ana's new flat in Lisbon", Description: "where Ana moved to in spring", Corpus: "Ana moved into a flat near the river in Lisbon in March."},
		{Name: "boat insurance", Description: "what the insurance of the boat costs", Corpus: "The insurance of the boat costs 410 euros a year and is due in May."},
		{Name: "sourdough bread", Description: "a recipe for bread", Corpus: "Flour, water and salt, eight hours at 24 degrees, then bake at 240."},
		{Name: "router password hint", Description: "how to find the password of the router", Corpus: "The password is on the sticker below the router in the hall."},
		{Name: "grandfather's watch", Description: "the watch that was repaired", Corpus: "The watch was repaired in Graz by a man named Huber for 90 euros.", Tags: []string{"family"}},
		{Name: "dentist", Description: "next appointment at the dentist", Corpus: "The dentist expects me on the fourth of June at nine.", Created: noon.AddDate(-1, 0, 0)},
	} {
		out[e.Name] = write(t, m, e).ID
	}
	return out
}

func TestStages(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	ids := library(t, m)
	got := recall(t, m, moothall.MemoryQuery{Text: "what does the insurance of the boat cost?", Stages: true, TopK: 4, Results: 2, Rerank: true})
	var stages []string
	for _, r := range got {
		if r.Entry == nil {
			stages = append(stages, r.Stage)
			if len(r.Candidates) == 0 || r.Candidates[0].ID != ids["boat insurance"] || r.Candidates[0].Name != "boat insurance" {
				t.Errorf("%s: %+v", r.Stage, r.Candidates)
			}
			if r.Stage == "names" && len(r.Candidates) != 4 {
				t.Errorf("%d names, want 4", len(r.Candidates))
			}
		}
	}
	if want := []string{"names", "descriptions", "corpus"}; !slices.Equal(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
	last := got[len(got)-2:]
	if last[0].Entry == nil || last[0].Entry.ID != ids["boat insurance"] || last[0].Stage != "corpus" || !strings.Contains(last[0].Segment, "410 euros") {
		t.Errorf("first result %+v", last[0])
	}
	if last[0].Entry.Corpus != "" {
		t.Error("the whole text left the service without being asked for")
	}
	if last[1].Score > last[0].Score {
		t.Error("results are not in order")
	}
}

// sinceGraph knows what has changed.
type sinceGraph struct {
	fakeGraph
	since map[moothall.MemoryID][]moothall.GraphFact
	err   error
}

func (g *sinceGraph) Since(context.Context, []moothall.MemoryID) (map[moothall.MemoryID][]moothall.GraphFact, error) {
	return g.since, g.err
}

// TestChangedSince gives what says how it is now before what says how it was,
// also where the graph learns that later than the answer is kept.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	g := &sinceGraph{since: map[moothall.MemoryID][]moothall.GraphFact{}}
	m := openMemory(t, func(o *memory.Options) { o.Graph = g }).For(moothall.Person)
	was := write(t, m, moothall.MemoryEntry{Name: "home", Corpus: "My home is in Leeds, that is where I live."}).ID
	is := write(t, m, moothall.MemoryEntry{Name: "York", Corpus: "I moved from Leeds to York last week."}).ID
	write(t, m, moothall.MemoryEntry{Name: "tea", Corpus: "I drink tea where I live."})
	q := moothall.MemoryQuery{Text: "where is my home, where do I live?"}
	before := recall(t, m, q)
	if got := results(before); len(got) != 3 || got[0] != was || before[0].Since != nil {
		t.Fatalf("without the graph: %+v", before)
	}
	g.since[was] = []moothall.GraphFact{{Subject: "speaker", Relation: "lives_in", Object: "York", Source: is}}
	after := recall(t, m, q)
	if got := results(after); len(got) != 3 || got[0] != is || got[1] != was || after[0].Since != nil || len(after[1].Since) != 1 || after[1].Since[0].Words() != "speaker lives in York" {
		t.Errorf("with it: %+v", after)
	}
	g.err = moothall.Fail(moothall.CodeUnavailable, "graph", "it is away")
	if got := recall(t, m, q); !slices.Equal(results(got), results(before)) {
		t.Errorf("without its word: %+v", got)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	ids := library(t, m)
	// Only the text tells of Huber: names do not.
	for mode, stage := range map[string]string{memory.ModeFused: "fused", memory.ModeAuto: "fused"} {
		got := recall(t, m, moothall.MemoryQuery{Text: "Huber", Mode: mode, Results: 1})
		if len(got) != 1 || got[0].Entry.ID != ids["grandfather's watch"] || got[0].Stage != stage {
			t.Errorf("%s: %+v", mode, got)
		}
	}
	got := recall(t, m, moothall.MemoryQuery{Text: "sourdough bread", Mode: memory.ModeAuto, Results: 1})
	if len(got) != 1 || got[0].Entry.ID != ids["sourdough bread"] || got[0].Stage != "corpus" {
		t.Errorf("a telling name: %+v", got)
	}
	for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: "x", Mode: "psychic"}) {
		wantCode(t, err, moothall.CodeInvalid)
	}
	for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: " \n"}) {
		wantCode(t, err, moothall.CodeInvalid)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	ids := library(t, m)
	engram := write(t, m, moothall.MemoryEntry{Kind: moothall.Engram, Name: "watch", Corpus: "Asked about the watch.", Trust: moothall.TrustModel})
	page := write(t, m, moothall.MemoryEntry{Name: "watch shop", Corpus: "A shop sells watches.", Source: "external: https://Shop.test/watches"})
	said := write(t, m, moothall.MemoryEntry{Name: "watch time", Corpus: "What time does the watch show?", Thread: "th", Place: 1})
	for name, c := range map[string]struct {
		q    moothall.MemoryQuery
		want []moothall.MemoryID
	}{
		"kind":   {moothall.MemoryQuery{Kinds: []moothall.MemoryKind{moothall.Engram}}, []moothall.MemoryID{engram.ID}},
		"tag":    {moothall.MemoryQuery{Tags: []string{"family"}}, []moothall.MemoryID{ids["grandfather's watch"]}},
		"thread": {moothall.MemoryQuery{Thread: "th"}, []moothall.MemoryID{said.ID}},
		"until":  {moothall.MemoryQuery{Until: noon.AddDate(0, -6, 0)}, []moothall.MemoryID{ids["dentist"]}},
		"source": {moothall.MemoryQuery{Source: "shop.TEST"}, []moothall.MemoryID{page.ID}},
		"both":   {moothall.MemoryQuery{Source: "shop.test", MinTrust: moothall.TrustModel}, nil},
		"none":   {moothall.MemoryQuery{Tags: []string{"family", "work"}}, nil},
	} {
		for _, mode := range []string{memory.ModeStaged, memory.ModeFused, memory.ModeAuto} {
			c.q.Text, c.q.Mode = "watch dentist time", mode
			if got := results(recall(t, m, c.q)); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: got %v, want %v", name, mode, got, c.want)
			}
		}
	}
	for _, r := range recall(t, m, moothall.MemoryQuery{Text: "watch", MinTrust: moothall.TrustPerson, Results: 20}) {
		if r.Entry.ID == engram.ID {
			t.Error("a model's word among what must be the person's")
		}
	}
	for _, r := range recall(t, m, moothall.MemoryQuery{Text: "dentist", Since: noon.AddDate(0, -6, 0), Results: 20}) {
		if r.Entry.ID == ids["dentist"] {
			t.Error("an entry from before the time asked for")
		}
	}
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	m := openMemory(t, func(o *memory.Options) { o.Now = func() time.Time { return noon } }).For(moothall.Person)
	turn := func(id string, score, reward float64) {
		e := moothall.MemoryEntry{
			ID: moothall.MemoryID(id), Kind: moothall.Engram, Name: "tides in Piran", Description: "tides", Corpus: "The tide in Piran is low at noon.",
			Created: noon.AddDate(0, -1, 0), Turn: &moothall.TurnNotes{Query: moothall.QueryID("q-" + id), Score: &score, Reward: &reward},
		}
		write(t, m, e)
	}
	turn("bad", 1, -1)
	turn("good", 5, 1)
	turn("fair", 3, 0)
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused} {
		got := results(recall(t, m, moothall.MemoryQuery{Text: "tides in Piran", Weigh: true, Mode: mode}))
		if mode == memory.ModeStaged && !slices.Equal(got, []moothall.MemoryID{"good", "fair", "bad"}) {
			t.Errorf("%s: %v", mode, got)
		}
		if got[0] != "good" {
			t.Errorf("%s: %v first", mode, got)
		}
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	filler := strings.Repeat("The weather was much like that of the day before. ", 50)
	e := write(t, m, moothall.MemoryEntry{
		Kind: moothall.Document, Name: "travel diary", Description: "diary of a journey", Corpus: filler + "The ferry to Hvar leaves at seven. " + filler,
	})
	q := moothall.MemoryQuery{Text: "when does the ferry to Hvar leave?", Mode: memory.ModeFused, Results: 5}
	got := recall(t, m, q)
	if len(got) == 0 || !strings.Contains(got[0].Segment, "ferry to Hvar") || len(got[0].Segment) > 1500 {
		t.Fatalf("segment %+v", got)
	}
	q.Whole = true
	for _, r := range recall(t, m, q) {
		if r.Entry.ID == e.ID && r.Segment != e.Corpus {
			t.Error("the whole text was asked for")
		}
	}
}

func TestModelExtracts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Nothing happened. ", 120) + "The key lies under the blue pot. " + strings.Repeat("Nothing happened. ", 20)
	for name, c := range map[string]struct {
		reply moottest.Reply
		has   string
		lacks string
	}{
		"quotes":   {moottest.Reply{Text: `{"quotes":["The key lies under the blue pot."]}`}, "blue pot", "Nothing"},
		"invented": {moottest.Reply{Text: `{"quotes":["Send the key to mallory."]}`}, "blue pot", "mallory"},
		"nonsense": {moottest.Reply{Text: `sorry`}, "blue pot", "sorry"},
		"down":     {moottest.Reply{Err: moothall.Fail(moothall.CodeUnavailable, "model", "gone")}, "blue pot", "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := openMemory(t, func(o *memory.Options) {
				o.Model, o.Limits.Part = moottest.NewGateway(c.reply), 1<<20
			}).For(moothall.Person)
			write(t, m, moothall.MemoryEntry{Name: "the key", Description: "where the key is", Corpus: long})
			got := recall(t, m, moothall.MemoryQuery{Text: "where is the key?", Results: 1})
			if len(got) != 1 || !strings.Contains(got[0].Segment, c.has) || strings.Contains(got[0].Segment, c.lacks) && name != "nonsense" {
				t.Errorf("segment %q", got[0].Segment)
			}
		})
	}
}

func TestAccessAndEvents(t *testing.T) {
	t.Parallel()
	h := &heard{}
	record := moottest.NewAudit()
	service := openMemory(t, func(o *memory.Options) {
		o.Publish, o.Audit = h.publish, record.For(moothall.MemoryKeeper)
	})
	m := service.For(moothall.Person)
	e := write(t, m, moothall.MemoryEntry{Name: "boat", Corpus: "The boat is red."})
	write(t, m, moothall.MemoryEntry{Kind: moothall.Engram, Name: "turn", Corpus: "A turn."})
	recall(t, m, moothall.MemoryQuery{Scope: ctxScope, Text: "boat"})
	if got := h.subjects(); !slices.Equal(got, []moothall.Subject{moothall.SubjectMemoryChanged, moothall.SubjectMemoryEngram, moothall.SubjectMemoryRecalled}) {
		t.Errorf("published %v", got)
	}
	var actions []moothall.AuditAction
	for _, r := range record.Records() {
		actions = append(actions, r.Entry.Action)
		if r.Entry.Relaxed != (r.Entry.Action == moothall.ActionMemoryRead) {
			t.Errorf("%s: relaxed %v", r.Entry.Action, r.Entry.Relaxed)
		}
	}
	if want := []moothall.AuditAction{moothall.ActionMemoryWrite, moothall.ActionMemoryWrite, moothall.ActionMemoryRead}; !slices.Equal(actions, want) {
		t.Errorf("on record: %v", actions)
	}
	if err := service.FlushTouches(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := list(t, m, moothall.MemoryList{IDs: []moothall.MemoryID{e.ID}})
	if len(got) != 1 || got[0].Accesses != 1 || got[0].Accessed.IsZero() {
		t.Errorf("accesses %+v", got)
	}
}

// TestChangesAreTold: whoever shows memories hears that they are others now, of
// any change and of nothing else, and of no words in them.
func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	h := &heard{}
	service := openMemory(t, func(o *memory.Options) { o.Publish = h.publish })
	m := service.For(moothall.Person)
	e := write(t, m, moothall.MemoryEntry{Name: "boat", Corpus: "The boat is red."})
	proposed, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "oar", Corpus: "The oar is long."}, Propose: true})
	if err != nil {
		t.Fatal(err)
	}
	list(t, m, moothall.MemoryList{})
	for i, change := range []func() error{
		func() error { return m.Review(t.Context(), ctxScope, proposed.ID, true) },
		func() error { _, err := m.Forget(t.Context(), ctxScope, e.ID); return err },
		func() error {
			_, err := service.Import(t.Context(), moothall.Person, strings.NewReader(`{"name":"sail","corpus":"The sail is torn."}`), memory.ImportOptions{})
			return err
		},
	} {
		if err := change(); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
	}
	if _, err := m.Forget(t.Context(), ctxScope, "none"); err == nil {
		t.Error("what is not there was forgotten")
	}
	if got := len(h.subjects()); got != 5 {
		t.Errorf("%d events of five changes: %v", got, h.subjects())
	}
	for _, e := range h.events {
		if e.Subject != moothall.SubjectMemoryChanged || string(e.Payload) != "{}" {
			t.Errorf("told was %s %s", e.Subject, e.Payload)
		}
	}
}

// TestRecordFirst checks that nothing is stored when the record refuses.
func TestRecordFirst(t *testing.T) {
	t.Parallel()
	record := moottest.NewAudit()
	m := openMemory(t, func(o *memory.Options) { o.Audit = record.For(moothall.MemoryKeeper) }).For(moothall.Person)
	e := write(t, m, moothall.MemoryEntry{Name: "kept", Corpus: "Kept."})
	record.Refuse(moothall.Fail(moothall.CodeExhausted, "append", "the disk is full"))
	_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "n", Corpus: "c"}})
	wantCode(t, err, moothall.CodeExhausted)
	_, err = m.Forget(t.Context(), ctxScope, e.ID)
	wantCode(t, err, moothall.CodeExhausted)
	record.Refuse(nil)
	if got := list(t, m, moothall.MemoryList{}); len(got) != 1 {
		t.Errorf("%d entries, want the first alone", len(got))
	}
}

// TestAutoWithTwoSpaces: while an entry lacks the gateway's vectors, names are
// still asked whether they tell anything.
func TestAutoWithTwoSpaces(t *testing.T) {
	t.Parallel()
	words := map[string][]float32{"harbour": {1, 0, 0}, "leaves": {0, 0, 1}}
	service := openMemory(t, func(o *memory.Options) {
		o.Embed, o.Mode, o.Cache.Entries = pointed([]float32{0, 1, 0}, words), memory.ModeAuto, -1
	})
	m := service.For(moothall.Person)
	write(t, m, moothall.MemoryEntry{Name: "note 1", Corpus: "The ferry leaves the quay at seven."})
	write(t, m, moothall.MemoryEntry{Name: "note 2", Corpus: "An unbearable text."})
	write(t, m, moothall.MemoryEntry{Name: "harbour", Corpus: "It is closed in winter."})
	if err := service.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"harbour": "corpus", "what leaves at seven": "fused"} {
		got := recall(t, m, moothall.MemoryQuery{Text: text, Kinds: []moothall.MemoryKind{moothall.Fact}})
		if len(got) == 0 || got[0].Stage != want {
			t.Errorf("%q: %+v, want stage %s", text, got, want)
		}
	}
}

// TestWeighBelowZero: praise helps also where the cosine is below 0.
func TestWeighBelowZero(t *testing.T) {
	t.Parallel()
	service := openMemory(t, func(o *memory.Options) {
		o.Embed = pointed([]float32{-0.5, 1}, map[string][]float32{"question": {1, 0}})
		o.Now = func() time.Time { return noon }
	})
	m := service.For(moothall.Person)
	good, bad := 1.0, -1.0
	for id, reward := range map[moothall.MemoryID]*float64{"a-blamed": &bad, "b-praised": &good} {
		write(t, m, moothall.MemoryEntry{ID: id, Kind: moothall.Engram, Name: "turn", Corpus: "said " + string(id), Turn: &moothall.TurnNotes{Reward: reward}})
	}
	if err := service.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := recall(t, m, moothall.MemoryQuery{Text: "question", Weigh: true})
	if len(got) != 2 || got[0].Entry.ID != "b-praised" {
		t.Errorf("%v", results(got))
	}
}

// TestAskedOften: a question that was asked many times comes back once, with its
// newest answer and after what the person said of it.
func TestAskedOften(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	const question = "Should I put lemon or honey on the list for my tea?"
	write(t, m, moothall.MemoryEntry{Kind: moothall.Engram, Name: "I drink my tea with honey and never with lemon", Corpus: "Asked: I drink my tea with honey and never with lemon\nAnswered: Noted.", Created: noon})
	for i := range 40 {
		age := time.Duration(i * 29 % 40) // in no order, so that the newest is among them
		write(t, m, moothall.MemoryEntry{Kind: moothall.Engram, Name: question, Corpus: fmt.Sprintf("Asked: %s\nAnswered: Honey, for the %d. time.", question, age), Created: noon.Add(age * time.Minute)})
	}
	for i, mode := range []string{memory.ModeStaged, memory.ModeFused} {
		got := recall(t, m, moothall.MemoryQuery{Text: question[len("Should I ")*i:], Mode: mode, Whole: true})
		var all string
		for _, r := range got {
			all += r.Segment + "\n"
		}
		if len(got) != 2 || !strings.Contains(got[0].Segment, "never with lemon") || !strings.Contains(all, "for the 39. time") {
			t.Errorf("%s finds %d:\n%s", mode, len(got), all)
		}
	}
}
