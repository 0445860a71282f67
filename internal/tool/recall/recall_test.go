package recall_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/recall"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func options() recall.Options {
	return recall.Options{Now: func() time.Time { return noon }}
}

// call makes a call as the broker would.
func call(t *testing.T, tool moothall.Tool, lineage moothall.Lineage, arguments string) moothall.ToolResult {
	t.Helper()
	return callWith(t, tool, run(tool, lineage, arguments))
}

func callWith(t *testing.T, tool moothall.Tool, r moothall.ToolRun) moothall.ToolResult {
	t.Helper()
	out, err := tool.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if out.Call != "call-1" || out.Name != tool.Spec().Name || len(out.Text) > tool.Spec().MaxResult {
		t.Errorf("call %q of %q with %d bytes", out.Call, out.Name, len(out.Text))
	}
	return out
}

func run(tool moothall.Tool, lineage moothall.Lineage, arguments string) moothall.ToolRun {
	r := moothall.ToolRun{
		Scope: moothall.Scope{Session: "s-1", Lineage: lineage}, Agent: "agent-9", Type: "researcher", Query: "q-1",
		Call: moothall.ToolCall{ID: "call-1", Name: tool.Spec().Name, Arguments: json.RawMessage(arguments)},
		Note: func(string) {},
	}
	return r
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	want := map[moothall.ToolName]struct {
		aliases    string
		risk       moothall.Risk
		parameters string
	}{
		"memory_read":  {"search_memory recall_memory search_memories", moothall.RiskRead, "query results"},
		"memory_write": {"save_memory", moothall.RiskWrite, "name tags text"},
		"graph_search": {"search_knowledge_graph", moothall.RiskRead, "locations people"},
	}
	for _, tool := range recall.Tools(moottest.NewMemory(), recall.Options{}) {
		s := tool.Spec()
		w, ok := want[s.Name]
		if !ok {
			t.Fatalf("unknown tool %s", s.Name)
		}
		delete(want, s.Name)
		var aliases []string
		for _, a := range s.Aliases {
			aliases = append(aliases, string(a))
		}
		if strings.Join(aliases, " ") != w.aliases || s.Risk != w.risk || s.ReadOnly != (w.risk == moothall.RiskRead) {
			t.Errorf("%s: %+v", s.Name, s)
		}
		if !s.Taints.Has(moothall.Private) || s.Timeout <= 0 || s.MaxResult <= 0 || s.Description == "" || s.Origin != "built-in" {
			t.Errorf("%s: incomplete %+v", s.Name, s)
		}
		var p struct {
			Type       string
			Properties map[string]struct{ Type string }
			Additional *bool `json:"additionalProperties"`
		}
		if err := json.Unmarshal(s.Parameters, &p); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(p.Properties)), " "); p.Type != "object" || got != w.parameters || p.Additional == nil || *p.Additional {
			t.Errorf("%s: schema %s", s.Name, s.Parameters)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// broken is a memory that fails with one error, at once or after a hit.
type broken struct {
	*moottest.FakeMemory
	err   error
	first []moothall.Recall
}

func (b broken) Recall(context.Context, moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return func(yield func(moothall.Recall, error) bool) {
		for _, r := range b.first {
			if !yield(r, nil) {
				return
			}
		}
		yield(moothall.Recall{}, b.err)
	}
}

func (b broken) Graph(context.Context, moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return func(yield func(moothall.GraphFact, error) bool) { yield(moothall.GraphFact{}, b.err) }
}

func (b broken) Write(context.Context, moothall.WriteRequest) (moothall.MemoryEntry, error) {
	return moothall.MemoryEntry{}, b.err
}

var anyArguments = map[moothall.ToolName]string{
	"memory_read": `{"query":"x"}`, "memory_write": `{"name":"n","text":"t"}`, "graph_search": `{"people":["Ada"]}`,
}

func TestHonestFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		status moothall.CallStatus
		say    string
	}{
		"not set up": {&moothall.Error{Code: moothall.CodeNotConfigured, Message: "this hall has no memory service", Remedy: "switch it on"},
			moothall.CallUnavailable, "this hall has no memory service. What the person can do: switch it on."},
		"does not answer": {moothall.Fail(moothall.CodeUnavailable, "x", "it is asleep"), moothall.CallUnavailable, "it is asleep"},
		"too slow":        {context.DeadlineExceeded, moothall.CallUnavailable, "in time"},
		"refuses":         {moothall.Fail(moothall.CodeInvalid, "x", "no such thing"), moothall.CallFailed, "no such thing"},
		"foreign":         {errors.New("internal-detail"), moothall.CallFailed, "could not"},
		"with a cause":    {&moothall.Error{Code: moothall.CodeInternal, Message: "a fault", Err: errors.New("internal-detail")}, moothall.CallFailed, "a fault"},
	} {
		for _, tool := range recall.Tools(broken{err: c.err}, options()) {
			out := call(t, tool, nil, anyArguments[tool.Spec().Name])
			if out.Status != c.status || !strings.Contains(out.Text, c.say) || strings.Contains(out.Text, "internal-detail") {
				t.Errorf("%s, %s: %s %q", name, out.Name, out.Status, out.Text)
			}
		}
	}
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range recall.Tools(moottest.NewMemory(), options()) {
		_, err := tool.Run(ctx, run(tool, nil, anyArguments[tool.Spec().Name]))
		if moothall.ErrorCode(err) != moothall.CodeCanceled {
			t.Errorf("%s: %v", tool.Spec().Name, err)
		}
	}
}

func TestBadArguments(t *testing.T) {
	t.Parallel()
	for _, tool := range recall.Tools(moottest.NewMemory(), options()) {
		for _, a := range []string{``, `null`, `[]`, `{"query":" ","name":" "}`, `{"x":1}`, `{"query":`, `{"people":[" "]}`, `{"name":"n","text":"\n"}`} {
			out := call(t, tool, nil, a)
			if out.Status != moothall.CallFailed || out.Text == "" {
				t.Errorf("%s %s: %s %q", out.Name, a, out.Status, out.Text)
			}
		}
	}
}

// FuzzRun gives the tools arbitrary arguments: there is always a result, and
// never a longer one than promised.
func FuzzRun(f *testing.F) {
	for _, a := range anyArguments {
		f.Add(a)
	}
	f.Add(`{"query":"\u2028x","results":-7}`)
	f.Add(`{"name":"n\n","text":"t","tags":["","a","a"]}`)
	f.Fuzz(func(t *testing.T, arguments string) {
		m := moottest.NewMemory()
		_, _ = m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: arguments, Corpus: "x " + arguments}})
		_, _ = m.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{Subject: "Ada", Relation: "knows", Object: "x" + arguments})
		for _, tool := range recall.Tools(m, options()) {
			out := call(t, tool, moothall.Lineage{"root"}, arguments)
			if out.Status == "" || out.Text == "" {
				t.Errorf("%+v", out)
			}
		}
	})
}
