package tape_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

func words(n int) string { return strings.Repeat("many words ", n) }

// scenario is a run to be recorded and played.
type scenario struct {
	request engine.Request
	make    func(cancel func()) engine.Request // instead, for a run that ends its context
	want    func(r *engine.Result) bool        // that it is the run which it is meant to be
}

func scenarios() map[string]scenario {
	out := map[string]scenario{}
	for _, some := range []map[string]scenario{answering(), acting(), failing(), ending()} {
		maps.Copy(out, some)
	}
	return out
}

// answering are runs that are mostly words.
func answering() map[string]scenario {
	past := append(user("before"), moothall.Message{Role: moothall.RoleAssistant, Content: "yes", Images: [][]byte{{1, 2, 0xff}}})
	full := append(user(words(300)), moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "o", Name: "web_search", Arguments: json.RawMessage(`{"query": "old"}`)}}},
		moothall.Message{Role: moothall.RoleTool, CallID: "o", ToolName: "web_search", Content: words(300)}, moothall.Message{Role: moothall.RoleAssistant, Content: words(100)})
	return map[string]scenario{
		"an answer": {
			request: engine.Request{Model: script(thinks("Hm, <b>.", "Grüße aus Köln.")), System: "S", History: past, Tail: "Today."},
			want: func(r *engine.Result) bool {
				return r.Answer == "Grüße aus Köln." && r.Thinking != "" && r.First > 0
			},
		},
		"retrieval": {
			request: engine.Request{
				Model: script(says("As it says.")), Broker: &broker{}, Tools: bothTools, Abilities: engine.Abilities{Tools: engine.ToolsNone},
				Retrieve: func(context.Context, string) ([]moothall.Recall, error) {
					return []moothall.Recall{{Stage: "corpus", Segment: "a memory", Score: 0.123456789}}, nil
				},
			},
			want: func(r *engine.Result) bool { return len(r.Recalls) == 1 },
		},
		"reading up": {
			request: engine.Request{
				Model: script(calls("web_search", `{"query":"1"}`), says("As it says.")), Broker: &broker{}, Tools: bothTools, Abilities: engine.Abilities{Recall: true},
				Retrieve: func(context.Context, string) ([]moothall.Recall, error) {
					return []moothall.Recall{{Stage: "library", Segment: "a text", Score: 0.5}}, nil
				},
			},
			want: func(r *engine.Result) bool { return len(r.Recalls) == 1 && len(r.Calls) == 1 },
		},
		"memories in results": {
			request: engine.Request{
				Model: script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`), says("So.")), Broker: &broker{}, Tools: bothTools,
				Recalls: func(r moothall.ToolResult) []moothall.Recall {
					return []moothall.Recall{{Stage: "names", Segment: r.Text}}
				},
			},
			want: func(r *engine.Result) bool { return len(r.Recalls) == 2 },
		},
		"schema and check": {
			request: engine.Request{
				Model: script(says("no JSON"), says(`{"ok":false}`), says(`{"ok": true}`)), Schema: json.RawMessage(`{"type": "object"}`),
				Check: func(_ context.Context, a string) (engine.Verdict, error) {
					if strings.Contains(a, "false") {
						return engine.Verdict{Passed: []string{"form"}, Failed: []string{"it is false"}}, nil
					}
					return engine.Verdict{Passed: []string{"all"}}, errors.New("a foreign error")
				},
			},
			want: func(r *engine.Result) bool { return len(r.Flags) == 1 && r.Usage.Calls == 3 },
		},
		"compaction": {
			request: engine.Request{
				Model: script(calls("web_search", `{"query":"1"}`), calls("web_search", `{"query":"2"}`), says("Short.")), History: full, Window: 1400,
				Broker: &broker{do: func(context.Context, moothall.ToolCall, int) (moothall.ToolResult, error) {
					return moothall.ToolResult{Status: moothall.CallOK, Text: words(400)}, nil
				}}, Tools: bothTools,
			},
			want: func(r *engine.Result) bool { return r.Answer == "Short." },
		},
	}
}

// acting are runs that call tools.
func acting() map[string]scenario {
	var all sync.WaitGroup // so that every reader has begun before one ends
	all.Add(8)
	return map[string]scenario{
		"native tools": {
			request: engine.Request{
				Model:  script(calls("web_search", `{"query": "a < b"}`), calls("memory_write", `{"text":"x"}`), says("Done.")),
				Broker: &broker{ask: true}, Tools: bothTools,
			},
			want: func(r *engine.Result) bool {
				return len(r.Calls) == 2 && r.Rounds == 3 && r.ToolTime > 0 && r.ModelTime > 0 && len(r.Sent) == 2 && r.Model == "small"
			},
		},
		"concurrent readers": {
			request: engine.Request{
				Model: script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`, "google", `{"query":"1"}`, "web_search", `{"query":"1"}`,
					"web_search", `{"query":"4"}`, "web_search", `{"query":"5"}`, "web_search", `{"query":"6"}`, "web_search", `{"query": "1"}`), says("All.")),
				Broker: &broker{begun: func() { all.Done(); all.Wait() }, do: func(_ context.Context, c moothall.ToolCall, n int) (moothall.ToolResult, error) {
					if n%3 == 0 {
						return moothall.ToolResult{}, moothall.Fail(moothall.CodeUnavailable, "x", "gone")
					}
					return moothall.ToolResult{Status: moothall.CallOK, Text: words(n)}, nil
				}},
				Tools: bothTools, Limits: engine.Limits{Repeats: -1},
			},
			want: func(r *engine.Result) bool { return len(r.Calls) == 8 },
		},
		"described": {
			request: engine.Request{
				Model:  script(says(`<tool_call>{"name":"web_search","arguments":{"query":"a"}}</tool_call>`), says("Fine.")),
				Broker: &broker{}, Tools: bothTools, Abilities: engine.Abilities{Tools: engine.ToolsDescribed, Family: "qwen"},
			},
			want: func(r *engine.Result) bool { return len(r.Calls) == 1 && r.Mode == engine.ToolsDescribed },
		},
		"refused tools": {
			request: engine.Request{
				Model: script(turn{err: moothall.Fail(moothall.CodeUnsupported, "x", "no tools")}, says("Fine.")), Broker: &broker{}, Tools: bothTools, System: "S",
			},
			want: func(r *engine.Result) bool { return r.Mode == engine.ToolsDescribed && r.Answer == "Fine." },
		},
		"denied": {
			request: engine.Request{
				Model: script(calls("memory_write", `{"text":"x"}`), says("I may not.")), Tools: bothTools,
				Broker: &broker{do: func(context.Context, moothall.ToolCall, int) (moothall.ToolResult, error) {
					return moothall.ToolResult{Status: moothall.CallDenied, Text: "Denied by the layer user (off). It is off.", Decision: moothall.Decision{Verdict: moothall.Deny}}, nil
				}},
			},
			want: func(r *engine.Result) bool { return r.Calls[0].Status == moothall.CallDenied },
		},
	}
}

// failing are runs in which something goes wrong.
func failing() map[string]scenario {
	return map[string]scenario{
		"void rounds": {
			request: engine.Request{
				Model: script(
					says("Let me search for that."), turn{}, turn{chunks: says("Long").chunks, stop: moothall.StopLength},
					says("I don't have access to current data."), says("It rains."),
				),
				Broker: &broker{}, Tools: bothTools, Hedge: "web_search", Limits: engine.Limits{Rounds: 9},
			},
			want: func(r *engine.Result) bool { return r.Answer == "It rains." && len(r.Calls) == 1 },
		},
		"error in the middle": {
			request: engine.Request{Model: script(turn{chunks: says("Half an").chunks, err: &moothall.Error{Code: moothall.CodeInterrupted, Op: "generate", Message: "broke off", Remedy: "try again", Err: errors.New("secret cause")}})},
			want: func(r *engine.Result) bool {
				return r.Stop == moothall.StopInterrupted && r.Answer == "Half an" && len(r.Sent) == 1
			},
		},
		"error": {
			request: engine.Request{Model: script(turn{err: errors.New("foreign")})},
			want:    func(r *engine.Result) bool { return r.Stop == moothall.StopError },
		},
		"a loop": {
			request: engine.Request{Model: script(says(strings.Repeat("over and over again and ", 80)))},
			want:    func(r *engine.Result) bool { return r.Stop == moothall.StopRepetition },
		},
		"time is up": {
			request: engine.Request{
				Model:  script(calls("web_search", `{"query":"1"}`), calls("web_search", `{"query":"2"}`), says("Never.")),
				Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Time: 10_000_000},
			},
			want: func(r *engine.Result) bool { return r.Stop == moothall.StopBudget },
		},
	}
}

// ending are runs that somebody ends.
func ending() map[string]scenario {
	return map[string]scenario{
		"canceled in mid-answer": {
			make: func(cancel func()) engine.Request {
				reply := says("Once upon")
				reply.hang = true
				reply.before = cancel
				return engine.Request{Model: script(reply)}
			},
			want: func(r *engine.Result) bool { return r.Stop == moothall.StopCanceled && r.Answer == "Once upon" },
		},
		"canceled by a reader of events": {
			make: func(cancel func()) engine.Request {
				reply := calls("web_search", `{"query":"1"}`)
				reply.before = cancel // and the reply comes whole all the same
				return engine.Request{Model: script(reply), Broker: &broker{}, Tools: bothTools}
			},
			want: func(r *engine.Result) bool { return r.Stop == moothall.StopCanceled && len(r.Calls) == 1 },
		},
		"canceled during readers": {
			make: func(cancel func()) engine.Request {
				return engine.Request{
					Model:  script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`, "web_search", `{"query":"3"}`)),
					Broker: &broker{begun: cancel}, Tools: bothTools,
				}
			},
			want: func(r *engine.Result) bool { return r.Stop == moothall.StopCanceled && len(r.Calls) == 3 },
		},
		"canceled during tools": {
			make: func(cancel func()) engine.Request {
				return engine.Request{
					Model: script(calls("memory_write", `{"text":"1"}`, "memory_write", `{"text":"2"}`, "memory_write", `{"text":"3"}`)), Tools: bothTools,
					Broker: &broker{do: func(ctx context.Context, _ moothall.ToolCall, n int) (moothall.ToolResult, error) {
						if n == 1 {
							return moothall.ToolResult{Status: moothall.CallOK, Text: "first"}, nil
						}
						cancel()
						return moothall.ToolResult{}, ctx.Err()
					}},
				}
			},
			want: func(r *engine.Result) bool { return r.Stop == moothall.StopCanceled && len(r.Calls) == 3 },
		},
	}
}

func (s *scenario) run(t *testing.T, timed bool) (*engine.Result, *tape.Tape) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := s.request
	if s.make != nil {
		r = s.make(cancel)
	}
	if r.Input == nil {
		r.Input = user("the question")
	}
	if r.Now = nil; timed {
		r.Now = clock()
	}
	return record(t, ctx, r)
}

// TestReplayIsTheSame records runs of every kind and plays them.
func TestReplayIsTheSame(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			final, rec := s.run(t, true)
			if !s.want(final) {
				t.Fatalf("not the run that is meant: %s", dump(final))
			}
			for range 2 { // a tape can be played again
				again, report, err := tape.Play(t.Context(), rec, tape.Changes{})
				if err != nil {
					t.Fatal(err)
				}
				if !report.Same || len(report.Differences) > 0 {
					t.Fatalf("differences: %q", report.Differences)
				}
				again.Err, final.Err = nil, nil // compared as far as it is kept
				if d := cmp.Diff(final, again); d != "" {
					t.Fatalf("not the same: %s", d)
				}
			}
		})
	}
}

// TestCallsAreInOrder although they ran at the same time.
func TestCallsAreInOrder(t *testing.T) {
	t.Parallel()
	s := acting()["concurrent readers"]
	final, rec := s.run(t, true)
	for i, c := range final.Calls {
		if string(c.Args) != rec.Tools[i].Args {
			t.Errorf("call %d is %s, on the tape %s", i, c.Args, rec.Tools[i].Args)
		}
	}
}

// TestPromptsAreFollowed: what is not said again is what did not change.
func TestPromptsAreFollowed(t *testing.T) {
	t.Parallel()
	for name, same := range map[string]int{"native tools": 1, "refused tools": 0, "described": 2} {
		s := scenarios()[name]
		_, rec := s.run(t, true)
		if got := rec.Model[1].Prompt.Same; got != same {
			t.Errorf("%s: %d messages of the second prompt are those of the first, want %d", name, got, same)
		}
	}
}

// TestNoClock: a run without a clock has no times, and replays.
func TestNoClock(t *testing.T) {
	t.Parallel()
	s := scenarios()["native tools"]
	final, rec := s.run(t, false)
	if final.First != 0 || final.ModelTime != 0 || final.ToolTime != 0 || final.Usage.FirstToken != 0 {
		t.Errorf("times without a clock: %s", dump(final))
	}
	if _, report, err := tape.Play(t.Context(), rec, tape.Changes{}); err != nil || !report.Same {
		t.Errorf("%q, %v", report.Differences, err)
	}
}
