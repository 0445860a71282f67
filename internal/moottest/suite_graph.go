package moottest

import (
	"testing"
	"time"

	"moothall"
)

func lives(t *testing.T, m moothall.Memory, who, where string, from time.Time) moothall.GraphFact {
	t.Helper()
	f, err := m.Assert(t.Context(), scope(), moothall.GraphFact{
		Subject: who, Relation: "lives in", Object: where, From: from, Observed: from, Confidence: 0.9, Trust: moothall.TrustPerson,
	})
	wantCode(t, err, "")
	if f.ID == "" {
		t.Fatal("a fact without id")
	}
	return f
}

func graphTime(t *testing.T, m moothall.Memory) {
	moved := time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)
	lives(t, m, "Ada", "Piran", moved.AddDate(-10, 0, 0))
	lives(t, m, "Ada", "Graz", moved)
	for name, c := range map[string]struct {
		q    moothall.GraphQuery
		want []string
	}{
		"now":     {moothall.GraphQuery{Scope: scope(), People: []string{"Ada"}}, []string{"Graz"}},
		"then":    {moothall.GraphQuery{People: []string{"Ada"}, At: moved.AddDate(-1, 0, 0)}, []string{"Piran"}},
		"history": {moothall.GraphQuery{People: []string{"Ada"}, History: true}, []string{"Piran", "Graz"}},
		"nobody":  {moothall.GraphQuery{People: []string{"Zeno"}}, nil},
	} {
		got := must(t, m.Graph(t.Context(), c.q))
		objects := map[string]bool{}
		for _, f := range got {
			objects[f.Object] = true
			if f.Object == "Piran" && !f.To.Equal(moved) {
				t.Errorf("%s: the old fact ends %v, want %v", name, f.To, moved)
			}
			if f.Object == "Graz" && !f.To.IsZero() {
				t.Errorf("%s: the new fact has an end", name)
			}
		}
		for _, w := range c.want {
			if !objects[w] {
				t.Errorf("%s: %s is missing", name, w)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d facts, want %d", name, len(got), len(c.want))
		}
	}
}

func graphMerge(t *testing.T, m moothall.Memory) {
	lives(t, m, "A. Lovelace", "London", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	lives(t, m, "Ada Lovelace", "London", time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC))
	wantCode(t, m.Merge(t.Context(), moothall.GraphMerge{Scope: scope(), Keep: "Ada Lovelace", Merge: "A. Lovelace"}), "")
	for _, f := range must(t, m.Graph(t.Context(), moothall.GraphQuery{Locations: []string{"London"}, History: true})) {
		if f.Subject != "Ada Lovelace" {
			t.Errorf("a fact about %s is left", f.Subject)
		}
	}
	wantCode(t, m.Merge(t.Context(), moothall.GraphMerge{Keep: "Ada Lovelace", Merge: "nobody at all"}), moothall.CodeNotFound)
}

func graphInvalid(t *testing.T, m moothall.Memory) {
	_, err := m.Assert(t.Context(), scope(), moothall.GraphFact{Subject: "Ada", Relation: "likes"})
	wantCode(t, err, moothall.CodeInvalid)
}

func graphBreak(t *testing.T, m moothall.Memory) {
	from := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	lives(t, m, "Ada", "Piran", from)
	lives(t, m, "Ben", "Piran", from)
	breakAfterOne(t, m.Graph(t.Context(), moothall.GraphQuery{Locations: []string{"Piran"}}))
	lives(t, m, "Cleo", "Piran", from)
}
