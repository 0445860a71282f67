package tape_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

// fickle is a model that does anything that models do.
type fickle struct {
	rng    *rand.Rand
	cancel func()
}

func (f *fickle) Generate(ctx context.Context, _ moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		for range f.rng.IntN(4) {
			if f.rng.IntN(60) == 0 {
				f.cancel()
			}
			if ctx.Err() != nil && f.rng.IntN(2) == 0 { // or it has not noticed yet
				yield(moothall.Chunk{}, ctx.Err())
				return
			}
			if !yield(f.chunk(), nil) {
				return
			}
		}
		codes := []moothall.Code{moothall.CodeUnsupported, moothall.CodeTooLarge, moothall.CodeUnavailable, moothall.CodeInterrupted}
		switch f.rng.IntN(24) {
		case 0:
			yield(moothall.Chunk{}, moothall.Fail(codes[f.rng.IntN(len(codes))], "generate", "a fault"))
			return
		case 1:
			yield(moothall.Chunk{}, fmt.Errorf("a foreign fault"))
			return
		case 2:
			return // without a word
		}
		stop := moothall.StopDone
		if f.rng.IntN(6) == 0 {
			stop = moothall.StopLength
		}
		yield(moothall.Chunk{Stop: stop, Usage: moothall.Usage{PromptTokens: f.rng.IntN(4000), OutputTokens: f.rng.IntN(300)}}, nil)
	}
}

func (f *fickle) chunk() moothall.Chunk {
	texts := []string{
		"", " ", "Here is the answer. ", "Let me search for that.", "<think>hm", "</think>", "I saved it. ", "ü\u2028\ufffd",
		`<tool_call>{"name":"web_search","arguments":{"query":"a"}}</tool_call>`, `<tool_call>{"name":"web_search","argu`,
		`{"name":"memory_write","arguments":{"text":1}}`, "I don't have access to current data.", `{"ok":true}`,
		`<tool_call>{"name":"nothing","arguments":{}}</tool_call>`, strings.Repeat("again and again ", 60), "```json\n", `\ufffd`,
	}
	switch f.rng.IntN(5) {
	case 0:
		return moothall.Chunk{Thinking: "I wonder. "}
	case 1:
		var c moothall.Chunk
		for range 1 + f.rng.IntN(3) {
			names := []moothall.ToolName{"web_search", "google", "memory_write", "nothing", "", "odd name"}
			args := []string{`{"query": "a&b"}`, `{"text":"b"}`, `{}`, `[]`, `null`, `"{}"`, `{"query":`, ``, fmt.Sprintf(`{"query":"%d"}`, f.rng.IntN(9))}
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
	ids := []moothall.CallID{"", "a", "b", "c"}
	var out []moothall.Message
	for range rng.IntN(12) {
		m := moothall.Message{Role: roles[rng.IntN(len(roles))]}
		if rng.IntN(3) > 0 {
			m.Content = strings.Repeat("words ", 1+rng.IntN(200))
		}
		switch m.Role {
		case moothall.RoleAssistant:
			for range rng.IntN(3) {
				args := []string{"{}", "", "[]", `"{}"`, "{", `{"x": 1}`}
				m.ToolCalls = append(m.ToolCalls, moothall.ToolCall{ID: ids[rng.IntN(4)], Name: "web_search", Arguments: json.RawMessage(args[rng.IntN(len(args))])})
			}
		case moothall.RoleTool:
			m.CallID, m.ToolName = ids[rng.IntN(4)], "web_search"
		}
		out = append(out, m)
	}
	return out
}

func anyRequest(rng *rand.Rand, cancel func()) engine.Request {
	r := engine.Request{
		Model: &fickle{rng, cancel}, System: "S", Tail: "T", History: anyHistory(rng), Input: user("question"), Tools: bothTools,
		Limits: engine.Limits{Rounds: rng.IntN(8), Calls: rng.IntN(6), Tokens: []int{0, 20_000}[rng.IntN(2)]},
		Broker: &broker{ask: rng.IntN(2) == 0, do: func(ctx context.Context, c moothall.ToolCall, n int) (moothall.ToolResult, error) {
			switch {
			case n%7 == 0:
				cancel()
			case n%5 == 0:
				return moothall.ToolResult{}, moothall.Fail(moothall.CodeUnavailable, "x", "gone")
			}
			return moothall.ToolResult{Status: moothall.CallOK, Text: "fine " + string(c.Arguments), Labels: moothall.Private}, ctx.Err()
		}},
	}
	if rng.IntN(3) > 0 {
		r.Now = clock()
		r.Limits.Time = []time.Duration{0, 60 * time.Millisecond}[rng.IntN(2)]
	}
	if rng.IntN(3) == 0 {
		r.Window = 1000
	}
	if rng.IntN(4) == 0 {
		r.Schema = json.RawMessage(`{"type":"object"}`)
	}
	if rng.IntN(4) == 0 {
		r.Check = func(_ context.Context, a string) (engine.Verdict, error) {
			if !strings.Contains(a, "answer") {
				return engine.Verdict{Failed: []string{"no answer in it"}}, nil
			}
			return engine.Verdict{Passed: []string{"answer"}}, nil
		}
	}
	if rng.IntN(2) == 0 {
		r.Hedge = "web_search"
	}
	return r
}

// TestAnyRunReplays records many runs of models that do anything, and plays
// each.
func TestAnyRunReplays(t *testing.T) {
	t.Parallel()
	stops := map[moothall.StopReason]int{}
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(seed, 7))
		ctx, cancel := context.WithCancel(t.Context())
		final, rec := record(t, ctx, anyRequest(rng, cancel))
		cancel()
		again, report, err := tape.Play(t.Context(), rec, tape.Changes{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !report.Same || len(report.Differences) > 0 {
			t.Fatalf("seed %d: %q\nrecorded %s\nagain %s", seed, report.Differences, dump(final), dump(again))
		}
		stops[final.Stop]++
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
