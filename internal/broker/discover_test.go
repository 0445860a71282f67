package broker_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
)

func kit() []moothall.Tool {
	var out []moothall.Tool
	for name, about := range map[moothall.ToolName]string{
		"web_search": "Searches the web for current news and facts.", "web_fetch": "Fetches one page of the web by its address.",
		"fs_read": "Reads a file of the person's folders.", "fs_write": "Writes text to a file.", "calculate": "Computes an arithmetic expression.",
		"now": "Tells date and time.", "memory_read": "Recalls what was said in earlier conversations.", "run_code": "Runs a Python program.",
	} {
		out = append(out, tool(moothall.ToolSpec{Name: name, Description: about, Risk: moothall.RiskNone,
			Parameters: json.RawMessage(`{"type":"object","description":"` + strings.Repeat("word ", 80) + `"}`)}, nil))
	}
	return out
}

func (h *hall) discover(r moothall.DiscoverRequest) []string {
	h.t.Helper()
	specs, err := h.chat.Discover(context.Background(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	var names []string
	for _, s := range specs {
		names = append(names, string(s.Name))
	}
	return names
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	h := open(t, kit())
	a := h.spawn(moothall.SpawnRequest{})
	all := []string{"calculate", "fs_read", "fs_write", "memory_read", "now", "run_code", "web_fetch", "web_search"}
	if got := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: "anything", Window: 32000}); !slices.Equal(got, all) {
		t.Errorf("with room for all: %v", got)
	}
	if got := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: "anything", Window: 4000, Limit: 8}); !slices.Equal(got, all) {
		t.Errorf("as many as were asked for: %v", got)
	}
	for task, want := range map[string]string{
		"read the files in my project": "fs_read", "what is the news on the web today": "web_search", "compute 3 * 7": "calculate", "what did we say in earlier conversations": "memory_read",
	} {
		got := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: task, Window: 4000})
		if !slices.Contains(got, want) || len(got) < 2 || len(got) > 4 || !slices.IsSorted(got) {
			t.Errorf("%s: %v", task, got)
		}
		for range 10 {
			if again := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: task, Window: 4000}); !slices.Equal(again, got) {
				t.Fatalf("%s: %v, then %v", task, got, again)
			}
		}
	}
	h.override(moothall.Overrides{Disabled: []moothall.ToolName{"fs_read"}})
	if got := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: "read the files", Window: 4000}); slices.Contains(got, "fs_read") {
		t.Errorf("a tool that is off is offered: %v", got)
	}
	if got := h.discover(moothall.DiscoverRequest{Agent: h.spawn(moothall.SpawnRequest{Type: "reader"}).Handle}); len(got) > 1 {
		t.Errorf("a type with one tool is offered %v", got)
	}
}

// meanings embeds by what it is told.
type meanings struct {
	fails bool
	calls int
}

func (m *meanings) Embed(_ context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	m.calls++
	if m.fails {
		return moothall.Embeddings{}, moothall.Fail(moothall.CodeUnavailable, "embed", "it is down")
	}
	out := moothall.Embeddings{Embedder: "test"}
	for _, text := range r.Texts {
		v := []float32{1, 0}
		if strings.Contains(text, "Python") || strings.Contains(text, "snake") {
			v = []float32{0, 1}
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out, nil
}

func TestDiscoveryByMeaning(t *testing.T) {
	t.Parallel()
	m := &meanings{}
	h := open(t, kit(), func(o *broker.Options) { o.Embed, o.Offer = m, broker.OfferFew })
	a := h.spawn(moothall.SpawnRequest{})
	r := moothall.DiscoverRequest{Agent: a.Handle, Task: "a snake", Window: 1 << 20, Limit: 3}
	if got := h.discover(r); !slices.Contains(got, "run_code") || len(got) != 3 {
		t.Errorf("got %v", got)
	}
	h.discover(r)
	if m.calls != 3 {
		t.Errorf("the tools were embedded again: %d calls", m.calls)
	}
	m.fails = true
	if got := h.discover(moothall.DiscoverRequest{Agent: a.Handle, Task: "read a file"}); !slices.Contains(got, "fs_read") {
		t.Errorf("without the embedder: %v", got)
	}
}

func TestDiscoveryBySelector(t *testing.T) {
	t.Parallel()
	g := moottest.NewGateway(
		moottest.Reply{Text: "```json\n[\"now\",\"rm_rf\",\"now\",\"calculate\"]\n```"}, moottest.Reply{Text: "I would rather not."},
		moottest.Reply{Err: moothall.Fail(moothall.CodeUnavailable, "generate", "it is down")},
	)
	h := open(t, kit(), func(o *broker.Options) { o.Selector, o.Offer = g, broker.OfferFew })
	a := h.spawn(moothall.SpawnRequest{})
	r := moothall.DiscoverRequest{Agent: a.Handle, Task: "read a file"}
	if got := h.discover(r); !slices.Equal(got, []string{"calculate", "now"}) {
		t.Errorf("the selector's choice came as %v", got)
	}
	for range 2 {
		if got := h.discover(r); !slices.Contains(got, "fs_read") {
			t.Errorf("without the selector: %v", got)
		}
	}
	var on []moothall.AuditStatus
	for _, r := range h.audit.Records() {
		if e := r.Entry; e.Action == moothall.ActionModelCall && e.Agent != "" && e.Call != "" {
			on = append(on, e.Status)
		}
	}
	const intent, ok, failed = moothall.StatusIntent, moothall.StatusOK, moothall.StatusFailed
	if !slices.Equal(on, []moothall.AuditStatus{intent, ok, intent, ok, intent, failed}) {
		t.Errorf("the calls of the selector's model are on record as %v", on)
	}
}
