package orchestrator_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/report"
)

// notes are the entries of memory, or its queue of candidates.
func notes(t *testing.T, m moothall.Memory, proposed bool) []moothall.MemoryEntry {
	t.Helper()
	var out []moothall.MemoryEntry
	for e, err := range m.List(t.Context(), moothall.MemoryList{Proposed: proposed, Limit: 100}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// gateHall is a hall whose one agent proposes a candidate.
func gateHall(t *testing.T, candidate, contradicts string, untrusted, uncertain bool) *hall {
	t.Helper()
	h := newHall(t, one(sub("a", "researcher", "look"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		switch {
		case r.Role == moothall.ModelOrchestrator:
			return say(contradicts)
		case untrusted && results(r) == 0:
			return call("fetch", `{}`)
		}
		return say(good("Looked.", func(r *report.Report) {
			r.Candidates = []string{candidate}
			if uncertain {
				r.Quality = report.Uncertain
			}
		}))
	}), func(o *orchestrator.Options) { o.Settings.Verify = orchestrator.VerifyNever })
	h.broker.tool(moothall.ToolSpec{Name: "fetch", ReadOnly: true}, func(context.Context, moothall.ToolCall) moothall.ToolResult {
		return moothall.ToolResult{Status: moothall.CallOK, Labels: moothall.Untrusted}
	})
	return h
}

func TestTheMemoryGate(t *testing.T) {
	t.Parallel()
	const known = "The harbour of the person is Kiel and the boat lies there."
	for name, c := range map[string]struct {
		candidate   string
		untrusted   bool
		uncertain   bool
		contradicts string // the model's answer
		kept        int    // entries afterwards, the known one included
		queued      int
		note        string
	}{
		"new":                        {"Ana prefers tea.", false, false, "", 2, 0, "accepted"},
		"known":                      {"The harbour of the person is Kiel and the boat lies there.", false, false, "", 1, 0, "rejected: it is known"},
		"known, written otherwise":   {"the harbour of the person is Kiel, and the boat lies there", false, false, "", 1, 0, "rejected: it is known"},
		"the opposite":               {"The harbour of the person is not Kiel and the boat lies there.", false, false, `{"contradicts":true}`, 1, 1, "left to a person: it contradicts"},
		"another name":               {"The harbour of the person is Lübeck and the boat lies there.", false, false, `{"contradicts":true}`, 1, 1, "left to a person: it contradicts"},
		"in other words":             {"The harbour of this person is Kiel and the boat lies there.", false, false, `{"contradicts":false}`, 2, 0, "accepted"},
		"the opposite, from outside": {"The harbour of the person is not Kiel and the boat lies there.", true, false, "", 1, 1, "left to a person: it comes from outside"},
		"adds to what is known":      {"The boat lies in the harbour Kiel at berth 7.", false, false, `{"contradicts":false}`, 2, 0, "accepted"},
		"contradicts":                {"The boat lies in the harbour Lübeck, not Kiel.", false, false, `{"contradicts":true,"reason":"another place"}`, 1, 1, "left to a person: it contradicts"},
		"no comparison":              {"The boat lies in the harbour Lübeck, not Kiel.", false, false, `hm`, 1, 1, "left to a person: it contradicts"},
		"from outside":               {"Ana prefers tea.", true, false, "", 1, 1, "left to a person: it comes from outside"},
		"uncertain":                  {"Ana prefers tea.", false, true, "", 1, 1, "left to a person: the result is uncertain"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := gateHall(t, c.candidate, c.contradicts, c.untrusted, c.uncertain)
			if _, err := h.memory.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Kind: moothall.Fact, Corpus: known, Trust: moothall.TrustPerson}}); err != nil {
				t.Fatal(err)
			}
			h.do(t, orchestrator.Goal{Text: longGoal})
			kept, queued := notes(t, h.memory, false), notes(t, h.memory, true)
			if len(kept) != c.kept || len(queued) != c.queued {
				t.Errorf("%d kept, %d in the queue", len(kept), len(queued))
			}
			for _, e := range slices.Concat(kept, queued) {
				if c.untrusted && e.Corpus == c.candidate && (e.Trust != moothall.TrustExternal || !strings.HasPrefix(e.Source, "external")) {
					t.Errorf("%s is trusted as %s", e.Source, e.Trust)
				}
			}
			found := false
			for _, e := range h.audit.Records() {
				found = found || e.Entry.Action == moothall.ActionMemoryWrite && strings.HasPrefix(e.Entry.Note, c.note)
			}
			if !found {
				t.Errorf("the decision is not on record")
			}
		})
	}
}
