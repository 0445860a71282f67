package graphtest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/graph"
)

func at(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func service(e graph.Engine) *graph.Service {
	return graph.New(e, &graph.Options{Now: func() time.Time { return at(2030) }})
}

func tell(t *testing.T, g *graph.Service, subject, relation, object string, year int, source moothall.MemoryID) moothall.GraphFact {
	t.Helper()
	f, err := g.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{
		Subject: subject, Relation: relation, Object: object, Observed: at(year), Source: source, Trust: moothall.TrustPerson,
	})
	wantCode(t, err, "")
	return f
}

// seen is a history in short: object, year of its beginning, year of its end.
func seen(t *testing.T, g *graph.Service, name string) string {
	t.Helper()
	facts, err := g.History(t.Context(), name)
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return "nobody"
	}
	wantCode(t, err, "")
	var out []string
	for _, f := range facts {
		end := ""
		if !f.To.IsZero() {
			end = fmt.Sprint(f.To.Year())
		}
		out = append(out, fmt.Sprintf("%s %s %s-%s", f.Subject, f.Object, f.Observed.Format("2006"), end))
	}
	return strings.Join(out, ", ")
}

func wantSeen(t *testing.T, g *graph.Service, name, want string) {
	t.Helper()
	if got := seen(t, g, name); got != want {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

func serviceTime(t *testing.T, e graph.Engine) {
	g := service(e)
	tell(t, g, "Ana", "lives in", "Porto", 2010, "m-1")
	tell(t, g, "ANA", "lives_in", "Lisbon", 2020, "m-2")
	tell(t, g, "Ána", "resides in", "Lisboa", 2015, "m-3") // late
	wantSeen(t, g, "ana", "Ana Porto 2010-2015, Ana Lisboa 2015-2020, Ana Lisbon 2020-")
	for year, want := range map[int]string{2009: "", 2012: "Porto", 2016: "Lisboa", 2025: "Lisbon"} {
		got := ""
		for f, err := range g.Graph(t.Context(), moothall.GraphQuery{People: []string{"ana"}, At: at(year).AddDate(0, 1, 0)}) {
			wantCode(t, err, "")
			got += f.Object
		}
		if got != want {
			t.Errorf("in %d: %q, want %q", year, got, want)
		}
	}
}

func serviceMerge(t *testing.T, e graph.Engine) {
	g := service(e)
	tell(t, g, "Ana", "lives in", "Porto", 2010, "m-1")
	tell(t, g, "Ana Sousa", "lives in", "Lisbon", 2020, "m-2")
	tell(t, g, "Bo", "knows", "Ana Sousa", 2021, "m-3")
	before := seen(t, g, "Ana") + seen(t, g, "Ana Sousa")
	wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Ana", Merge: "ana sousa"}), "")
	want := "Ana Porto 2010-2020, Ana Lisbon 2020-, Bo Ana 2021-"
	wantSeen(t, g, "Ana", want)
	wantSeen(t, g, "Ana Sousa", want)
	tell(t, g, "Ana Sousa", "lives in", "Faro", 2025, "m-4")
	list, err := g.Merges(t.Context())
	wantCode(t, err, "")
	if len(list) != 1 || list[0].Keep != "Ana" || list[0].Gone != "Ana Sousa" {
		t.Fatalf("merges %+v", list)
	}
	wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[0].ID), "")
	wantSeen(t, g, "Ana", "Ana Porto 2010-")
	wantSeen(t, g, "Ana Sousa", "Ana Sousa Lisbon 2020-2025, Bo Ana Sousa 2021-, Ana Sousa Faro 2025-")
	wantCode(t, g.Unmerge(t.Context(), moothall.Scope{}, list[0].ID), moothall.CodeNotFound)
	if _, err := g.Forget(t.Context(), moothall.Scope{}, "m-4"); err != nil {
		t.Fatal(err)
	}
	if after := seen(t, g, "Ana") + seen(t, g, "Ana Sousa"); after != before {
		t.Errorf("after undoing: %q, before: %q", after, before)
	}
}

func serviceForget(t *testing.T, e graph.Engine) {
	g := service(e)
	tell(t, g, "Ana", "lives in", "Porto", 2010, "m-1")
	tell(t, g, "Ana", "lives in", "Porto", 2012, "m-2")
	moved := tell(t, g, "Ana", "lives in", "Lisbon", 2020, "m-3")
	gone, err := g.Forget(t.Context(), moothall.Scope{}, "m-1")
	wantCode(t, err, "")
	wantSeen(t, g, "Ana", "Ana Porto 2012-2020, Ana Lisbon 2020-")
	if len(gone) != 1 {
		t.Errorf("gone %v", gone)
	}
	gone, err = g.Forget(t.Context(), moothall.Scope{}, "m-3")
	wantCode(t, err, "")
	if !slices.Equal(gone, []string{moved.ID}) {
		t.Errorf("gone %v, want %v", gone, moved.ID)
	}
	wantSeen(t, g, "Ana", "Ana Porto 2012-")
	wantSeen(t, g, "Lisbon", "nobody")
	if _, err := g.Forget(t.Context(), moothall.Scope{}, "m-2"); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, e)
}

func serviceSince(t *testing.T, e graph.Engine) {
	g := service(e)
	tell(t, g, "Ana", "lives in", "Porto", 2010, "m-1")
	tell(t, g, "Ana", "lives in", "Faro", 2015, "m-2")
	tell(t, g, "Ana", "likes", "tea", 2015, "m-2")
	tell(t, g, "Ana", "lives in", "Porto", 2020, "m-3") // back again
	tell(t, g, "Ana", "likes", "coffee", 2020, "m-3")
	tell(t, g, "Ana", "favorite colour", "green", 2010, "m-4")
	tell(t, g, "Ana", "favourite colour", "blue", 2020, "m-5")
	tell(t, g, "Ana", "works at", "the port", 2010, "m-6")
	if _, err := g.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{
		Subject: "Ana", Relation: "works at", Object: "a circus", Observed: at(2020), Source: "m-7", Trust: moothall.TrustExternal,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{
		Subject: "Bo", Relation: "lives in", Object: "Graz", From: at(2000), To: at(2005), Observed: at(2010), Source: "m-8", Trust: moothall.TrustPerson,
	}); err != nil {
		t.Fatal(err)
	}
	tell(t, g, "Bo", "lives in", "Linz", 2010, "m-9")
	got, err := g.Since(t.Context(), []moothall.MemoryID{"m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "m-7", "m-8", "m-9", "nobody"})
	wantCode(t, err, "")
	short := map[moothall.MemoryID]string{}
	for id, facts := range got {
		for _, f := range facts {
			short[id] += fmt.Sprintf("%s (%s)", f.Words(), f.Source)
		}
	}
	if want := map[moothall.MemoryID]string{"m-2": "Ana lives in Porto (m-3)", "m-4": "Ana favourite colour blue (m-5)"}; !maps.Equal(short, want) {
		t.Errorf("since then %v, want %v", short, want)
	}
	if _, err := g.Forget(t.Context(), moothall.Scope{}, "m-3"); err != nil {
		t.Fatal(err)
	}
	if got, err = g.Since(t.Context(), []moothall.MemoryID{"m-1", "m-2"}); err != nil || len(got) != 1 || got["m-1"][0].Object != "Faro" {
		t.Errorf("after what took its place is forgotten: %+v, %v", got, err)
	}
}

func serviceRoundTrip(t *testing.T, e graph.Engine) {
	g := service(e)
	for i, name := range HostileNames() {
		tell(t, g, name, "lives in", HostileNames()[(i+1)%len(HostileNames())], 2000+i%20, "m-1")
		tell(t, g, "Ana", "lives in", name, 2001+i%7, moothall.MemoryID(name))
	}
	wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Ana", Merge: "C++"}), "")
	var first, second bytes.Buffer
	wantCode(t, g.Export(t.Context(), &first, graph.JSON), "")
	again, err := g.Import(t.Context(), bytes.NewReader(first.Bytes()))
	wantCode(t, err, "")
	if again != (graph.Imported{}) {
		t.Errorf("importing what is there brought %+v", again)
	}
	wantCode(t, g.Export(t.Context(), &second, graph.JSON), "")
	if first.String() != second.String() {
		t.Error("importing what is there changed the graph")
	}
}

func serviceHub(t *testing.T, e graph.Engine) {
	g := service(e)
	for i := range 60 {
		tell(t, g, "Hub", "knows", fmt.Sprint("friend ", i), 2000, "m-1")
		tell(t, g, fmt.Sprint("friend ", i), "knows", "Hub", 2001, "m-1")
	}
	small := graph.New(e, &graph.Options{Limit: 20, Now: func() time.Time { return at(2030) }})
	first, err := small.Search(t.Context(), moothall.GraphQuery{People: []string{"hub"}, Depth: 3})
	wantCode(t, err, "")
	again, err := small.Search(t.Context(), moothall.GraphQuery{People: []string{"hub"}, Depth: 3})
	wantCode(t, err, "")
	if len(first.Facts) != 20 || !first.Cut || !slices.Equal(first.Facts, again.Facts) {
		t.Errorf("%d facts, cut %v, the same again %v", len(first.Facts), first.Cut, slices.Equal(first.Facts, again.Facts))
	}
}
