package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/moottest"
)

func event(t testing.TB, s moothall.Subject, query moothall.QueryID, payload any) moothall.Event {
	t.Helper()
	e, err := moothall.NewEvent(s, payload)
	if err != nil {
		t.Fatal(err)
	}
	e.Session, e.Query, e.Respondent = "s-1", query, "A"
	return e
}

func answer(query moothall.QueryID, text string) moothall.Answer {
	return moothall.Answer{Query: query, Session: "s-1", Respondent: "A", Text: text}
}

// turnEvents are everything that is told about one turn.
func turnEvents(t testing.TB) []moothall.Event {
	return []moothall.Event{
		event(t, moothall.SubjectQueryReceived, "q-1", map[string]any{"query": "My sister Ana lives in Lisbon. What is the weather there?"}),
		event(t, moothall.SubjectResponseGeneration, "q-1", answer("q-1", "It is sunny by the Tagus today.")),
		event(t, moothall.SubjectCritiqueResult, "q-1", map[string]any{"score": 4, "feedback": "brief"}),
		event(t, moothall.SubjectPairwiseResult, "q-1", map[string]any{"winner": "A"}),
		event(t, moothall.SubjectRewardEvent, "q-1", map[string]any{"reward": 1.0}),
		event(t, moothall.SubjectUserFeedback, "q-1", moothall.Feedback{Query: "q-1", Thumbs: 1}),
	}
}

// TestIngest hands the events of a turn over in many orders, each twice.
func TestIngest(t *testing.T) {
	t.Parallel()
	base := turnEvents(t)
	for shift := range base {
		for _, back := range []bool{false, true} {
			events := slices.Concat(base[shift:], base[:shift])
			if back {
				slices.Reverse(events)
			}
			h := &heard{}
			service := openMemory(t, func(o *memory.Options) { o.Publish = h.publish })
			for _, e := range slices.Concat(events, events) {
				if err := service.Ingest(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			m := service.For(moothall.Person)
			got := list(t, m, moothall.MemoryList{Session: "s-1"})
			if len(got) != 1 || got[0].Turn == nil || got[0].Kind != moothall.Engram || got[0].Trust != moothall.TrustModel {
				t.Fatalf("order %d %v: engrams %+v", shift, back, got)
			}
			n := got[0].Turn
			if !strings.Contains(n.Question, "Ana") || n.Score == nil || *n.Score != 4 || n.Feedback != "brief" || n.Winner != "A" || n.Reward == nil || n.Sentiment != "positive" {
				t.Errorf("order %d %v: %+v", shift, back, n)
			}
			if !strings.Contains(got[0].Corpus, "Lisbon") || !strings.Contains(got[0].Corpus, "Tagus") {
				t.Errorf("order %d %v: text %q", shift, back, got[0].Corpus)
			}
			if r := recall(t, m, moothall.MemoryQuery{Text: "where does Ana live", Mode: memory.ModeFused}); len(r) != 1 {
				t.Errorf("order %d %v: recalled %v", shift, back, results(r))
			}
			if s := h.subjects(); !slices.Equal(s[:1], []moothall.Subject{moothall.SubjectMemoryEngram}) || len(s) != 2 {
				t.Errorf("order %d %v: published %v", shift, back, s)
			}
		}
	}
}

func TestIngestTwoRespondents(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	events := []moothall.Event{
		event(t, moothall.SubjectPairwiseResult, "q", map[string]any{"winner": "B"}),
		event(t, moothall.SubjectResponseGeneration, "q", answer("q", "One answer to it.")),
		event(t, moothall.SubjectResponseGeneration, "q", moothall.Answer{Query: "q", Session: "s-1", Respondent: "B", Text: "Another answer to it."}),
		event(t, moothall.SubjectCritiqueResult, "q", map[string]any{"respondent_id": "B", "score": 5}),
	}
	for _, e := range events {
		if err := service.Ingest(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	got := list(t, service.For(moothall.Person), moothall.MemoryList{})
	if len(got) != 2 {
		t.Fatalf("%d engrams, want two", len(got))
	}
	for _, e := range got {
		if e.Turn.Winner != "B" || (e.Turn.Score != nil) != (e.Turn.Respondent == "B") {
			t.Errorf("%+v", e.Turn)
		}
	}
}

func TestIngestTrust(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	web := write(t, m, moothall.MemoryEntry{Name: "ferry", Corpus: "The ferry to Hvar leaves at seven in the morning.", Trust: moothall.TrustExternal})
	a := answer("q-1", "The ferry to Hvar leaves at seven in the morning. Shall I wake you at six?")
	a.Recalls = []moothall.Recall{{Entry: &web, Segment: web.Corpus}}
	if err := service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q-1", a)); err != nil {
		t.Fatal(err)
	}
	b := answer("q-2", "The page says that it rains.")
	b.Receipt.Labels = moothall.Untrusted
	if err := service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q-2", b)); err != nil {
		t.Fatal(err)
	}
	for _, e := range list(t, m, moothall.MemoryList{Session: "s-1"}) {
		outside(t, string(e.Turn.Query), &e)
		if e.Turn.Query == "q-1" && (strings.Contains(e.Corpus, "Hvar") || !strings.Contains(e.Corpus, "wake you")) {
			t.Errorf("recalled text was stored again: %q", e.Corpus)
		}
	}
	gone, err := m.Forget(t.Context(), ctxScope, web.ID)
	wantCode(t, err, "")
	if len(gone) != 2 {
		t.Errorf("forgot %v: what was answered from it stays", gone)
	}
}

// factGraph notes what is asserted.
type factGraph struct {
	fakeGraph
	facts []moothall.GraphFact
	asked []moothall.GraphQuery
}

func (g *factGraph) Assert(_ context.Context, _ moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	g.facts = append(g.facts, f)
	return f, nil
}

func (g *factGraph) Graph(_ context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	g.asked = append(g.asked, q)
	return func(func(moothall.GraphFact, error) bool) {}
}

func TestIngestByModel(t *testing.T) {
	t.Parallel()
	reply, err := json.Marshal(map[string]any{
		"intent": "statement", "entities": []string{"Ana", "Lisbon"}, "summary": "Ana lives in Lisbon.",
		"relations": []map[string]string{{"subject": "Ana", "relation": "lives in", "object": "Lisbon"}, {"subject": "The user", "relation": "likes", "object": "tea"}, {"subject": "Ana", "relation": "is a", "object": "person"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g := &factGraph{}
	model := moottest.NewGateway(moottest.Reply{Text: string(reply)})
	service := openMemory(t, func(o *memory.Options) { o.Model, o.Graph = model, g })
	for _, e := range turnEvents(t)[:2] {
		if err := service.Ingest(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	got := list(t, service.For(moothall.Person), moothall.MemoryList{})
	if len(got) != 1 || got[0].Turn.Intent != "statement" || !slices.Equal(got[0].Turn.Entities, []string{"Ana", "Lisbon"}) || got[0].Description != "Ana lives in Lisbon." {
		t.Fatalf("%+v", got)
	}
	if len(g.facts) != 3 || g.facts[1].Subject != "speaker" || g.facts[2].Object != "person" || g.facts[0].Source != got[0].ID || g.facts[0].Trust != moothall.TrustModel {
		t.Errorf("facts %+v", g.facts)
	}
	for _, err := range service.For(moothall.Person).Graph(t.Context(), moothall.GraphQuery{People: []string{"me", "Ana", "I"}}) {
		t.Error(err)
	}
	if len(g.asked) != 1 || !slices.Equal(g.asked[0].People, []string{"me", "Ana", "I", "speaker"}) {
		t.Errorf("who speaks is not asked about: %+v", g.asked)
	}
	if r := model.Requests(); len(r) != 1 || r[0].Priority != moothall.PriorityBackground || r[0].Schema == nil {
		t.Errorf("asked %+v", r)
	}
}

func TestIngestRefuses(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	bad := event(t, moothall.SubjectResponseGeneration, "q", answer("q", "x"))
	bad.Payload = json.RawMessage(`[1]`)
	wantCode(t, service.Ingest(t.Context(), bad), moothall.CodeInvalid)
	nobody := event(t, moothall.SubjectCritiqueResult, "", map[string]any{"score": 1})
	wantCode(t, service.Ingest(t.Context(), nobody), moothall.CodeInvalid)
	wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectHallState, "", map[string]any{})), "")
	wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q", answer("q", " "))), "")
	if s := stats(t, service); s.Entries != 0 {
		t.Errorf("%d entries", s.Entries)
	}
}

// held returns the turns that notes wait for, each once.
func held(t testing.TB, h *home) (out []moothall.QueryID) {
	t.Helper()
	all, err := sqlite.New(h.db).Held(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		if !contains(out, n.Query) {
			out = append(out, n.Query)
		}
	}
	return out
}

// TestForgottenTurn: a question that came before its answer is not held any
// longer than the answers to it are remembered.
func TestForgottenTurn(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	ingest := func(events ...moothall.Event) {
		t.Helper()
		for _, e := range events {
			if err := h.mem.Ingest(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	question := func(q moothall.QueryID) moothall.Event {
		return event(t, moothall.SubjectQueryReceived, q, map[string]any{"query": "My number at the bank is 4711."})
	}
	second := answer("q", "And so shall I.")
	second.Respondent = "B"
	ingest(question("q"), question("failed"), event(t, moothall.SubjectResponseGeneration, "q", answer("q", "I shall remember it.")),
		event(t, moothall.SubjectResponseGeneration, "q", second))
	m := h.mem.For(moothall.Person)
	for i, e := range list(t, m, moothall.MemoryList{Session: "s-1"}) {
		if _, err := m.Forget(t.Context(), ctxScope, e.ID); err != nil {
			t.Fatal(err)
		}
		if got := held(t, h); contains(got, "q") != (i == 0) || !contains(got, "failed") {
			t.Errorf("%d of two answers are forgotten: notes of %v are held", i+1, got)
		}
	}
	late := event(t, moothall.SubjectCritiqueResult, "q", map[string]any{"score": 5, "feedback": "It is 4711 indeed."})
	ingest(late, question("kept"), event(t, moothall.SubjectResponseGeneration, "kept", answer("kept", "Yes.")))
	h.reopen()
	for i := range 64 {
		q := moothall.QueryID(fmt.Sprint("later-", i))
		ingest(event(t, moothall.SubjectResponseGeneration, q, answer(q, "Yes.")))
	}
	if got := held(t, h); len(got) != 0 {
		t.Errorf("a restart and many turns later notes of %v are held", got)
	}
}

// TestForgottenTurnComesAgain: the event of a turn that was forgotten since
// brings none of its facts back.
func TestForgottenTurnComesAgain(t *testing.T) {
	t.Parallel()
	g := &factGraph{}
	service := openMemory(t, func(o *memory.Options) { o.Graph = g })
	a := answer("q-1", "It is sunny by the Tagus today.")
	a.Question = "My sister Ana lives in Lisbon. What is the weather there?"
	e := event(t, moothall.SubjectResponseGeneration, "q-1", a)
	wantCode(t, service.Ingest(t.Context(), e), "")
	m := service.For(moothall.Person)
	got := list(t, m, moothall.MemoryList{})
	if len(got) != 1 || len(g.facts) == 0 {
		t.Fatalf("%d engrams, facts %+v", len(got), g.facts)
	}
	_, err := m.Forget(t.Context(), ctxScope, got[0].ID)
	wantCode(t, err, "")
	g.facts = nil
	wantCode(t, service.Ingest(t.Context(), e), "")
	if len(g.facts) > 0 || len(list(t, m, moothall.MemoryList{})) > 0 {
		t.Errorf("a forgotten turn came back: %+v", g.facts)
	}
}
