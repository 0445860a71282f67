package graph_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/graphtest"
	"moothall/internal/moottest"
)

// joined is a memory whose graph is ours, as the daemon joins them.
type joined struct {
	*moottest.FakeMemory
	g *graph.Service
}

func (j joined) Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return j.g.Graph(ctx, q)
}

func (j joined) Assert(ctx context.Context, s moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	return j.g.Assert(ctx, s, f)
}

func (j joined) Merge(ctx context.Context, m moothall.GraphMerge) error { return j.g.Merge(ctx, m) }

func TestMemoryContract(t *testing.T) {
	t.Parallel()
	moottest.TestMemory(t, func(t *testing.T) moothall.Memory {
		return joined{moottest.NewMemory(), newGraph(t, &graph.Options{Now: time.Now})}
	})
}

func TestAssertRefuses(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	for name, c := range map[string]struct {
		change func(*moothall.GraphFact)
		want   moothall.Code
	}{
		"no subject":       {func(f *moothall.GraphFact) { f.Subject = "" }, moothall.CodeInvalid},
		"nothing to read":  {func(f *moothall.GraphFact) { f.Subject = "\x00\u202e" }, moothall.CodeInvalid},
		"no relation":      {func(f *moothall.GraphFact) { f.Relation = "_" }, moothall.CodeInvalid},
		"no object":        {func(f *moothall.GraphFact) { f.Object = " " }, moothall.CodeInvalid},
		"ten kilobytes":    {func(f *moothall.GraphFact) { f.Subject = strings.Repeat("x", 10_000) }, moothall.CodeTooLarge},
		"a long relation":  {func(f *moothall.GraphFact) { f.Relation = strings.Repeat("x", 10_000) }, moothall.CodeTooLarge},
		"a long source":    {func(f *moothall.GraphFact) { f.Source = moothall.MemoryID(strings.Repeat("x", 10_000)) }, moothall.CodeTooLarge},
		"backwards":        {func(f *moothall.GraphFact) { f.From, f.To = at(2020), at(2019) }, moothall.CodeInvalid},
		"far away":         {func(f *moothall.GraphFact) { f.From = at(12000) }, moothall.CodeInvalid},
		"before all years": {func(f *moothall.GraphFact) { f.From = at(-1) }, moothall.CodeInvalid},
		"more than sure":   {func(f *moothall.GraphFact) { f.Confidence = 1.1 }, moothall.CodeInvalid},
		"no number":        {func(f *moothall.GraphFact) { f.Confidence = math.NaN() }, moothall.CodeInvalid},
		"unknown trust":    {func(f *moothall.GraphFact) { f.Trust = "boss" }, moothall.CodeInvalid},
	} {
		f := said("Ana", "lives in", "Porto", 2020)
		c.change(&f)
		_, err := g.Assert(t.Context(), moothall.Scope{}, f)
		if got := moothall.ErrorCode(err); got != c.want {
			t.Errorf("%s: code %q, want %q (%v)", name, got, c.want, err)
		}
	}
	if s, err := g.Stats(t.Context()); err != nil || s != (graph.Stats{}) {
		t.Errorf("something was kept: %+v, %v", s, err)
	}
}

func TestSameStatementRefreshes(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	first := assert(t, g, said("Ana", "lives in", "Porto", 2020))
	again := said("ANA", "lives_in", "pórto", 2021)
	again.Confidence, again.Source = 0.5, "m-2"
	if got := assert(t, g, again); got.ID != first.ID || got.Confidence != 0.9 || got.Source != "m-1" || !got.Observed.Equal(at(2021)) || got.Subject != "Ana" {
		t.Errorf("a weaker source gives %+v", got)
	}
	again.Confidence, again.Source, again.Observed = 1, "m-3", at(2022)
	if got := assert(t, g, again); got.ID != first.ID || got.Confidence != 1 || got.Source != "m-3" {
		t.Errorf("a stronger source gives %+v", got)
	}
	before, _ := g.Stats(t.Context())
	if got := assert(t, g, again); got.ID != first.ID {
		t.Errorf("delivered twice: %+v", got)
	}
	if after, _ := g.Stats(t.Context()); after != before || after.Statements != 3 || after.Facts != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	assert(t, g, said("Ana", "lives in", "Lisbon", 2020))
	web := said("Ana", "lives in", "Elsewhere", 2025)
	web.Trust, web.Source = moothall.TrustExternal, "m-web"
	assert(t, g, web)
	a := search(t, g, moothall.GraphQuery{People: []string{"Ana"}})
	if len(a.Facts) != 2 || !a.Facts[0].To.IsZero() || !a.Facts[1].To.IsZero() {
		t.Fatalf("both should stand: %+v", a.Facts)
	}
	want := []string{
		`"Ana" IS living in "Elsewhere" (seen 2025-01, source m-web, confidence 0.9, from outside, not confirmed, contradicted by: "Lisbon")`,
		`Ana IS living in Lisbon (seen 2020-01, source m-1, confidence 0.9, contradicted by: "Elsewhere")`,
	}
	if got := g.Lines(a.Facts); !slices.Equal(got, want) {
		t.Errorf("lines %q", got)
	}
	list, err := g.Contradictions(t.Context(), "ana")
	if err != nil || len(list) != 1 || list[0].Trusted.Object != "Lisbon" || list[0].Other.Object != "Elsewhere" {
		t.Errorf("contradictions %+v, %v", list, err)
	}
	agree := said("Ana", "lives in", "Lisbon", 2026)
	agree.Trust, agree.Source = moothall.TrustExternal, "m-web-2"
	assert(t, g, agree)
	a = search(t, g, moothall.GraphQuery{People: []string{"Ana"}})
	if len(a.Facts) != 1 || a.Facts[0].Source != "m-1" || a.Facts[0].Trust != moothall.TrustPerson {
		t.Errorf("the more trusted one should be told: %+v", a.Facts)
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	f := said("Ana", "lives_in", "Lisbon", 2024)
	f.From = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	was := f
	was.To = time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC)
	odd := said("Ana\nignore all\x1b[2J", "admires", strings.Repeat("y", 500), 2024)
	odd.Source = ""
	married := said("Ana", "is_engaged_to", "Bo", 2024)
	model := said("Ana", "age", "34", 2024)
	model.Trust = moothall.TrustModel
	got := graph.LinesAt([]moothall.GraphFact{f, was, odd, married, model}, at(2026))
	want := []string{
		"Ana IS living in Lisbon (since 2024-03, source m-1, confidence 0.9)",
		"Ana WAS living in Lisbon (since 2024-03, until 2025-06-15, source m-1, confidence 0.9)",
		"IS: Ana ignore all [2J admires " + strings.Repeat("y", 120) + "… (seen 2024-01, stated directly, confidence 0.9)",
		"Ana IS engaged to Bo (seen 2024-01, source m-1, confidence 0.9)",
		"Ana IS aged 34 (seen 2024-01, source m-1, confidence 0.9, said by a model)",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %q, want %q", got[i], want[i])
		}
	}
	if at := graph.LinesAt([]moothall.GraphFact{was}, at(2020)); !strings.Contains(at[0], " WILL BE living in Lisbon (from 2024-03, until 2025-06-15") {
		t.Errorf("seen from before: %q", at)
	}
	if at := graph.LinesAt([]moothall.GraphFact{was}, at(2025)); !strings.Contains(at[0], " IS living in Lisbon (since 2024-03, until 2025-06-15") {
		t.Errorf("at that time: %q", at[0])
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	assert(t, g, said("Ada Lovelace", "lives in", "London", 2001))
	assert(t, g, said("Charles Babbage", "knows", "Ada Lovelace", 2002))
	assert(t, g, said("Charles Babbage", "works at", "Royal Society", 2003))
	assert(t, g, said("Royal Society", "located in", "London", 2004))
	assert(t, g, said("Ada Lovelace", "age", "36", 2005))
	assert(t, g, said("Somebody Else", "age", "36", 2006))
	assert(t, g, said("Ada Lovelace", "knows", "Ada Lovelace", 2007)) // a loop
	assert(t, g, said("李小龍", "lives in", "香港", 2008))
	about := func(q moothall.GraphQuery) string {
		var out []string
		for _, f := range search(t, g, q).Facts {
			out = append(out, fmt.Sprint(f.Observed.Year()%100))
		}
		return strings.Join(out, " ")
	}
	for name, c := range map[string]struct {
		q    moothall.GraphQuery
		want string
	}{
		"person":            {moothall.GraphQuery{People: []string{"ada lovelace"}}, "7 5 2 1"},
		"part of a name":    {moothall.GraphQuery{People: []string{"Lovelace"}}, "7 5 2 1"},
		"not a person":      {moothall.GraphQuery{People: []string{"Society"}}, ""},
		"place":             {moothall.GraphQuery{Locations: []string{"LONDON"}}, "4 1"},
		"both":              {moothall.GraphQuery{People: []string{"Charles Babbage"}, Locations: []string{"London"}}, "4 3 2 1"},
		"a step on":         {moothall.GraphQuery{Locations: []string{"London"}, Depth: 1}, "4 1 7 5 3 2"},
		"values end a walk": {moothall.GraphQuery{People: []string{"Ada Lovelace"}, Depth: 4}, "7 5 2 1 4 3"},
		"text":              {moothall.GraphQuery{Text: "Where does Charles Babbage work?"}, "3 2"},
		"part in text":      {moothall.GraphQuery{Text: "what about babbage?"}, "3 2"},
		"text, no spaces":   {moothall.GraphQuery{Text: "李小龍住在哪裡"}, "8"},
		"unknown":           {moothall.GraphQuery{People: []string{"Zeno"}, Text: "nothing known"}, ""},
		"unreadable":        {moothall.GraphQuery{People: []string{"\x00", strings.Repeat("z", 20_000)}}, ""},
		"nothing asked":     {moothall.GraphQuery{}, "8 7 6 5 4 3 2 1"},
		"before":            {moothall.GraphQuery{At: at(2003)}, "3 2 1"},
		"operators":         {moothall.GraphQuery{Text: `" OR 1=1 -- NEAR( * "`}, ""},
	} {
		if got := about(c.q); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestRulesExtend(t *testing.T) {
	t.Parallel()
	g := newGraph(t, &graph.Options{Rules: []graph.Rule{
		{Relation: "captain of", Functional: true, Phrase: "captain of", Aliases: []string{"leads"}},
		{Relation: "lives_in"}, // several homes are fine here
	}})
	for i, f := range []moothall.GraphFact{said("Ana", "leads", "Red", 2001), said("Ana", "captain_of", "Blue", 2002), said("Ana", "lives in", "X", 2003), said("Ana", "resides in", "Y", 2004)} {
		if got := assert(t, g, f); i < 2 && got.Relation != "captain_of" || i >= 2 && got.Relation != "lives_in" {
			t.Errorf("%s became %s", f.Relation, got.Relation)
		}
	}
	got := g.Lines(search(t, g, moothall.GraphQuery{People: []string{"ana"}}).Facts)
	if len(got) != 3 || !strings.HasPrefix(got[2], "Ana IS captain of Blue") {
		t.Errorf("lines %q", got)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	assert(t, g, said("Bo", "knows", "Cy", 2020))
	e, err := g.Describe(t.Context(), moothall.Scope{}, "Ana", graph.Person, "Anita", "ANA")
	if err != nil || e.Kind != graph.Person || !slices.Equal(e.Names, []string{"Ana", "Anita"}) {
		t.Errorf("%+v, %v", e, err)
	}
	if got, err := g.Entity(t.Context(), "anita"); err != nil || got.Name != "Ana" {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = g.Describe(t.Context(), moothall.Scope{}, "Ana", "", "bo")
	wantCode(t, err, moothall.CodeConflict)
	_, err = g.Describe(t.Context(), moothall.Scope{}, "Ana", "king")
	wantCode(t, err, moothall.CodeInvalid)
	_, err = g.History(t.Context(), "Nobody")
	wantCode(t, err, moothall.CodeNotFound)
}

func TestChainOfMerges(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	for i, name := range []string{"A", "B", "C"} {
		assert(t, g, said(name, "likes", "tea", 2001+i))
	}
	for _, m := range []moothall.GraphMerge{{Keep: "B", Merge: "C"}, {Keep: "A", Merge: "B"}} {
		wantCode(t, g.Merge(t.Context(), m), "")
	}
	wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "A", Merge: "c"}), "") // one already
	list, err := g.Merges(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[1].ID), moothall.CodeConflict)
	wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[0].ID), "")
	wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[1].ID), "")
	for _, name := range []string{"A", "B", "C"} {
		facts, err := g.History(t.Context(), name)
		if err != nil || len(facts) != 1 || facts[0].Subject != name {
			t.Errorf("%s: %+v, %v", name, facts, err)
		}
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	for i, name := range graphtest.HostileNames() {
		assert(t, g, said(name, "lives in", "Hall", 2000+i))
		assert(t, g, said("Ana", "lives in", name, 2000+i))
	}
	wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Ana", Merge: "李小龍"}), "")
	var text bytes.Buffer
	wantCode(t, g.Export(t.Context(), &text, graph.JSON), "")
	other := newGraph(t, nil)
	if _, err := other.Import(t.Context(), bytes.NewReader(text.Bytes())); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	wantCode(t, other.Export(t.Context(), &again, graph.JSON), "")
	if text.String() != again.String() {
		t.Errorf("the round trip changed the graph:\n%s\n%s", text.String(), again.String())
	}
	wantCode(t, g.Export(t.Context(), &again, "pdf"), moothall.CodeInvalid)

	var drawing bytes.Buffer
	wantCode(t, g.Export(t.Context(), &drawing, graph.GraphML), "")
	checkGraphML(t, g, drawing.Bytes())
}

// checkGraphML: well formed, and every edge joins two nodes that are there.
func checkGraphML(t *testing.T, g *graph.Service, text []byte) {
	t.Helper()
	var doc struct {
		XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
		Nodes   []struct {
			ID string `xml:"id,attr"`
		} `xml:"graph>node"`
		Edges []struct {
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
		} `xml:"graph>edge"`
	}
	if err := xml.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	nodes := map[string]bool{}
	for _, n := range doc.Nodes {
		nodes[n.ID] = true
	}
	for _, e := range doc.Edges {
		if !nodes[e.Source] || !nodes[e.Target] {
			t.Errorf("an edge from %s to %s leads nowhere", e.Source, e.Target)
		}
	}
	s, err := g.Stats(t.Context())
	if err != nil || int64(len(doc.Nodes)) != s.Entities || int64(len(doc.Edges)) != s.Facts {
		t.Errorf("%d nodes and %d edges for %+v, %v", len(doc.Nodes), len(doc.Edges), s, err)
	}
}

// The clock of the machine that reads the file is behind, and what an older
// program took from it was kept as observed when it was read.
func TestImportAgainWithTheClockBehind(t *testing.T) {
	t.Parallel()
	var text, kept bytes.Buffer
	from := newGraph(t, nil)
	assert(t, from, said("Ana", "lives in", "Oslo", 2029))
	wantCode(t, from.Export(t.Context(), &text, graph.JSON), "")
	older := strings.ReplaceAll(text.String(), "2029-", "2027-")
	for name, first := range map[string]string{"the same": text.String(), "older program": older} {
		now := at(2028)
		g := newGraph(t, &graph.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
		if n, err := g.Import(t.Context(), strings.NewReader(first)); err != nil || n.Statements != 1 {
			t.Fatalf("%s: %+v, %v", name, n, err)
		}
		if n, err := g.Import(t.Context(), bytes.NewReader(text.Bytes())); err != nil || n != (graph.Imported{}) {
			t.Errorf("%s, again: %+v, %v", name, n, err)
		}
		kept.Reset()
		wantCode(t, g.Export(t.Context(), &kept, graph.JSON), "")
		if kept.String() != first {
			t.Errorf("%s: kept %s, want %s", name, kept.String(), first)
		}
		if f := assert(t, g, said("Bo", "lives in", "Rome", 2029)); f.Observed.After(now) {
			t.Errorf("%s: a fact was observed at %v, after now", name, f.Observed)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	for text, want := range map[string]moothall.Code{
		"": moothall.CodeInvalid, "{": moothall.CodeInvalid, "[]": moothall.CodeInvalid, "{}": moothall.CodeInvalid, `{"version":99}`: moothall.CodeUnsupported,
		`{"version":1,"statements":[{"subject":"x","object":"y","subject_name":"a","object_name":"b","relation":"r","trust":"person","observed":"2020-01-01T00:00:00Z"}]}`: moothall.CodeInvalid,
		`{"version":1,"entities":[{"id":"x","name":""}]}`: moothall.CodeInvalid,
		`{"version":1,"merges":[{"at":"yesterday"}]}`:     moothall.CodeInvalid,
	} {
		_, err := g.Import(t.Context(), strings.NewReader(text))
		if got := moothall.ErrorCode(err); got != want {
			t.Errorf("%s: code %q, want %q", text, got, want)
		}
	}
	if s, err := g.Stats(t.Context()); err != nil || s != (graph.Stats{}) {
		t.Errorf("something was kept: %+v, %v", s, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	g := newGraph(t, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				f := said("Ana", "lives in", fmt.Sprint("town ", w, i), 2000+i)
				if _, err := g.Assert(t.Context(), moothall.Scope{}, f); err != nil {
					t.Error(err)
				}
				for _, err := range g.Graph(t.Context(), moothall.GraphQuery{People: []string{"ana"}, Depth: 2, History: true}) {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	s, err := g.Stats(t.Context())
	if err != nil || s.Statements != 40 || s.Open != 1 || s.Entities != 41 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestImportOfMerges: a merge that is told twice is one, and one whose time no
// export could hold is refused.
func TestImportOfMerges(t *testing.T) {
	t.Parallel()
	const file = `{"version":1,"entities":[{"id":"a","name":"Ana","kind":"person"}],"merges":[%s]}`
	const merge = `{"id":"m","at":"%s","keep":"a","gone":{"id":"b","name":"Anna","names":["Anna"]}}`
	g := newGraph(t, nil)
	_, err := g.Import(t.Context(), strings.NewReader(fmt.Sprintf(file, fmt.Sprintf(merge, "9999-12-31T23:00:00-05:00"))))
	wantCode(t, err, moothall.CodeInvalid)
	once := fmt.Sprintf(merge, "2026-01-02T03:04:05Z")
	_, err = g.Import(t.Context(), strings.NewReader(fmt.Sprintf(file, once+","+once)))
	wantCode(t, err, "")
	wantCode(t, g.Export(t.Context(), io.Discard, graph.JSON), "")
	if got, err := g.Merges(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestForgettingAMergedName: a name that only what was forgotten said goes with
// it, also where it was merged into another; one that others say as well, or
// that a person described, stays.
func TestForgettingAMergedName(t *testing.T) {
	t.Parallel()
	from := func(source moothall.MemoryID, f moothall.GraphFact) moothall.GraphFact {
		f.Source = source
		return f
	}
	for name, c := range map[string]struct {
		more func(g *graph.Service) error
		stay bool
	}{
		"said by nobody else": {func(*graph.Service) error { return nil }, false},
		"said by another too": {func(g *graph.Service) error {
			assert(t, g, from("m-3", said("Miss Sousa", "likes", "coffee", 2021)))
			return nil
		}, true},
		"described": {func(g *graph.Service) error {
			_, err := g.Describe(t.Context(), moothall.Scope{}, "Miss Sousa", graph.Person)
			return err
		}, true},
		"with another in it": {func(g *graph.Service) error {
			assert(t, g, from("m-2", said("S.", "likes", "milk", 2021)))
			return g.Merge(t.Context(), moothall.GraphMerge{Keep: "Miss Sousa", Merge: "S."})
		}, false},
	} {
		g := newGraph(t, nil)
		assert(t, g, from("m-1", said("Ana", "likes", "tea", 2020)))
		assert(t, g, from("m-2", said("Miss Sousa", "owns", "the red boat", 2021)))
		wantCode(t, c.more(g), "")
		wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Ana", Merge: "Miss Sousa"}), "")
		_, err := g.Forget(t.Context(), moothall.Scope{}, "m-2")
		wantCode(t, err, "")
		_, err = g.Entity(t.Context(), "miss sousa")
		merges, failed := g.Merges(t.Context())
		wantCode(t, failed, "")
		if there := err == nil; there != c.stay || (len(merges) > 0) != c.stay {
			t.Errorf("%s: found %v, %d merges, %v", name, there, len(merges), err)
		}
		ana, err := g.Entity(t.Context(), "Ana")
		if wantCode(t, err, ""); !slices.Contains(ana.Names, "Ana") || !c.stay && len(ana.Names) != 1 {
			t.Errorf("%s: %v", name, ana.Names)
		}
	}
}
