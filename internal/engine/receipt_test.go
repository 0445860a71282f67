package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
)

// hand is a clock that moves when it is told to.
type hand struct{ at time.Time }

func (h *hand) now() time.Time { return h.at }

func (h *hand) move(d time.Duration) func() { return func() { h.at = h.at.Add(d) } }

func sentTo(host string, n int64) []moothall.Egress {
	return []moothall.Egress{{Host: host, Bytes: n}}
}

// TestWhereTheTimeGoes has a model that is waited for, and a slow tool.
func TestWhereTheTimeGoes(t *testing.T) {
	t.Parallel()
	h := &hand{at: time.Unix(1000, 0)}
	call := calls("web_search", `{"query":"1"}`)
	call.before = h.move(3 * time.Second)
	call.usage = moothall.Usage{Calls: 1, Total: 2 * time.Second} // so one second was spent waiting
	answer := says("Done.")
	answer.before = h.move(5 * time.Second)
	b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
		h.move(7 * time.Second)()
		return ok("found")
	}}
	got := run(t, engine.Request{Model: script(call, answer), Broker: b, Tools: bothTools, Now: h.now})
	if got.First != 3*time.Second || got.ModelTime != 7*time.Second || got.Waiting != time.Second || got.ToolTime != 7*time.Second {
		t.Errorf("first %s, models %s, waiting %s, tools %s", got.First, got.ModelTime, got.Waiting, got.ToolTime)
	}
	if got := run(t, engine.Request{Model: script(says("Done."))}); got.First != 0 || got.Usage.FirstToken != 0 || got.ModelTime != 0 {
		t.Errorf("times without a clock: %s", dump(got.Result))
	}
}

// TestWhatLeft sums what models and tools sent, whatever came of it.
func TestWhatLeft(t *testing.T) {
	t.Parallel()
	asks := calls("memory_write", `{"text":"1"}`)
	asks.chunks[0].Sent, asks.chunks[0].Provider, asks.chunks[0].Model = sentTo("a.example", 10), "p", "first"
	fails := turn{
		chunks: []moothall.Chunk{{Text: "Half", Provider: "p", Model: "second"}, {Sent: sentTo("a.example", 5), Provider: "p", Model: "third"}},
		err:    moothall.Fail(moothall.CodeInterrupted, "x", "broke"),
	}
	b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "no", Sent: append(sentTo("b.example", 3), sentTo("a.example", 1)...)}, nil
	}}
	got := run(t, engine.Request{Model: script(asks, fails), Broker: b, Tools: bothTools})
	want := []moothall.Egress{{Host: "a.example", Bytes: 16}, {Host: "b.example", Bytes: 3}}
	if d := cmp.Diff(want, got.Sent); d != "" {
		t.Error(d)
	}
	if got.Provider != "p" || got.Model != "second" {
		t.Errorf("answered by %s/%s", got.Provider, got.Model)
	}
}

// TestALoopStillCounts: the run leaves a model that repeats itself, and knows
// what it had sent by then.
func TestALoopStillCounts(t *testing.T) {
	t.Parallel()
	var round turn
	for range 200 {
		round.chunks = append(round.chunks, moothall.Chunk{Text: "over and over again "})
	}
	round.chunks[0].Sent = sentTo("a.example", 10)
	if got := run(t, engine.Request{Model: script(round)}); got.Stop != moothall.StopRepetition || len(got.Sent) != 1 {
		t.Errorf("stop %s, sent %v", got.Stop, got.Sent)
	}
}

// TestEndedByTheHook ends a run where it says, whatever ctx says.
func TestEndedByTheHook(t *testing.T) {
	t.Parallel()
	looks := 0
	req := engine.Request{
		Model: script(calls("memory_write", `{"text":"1"}`), says("Never.")), Broker: &broker{}, Tools: bothTools,
		Ended: func(context.Context) error {
			if looks++; looks > 1 {
				return context.DeadlineExceeded
			}
			return nil
		},
	}
	if got := run(t, req); got.Stop != moothall.StopBudget || got.Usage.Calls != 1 || got.Calls[0].Status != moothall.CallUnavailable {
		t.Errorf("result: %s", dump(got.Result))
	}
}

// An answer that breaks off comes without a count, and its prompt was read all
// the same. One that never began says nothing of that.
func TestBrokenAnswersCountTheirPrompt(t *testing.T) {
	t.Parallel()
	broken := says("The answer is")
	broken.err = moothall.Fail(moothall.CodeInterrupted, "generate", "the server broke off")
	got := run(t, engine.Request{Model: script(broken), Input: user(strings.Repeat("long ", 2000))})
	if got.Stop != moothall.StopInterrupted || got.Usage.PromptTokens < 2000 || got.Usage.OutputTokens == 0 {
		t.Errorf("stop %s, usage %+v", got.Stop, got.Usage)
	}
	never := turn{err: moothall.Fail(moothall.CodeUnavailable, "generate", "gone")}
	if got := run(t, engine.Request{Model: script(never), Input: user("x")}); got.Usage.PromptTokens != 0 {
		t.Errorf("usage %+v", got.Usage)
	}
}
