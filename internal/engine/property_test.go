package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// fickle is a model that does anything that models do.
type fickle struct {
	rng    *rand.Rand
	cancel func()
	asked  int
	bad    string // what was wrong with a request
}

func (f *fickle) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		f.asked++
		f.inspect(r)
		for range f.rng.IntN(4) {
			if f.rng.IntN(60) == 0 {
				f.cancel()
			}
			if ctx.Err() != nil {
				yield(moothall.Chunk{}, ctx.Err())
				return
			}
			if !yield(f.chunk(), nil) {
				return
			}
		}
		codes := []moothall.Code{moothall.CodeUnsupported, moothall.CodeTooLarge, moothall.CodeUnavailable, moothall.CodeInterrupted}
		if f.rng.IntN(12) == 0 {
			yield(moothall.Chunk{}, moothall.Fail(codes[f.rng.IntN(len(codes))], "generate", "a fault"))
			return
		}
		stop := moothall.StopDone
		if f.rng.IntN(6) == 0 {
			stop = moothall.StopLength
		}
		yield(moothall.Chunk{Stop: stop, Usage: moothall.Usage{PromptTokens: f.rng.IntN(4000), OutputTokens: f.rng.IntN(300)}}, nil)
	}
}

// inspect looks for requests that servers refuse.
func (f *fickle) inspect(r moothall.GenerateRequest) {
	if len(r.Messages) == 0 {
		f.bad = "no messages"
		return
	}
	if last := r.Messages[len(r.Messages)-1].Role; last != moothall.RoleUser && last != moothall.RoleTool {
		f.bad = "the assistant is not next"
	}
	// A note behind tool results is the one thing that a kept history may
	// not contain; without it the rest must be valid.
	msgs := r.Messages
	if n := len(msgs); n > 1 && msgs[n-1].Role == moothall.RoleUser && msgs[n-2].Role == moothall.RoleTool {
		msgs = msgs[:n-1]
	}
	if err := history.Validate(msgs); err != nil {
		f.bad = fmt.Sprintf("%v\n%s", err, dump(r.Messages))
	}
}

func (f *fickle) chunk() moothall.Chunk {
	texts := []string{
		"", " ", "Here is the answer. ", "Let me search for that.", "<think>hm", "</think>", "I saved it. ",
		`<tool_call>{"name":"web_search","arguments":{"query":"a"}}</tool_call>`, `<tool_call>{"name":"web_search","argu`,
		`{"name":"memory_write","arguments":{"text":1}}`, "I don't have access to current data.", `{"ok":true}`,
		`<tool_call>{"name":"nothing","arguments":{}}</tool_call>`, strings.Repeat("again and again ", 60), "```json\n",
	}
	switch f.rng.IntN(5) {
	case 0:
		return moothall.Chunk{Thinking: "I wonder. "}
	case 1:
		var c moothall.Chunk
		for range 1 + f.rng.IntN(3) {
			names := []moothall.ToolName{"web_search", "google", "memory_write", "nothing", "", "odd name"}
			args := []string{`{"query":"a"}`, `{"text":"b"}`, `{}`, `[]`, `null`, `"{}"`, `{"query":`, ``, fmt.Sprintf(`{"query":"%d"}`, f.rng.IntN(9))}
			c.ToolCalls = append(c.ToolCalls, moothall.ToolCall{
				ID: "same", Name: names[f.rng.IntN(len(names))], Arguments: json.RawMessage(args[f.rng.IntN(len(args))]),
			})
		}
		return c
	}
	return moothall.Chunk{Text: texts[f.rng.IntN(len(texts))]}
}

// anyHistory is a conversation as a crash may leave it.
func anyHistory(rng *rand.Rand) []moothall.Message {
	roles := []moothall.Role{moothall.RoleUser, moothall.RoleAssistant, moothall.RoleTool, moothall.RoleSystem, "odd"}
	var out []moothall.Message
	for range rng.IntN(12) {
		m := moothall.Message{Role: roles[rng.IntN(len(roles))]}
		if rng.IntN(3) > 0 {
			m.Content = strings.Repeat("words ", 1+rng.IntN(200))
		}
		ids := []moothall.CallID{"", "a", "b", "c"}
		switch m.Role {
		case moothall.RoleAssistant:
			for range rng.IntN(3) {
				args := []string{"{}", "", "[]", `"{}"`, "{", `{"x":1}`}
				names := []moothall.ToolName{"web_search", "memory_write", ""}
				m.ToolCalls = append(m.ToolCalls, moothall.ToolCall{
					ID: ids[rng.IntN(4)], Name: names[rng.IntN(3)], Arguments: json.RawMessage(args[rng.IntN(len(args))]),
				})
			}
		case moothall.RoleTool:
			m.CallID, m.ToolName = ids[rng.IntN(4)], "web_search"
		}
		out = append(out, m)
	}
	return out
}

func anyRequest(rng *rand.Rand, m *fickle) engine.Request {
	req := engine.Request{
		Model: m, Run: "r", System: "S", Tail: "T", History: anyHistory(rng), Input: user("question"), Tools: bothTools,
		Limits: engine.Limits{Rounds: rng.IntN(8), Calls: rng.IntN(6), Tokens: []int{0, 20_000}[rng.IntN(2)]},
		Broker: &broker{do: func(ctx context.Context, _ moothall.ToolCall) (moothall.ToolResult, error) {
			return ok("fine")
		}},
	}
	if rng.IntN(3) == 0 {
		req.Window = 1000
	}
	if rng.IntN(4) == 0 {
		req.Schema = json.RawMessage(`{"type":"object"}`)
	}
	if rng.IntN(4) == 0 {
		req.Check = must("answer")
	}
	if rng.IntN(2) == 0 {
		req.Hedge = "web_search"
	}
	return req
}

// shown is what a person has seen of the answer: the deltas that were not
// taken back.
func (o outcome) shown() string {
	var last, now string
	for _, e := range o.events {
		switch e.Kind {
		case engine.KindDelta:
			now += e.Text
		case engine.KindRethink:
			now = ""
		case engine.KindRound:
			if e.Void == "" {
				last = now
			}
			now = ""
		}
	}
	return last
}

// TestAnyModelLeavesAValidHistory runs many models that do anything. run
// checks that every run ends and that its history is valid and closed.
func TestAnyModelLeavesAValidHistory(t *testing.T) {
	t.Parallel()
	stops := map[moothall.StopReason]int{}
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ctx, cancel := context.WithCancel(t.Context())
		m := &fickle{rng: rng, cancel: cancel}
		got := runContext(t, ctx, anyRequest(rng, m))
		cancel()
		if m.bad != "" {
			t.Fatalf("seed %d: a request that servers refuse: %s", seed, m.bad)
		}
		if m.asked > 60 {
			t.Fatalf("seed %d: the model was asked %d times", seed, m.asked)
		}
		if got.Stop == "" || got.Usage.Calls != m.asked {
			t.Fatalf("seed %d: stop %q, usage %+v", seed, got.Stop, got.Usage)
		}
		if len(got.Layers) != len(got.Calls) {
			t.Fatalf("seed %d: %d layers of %d calls", seed, len(got.Layers), len(got.Calls))
		}
		if strings.Contains(contents(got.Messages), "I wonder") {
			t.Fatalf("seed %d: thinking in the history", seed)
		}
		if shown := got.shown(); got.Stop == moothall.StopDone && !strings.Contains(shown, "{") && shown != got.Answer {
			t.Fatalf("seed %d: shown %q, answered %q", seed, shown, got.Answer)
		}
		stops[got.Stop]++
	}
	for _, s := range []moothall.StopReason{
		moothall.StopDone, moothall.StopCap, moothall.StopRepetition, moothall.StopBudget,
		moothall.StopCanceled, moothall.StopInterrupted, moothall.StopError, moothall.StopLength,
	} {
		if stops[s] == 0 {
			t.Errorf("no run ended with %s, so the test says nothing about it: %v", s, stops)
		}
	}
}
