package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/moottest"
)

// seeds is how many random graphs are tried.
func seeds() uint64 {
	if moottest.Race {
		return 2
	}
	return 12
}

// randomFacts are about few people and towns, so that they get in each
// other's way.
func randomFacts(r *rand.Rand, n int) []moothall.GraphFact {
	people := []string{"Ana", "Bo", "Cy", "Ana Sousa"}
	objects := append([]string{"Porto", "Faro", "36"}, people...)
	relations := []string{"lives in", "knows", "age", "likes"}
	trusts := []moothall.Trust{moothall.TrustExternal, moothall.TrustModel, moothall.TrustPerson}
	out := make([]moothall.GraphFact, n)
	for i := range out {
		f := moothall.GraphFact{
			Subject: people[r.IntN(len(people))], Relation: relations[r.IntN(len(relations))], Object: objects[r.IntN(len(objects))],
			Observed: at(2000 + r.IntN(20)), Confidence: float64(1+r.IntN(10)) / 10, Trust: trusts[r.IntN(3)],
			Source: moothall.MemoryID(fmt.Sprint("m-", r.IntN(5))),
		}
		if r.IntN(3) == 0 {
			f.From = at(1990 + r.IntN(30))
		}
		if r.IntN(5) == 0 {
			f.To = at(2021 + r.IntN(3))
		}
		out[i] = f
	}
	return out
}

// exported is the graph as JSON, and the set of what its facts say.
func exported(t *testing.T, g *graph.Service) (string, map[string]bool) {
	t.Helper()
	var text bytes.Buffer
	wantCode(t, g.Export(t.Context(), &text, graph.JSON), "")
	var doc struct{ Facts []moothall.GraphFact }
	if err := json.Unmarshal(text.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, f := range doc.Facts {
		set[strings.Join([]string{f.Subject, f.Relation, f.Object, string(f.Trust)}, "|")] = true
	}
	return text.String(), set
}

func TestMergeKeepsEveryFactAndCanBeUndone(t *testing.T) {
	t.Parallel()
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 2))
		g := newGraph(t, nil)
		for _, f := range randomFacts(r, 25) {
			assert(t, g, f)
		}
		for _, name := range []string{"Ana", "Ana Sousa"} {
			if _, err := g.Describe(t.Context(), moothall.Scope{}, name, graph.Person); err != nil {
				t.Fatal(err)
			}
		}
		before, facts := exported(t, g)
		wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Ana", Merge: "Ana Sousa"}), "")
		_, merged := exported(t, g)
		for f := range facts {
			if !merged[strings.ReplaceAll(f, "Ana Sousa", "Ana")] {
				t.Errorf("seed %d: %s is lost", seed, f)
			}
		}
		list, err := g.Merges(t.Context())
		wantCode(t, err, "")
		wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[0].ID), "")
		if after, _ := exported(t, g); after != before {
			t.Errorf("seed %d: undone it is\n%s\nbefore it was\n%s", seed, after, before)
		}
	}
}

func TestForgettingIsAsIfNeverSaid(t *testing.T) {
	t.Parallel()
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 3))
		all := randomFacts(r, 30)
		g, without := newGraph(t, nil), newGraph(t, nil)
		for _, f := range all {
			assert(t, g, f)
			if f.Source != "m-2" {
				assert(t, without, f)
			}
		}
		if _, err := g.Forget(t.Context(), moothall.Scope{}, "m-2"); err != nil {
			t.Fatal(err)
		}
		if got, want := plain(t, g), plain(t, without); !slices.Equal(got, want) {
			t.Errorf("seed %d: left\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// plain is every fact without its id, sorted.
func plain(t *testing.T, g *graph.Service) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"Ana", "Bo", "Cy", "Ana Sousa", "Porto", "Faro", "36"} {
		facts, err := g.History(t.Context(), name)
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			continue
		}
		wantCode(t, err, "")
		for _, f := range facts {
			f.ID = ""
			out = append(out, fmt.Sprintf("%+v", f))
		}
	}
	slices.Sort(out)
	return out
}
