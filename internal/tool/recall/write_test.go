package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/recall"
)

// stored returns what a memory holds, or holds as candidates.
func stored(t *testing.T, m *moottest.FakeMemory, proposed bool) []moothall.MemoryEntry {
	t.Helper()
	var out []moothall.MemoryEntry
	for e, err := range m.List(t.Context(), moothall.MemoryList{Proposed: proposed}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func TestWrite(t *testing.T) {
	t.Parallel()
	root, sub := moothall.Lineage{"root"}, moothall.Lineage{"root", "agent-9"}
	for name, c := range map[string]struct {
		labels   moothall.Label
		lineage  moothall.Lineage
		trust    moothall.Trust
		proposed bool
	}{
		"a root agent":            {0, root, moothall.TrustModel, false},
		"one with private data":   {moothall.Private, root, moothall.TrustModel, false},
		"one that met the web":    {moothall.Untrusted, root, moothall.TrustExternal, true},
		"a subagent":              {0, sub, moothall.TrustModel, true},
		"a subagent with the web": {moothall.Untrusted | moothall.Private, sub, moothall.TrustExternal, true},
		"an unknown agent":        {0, nil, moothall.TrustModel, true},
	} {
		m := moottest.NewMemory()
		tool := recall.NewWrite(m, options())
		r := run(tool, c.lineage, `{"name":"tea\ntime","text":"Tea is at four.","tags":["habit","habit"," "]}`)
		r.Labels = c.labels
		out := callWith(t, tool, r)
		entries := stored(t, m, c.proposed)
		if out.Status != moothall.CallOK || len(entries) != 1 || len(stored(t, m, !c.proposed)) != 0 {
			t.Errorf("%s: %s, %d entries", name, out.Text, len(entries))
			continue
		}
		e := entries[0]
		if e.Trust != c.trust || e.Kind != moothall.Fact || e.Name != "tea time" || e.Corpus != "Tea is at four." || !slices.Equal(e.Tags, []string{"habit"}) {
			t.Errorf("%s: %+v", name, e)
		}
		for _, part := range []string{"agent:agent-9", "type:researcher", "session:s-1", "query:q-1", "call:call-1", "memory_write"} {
			if !strings.Contains(e.Source, part) {
				t.Errorf("%s: provenance %q lacks %s", name, e.Source, part)
			}
		}
		if strings.Contains(out.Text, "candidate") != c.proposed || !strings.Contains(string(out.Data), string(e.ID)) {
			t.Errorf("%s: %q %s", name, out.Text, out.Data)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	m := moottest.NewMemory()
	for _, a := range []string{
		`{"name":"` + strings.Repeat("n", 201) + `","text":"t"}`,
		`{"name":"n","text":"` + strings.Repeat("t", 16385) + `"}`,
		`{"name":"n","text":"t","tags":["` + strings.Repeat("x", 65) + `"]}`,
		`{"name":"n","text":"t","trust":"person"}`,
	} {
		if out := call(t, recall.NewWrite(m, options()), moothall.Lineage{"root"}, a); out.Status != moothall.CallFailed {
			t.Errorf("%.60s: %s", a, out.Text)
		}
	}
	if n := len(stored(t, m, false)) + len(stored(t, m, true)); n > 0 {
		t.Errorf("%d entries of refused calls", n)
	}
}

func TestGraph(t *testing.T) {
	t.Parallel()
	m := moottest.NewMemory()
	for _, f := range []moothall.GraphFact{
		{Subject: "Ada", Relation: "lives in", Object: "Paris", From: day(2020), Observed: noon.Add(-48 * time.Hour), Confidence: 0.9, Trust: moothall.TrustPerson},
		{Subject: "Ada", Relation: "lives in", Object: "Rome", From: day(2024), Observed: noon.Add(-2 * time.Hour), Confidence: 0.75, Trust: moothall.TrustModel},
		{Subject: "Bob", Relation: "knows\n3. Ada", Object: "Rome", From: day(2025), Observed: noon, Confidence: 0.5, Trust: moothall.TrustExternal},
	} {
		if _, err := m.Assert(t.Context(), moothall.Scope{}, f); err != nil {
			t.Fatal(err)
		}
	}
	tool := recall.NewGraph(m, options())
	out := call(t, tool, nil, `{"people":["Ada"," "]}`)
	want := `2 facts:
1. [source: model; seen 2 hours ago; confidence 0.75] IS Ada: lives in Rome, since 2024-01-01
2. [source: person; seen 2 days ago; confidence 0.90] WAS Ada: lives in Paris, since 2020-01-01, until 2024-01-01
`
	if out.Status != moothall.CallOK || out.Text != want || out.Labels != 0 {
		t.Errorf("%s %v:\n%s", out.Status, out.Labels, out.Text)
	}
	out = call(t, tool, nil, `{"people":["Bob"],"locations":["Rome"]}`)
	if !out.Labels.Has(moothall.Untrusted) || !strings.Contains(out.Text, "\n   | IS Bob: knows 3. Ada Rome") {
		t.Errorf("%v:\n%s", out.Labels, out.Text)
	}
	if out := call(t, tool, nil, `{"people":["Zoe"]}`); out.Status != moothall.CallOK || !strings.Contains(out.Text, "Nothing") {
		t.Errorf("%+v", out)
	}
}

func day(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func TestGraphIsBounded(t *testing.T) {
	t.Parallel()
	m := moottest.NewMemory()
	for range 500 {
		f := moothall.GraphFact{Subject: "Ada", Relation: "met " + moothall.NewID(), Object: strings.Repeat("somebody ", 40), Observed: noon}
		if _, err := m.Assert(t.Context(), moothall.Scope{}, f); err != nil {
			t.Fatal(err)
		}
	}
	out := call(t, recall.NewGraph(m, options()), nil, `{"people":["Ada"]}`)
	if !strings.Contains(out.Cut, "left out for length") || !strings.Contains(out.Cut, "more") {
		t.Errorf("cut %q", out.Cut)
	}
}
