package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// search is a call of the search tool with its own question.
func search(q string) turn { return calls("web_search", fmt.Sprintf(`{"query":%q}`, q)) }

func save(text string) turn { return calls(string(saveTool.Name), fmt.Sprintf(`{"text":%q}`, text)) }

func TestCapOffersNoToolsAtLast(t *testing.T) {
	t.Parallel()
	m := script(search("1"), search("2"), says("What I have is this."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Rounds: 3}})
	if got.Stop != moothall.StopCap || got.Answer != "What I have is this." || !got.Partial || got.Rounds != 3 {
		t.Errorf("result: %s", dump(got.Result))
	}
	for i, r := range m.requests {
		if offered := len(r.Tools) > 0; offered != (i < 2) {
			t.Errorf("call %d: tools offered: %v", i, offered)
		}
	}
	mustContain(t, contents(m.last().Messages), "No tool can be called any more")
	if s := contents(got.Messages); strings.Contains(s, "No tool can") {
		t.Errorf("the notice is kept:\n%s", s)
	}
}

func TestCallInTheLastRoundIsNoAnswer(t *testing.T) {
	t.Parallel()
	late := says("As far as I see, no. <tool_call>{\"name\":\"web_search\",\"arguments\":{\"query\":\"2\"}}</tool_call>")
	m := script(search("1"), late)
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Limits: engine.Limits{Rounds: 2}})
	if b.count() != 1 || got.Answer != "As far as I see, no." {
		t.Errorf("%d calls, answer %q", b.count(), got.Answer)
	}
}

func TestSameCallThreeTimes(t *testing.T) {
	t.Parallel()
	// The same call in another form, with another in between.
	m := script(
		calls("web_search", `{"query":"go","count":1}`), search("other"), calls("google", `{"count": 1, "query": "go"}`),
		calls("web_search", `{ "query":"go", "count":1 }`), says("It is what it is."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Limits: engine.Limits{Rounds: 20}})
	if got.Stop != moothall.StopRepetition || b.count() != 3 || got.Answer != "It is what it is." {
		t.Errorf("stop %s after %d calls, answer %q", got.Stop, b.count(), got.Answer)
	}
	if len(m.last().Tools) != 0 {
		t.Error("tools are still on offer")
	}
	mustContain(t, contents(m.last().Messages), "The same call was made 3 times")
}

func TestRepeatedBrokenCall(t *testing.T) {
	t.Parallel()
	m := script(calls("nope", `{}`), calls("nope", `{}`), calls("nope", `{}`), says("I give up."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Rounds: 20}})
	if got.Stop != moothall.StopRepetition {
		t.Errorf("stop: %s", got.Stop)
	}
}

func TestOldRepeatsAreForgotten(t *testing.T) {
	t.Parallel()
	var turns []turn
	for round := range 3 {
		turns = append(turns, search("same"))
		for i := range 12 {
			turns = append(turns, search(fmt.Sprint(round, i)))
		}
	}
	m := script(append(turns, says("done"))...)
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Rounds: 99}})
	if got.Stop != moothall.StopDone || len(got.Calls) != 39 {
		t.Errorf("stop %s after %d calls", got.Stop, len(got.Calls))
	}
}

func TestTextThatRepeatsItself(t *testing.T) {
	t.Parallel()
	m := script(says("Well. " + strings.Repeat("I am the very model of a loop. ", 400)))
	got := run(t, engine.Request{Model: m})
	// Where one round of the loop ends is not known, so a mark may be missing.
	if got.Stop != moothall.StopRepetition || strings.TrimRight(got.Answer, ". ") != "Well. I am the very model of a loop" {
		t.Errorf("stop %s, answer %q", got.Stop, got.Answer)
	}
	if n := len(got.text(engine.KindDelta)); n > 1000 {
		t.Errorf("%d bytes were shown before it was stopped", n)
	}
}

func TestHonestRepetitionIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"ruler":    "A\n" + strings.Repeat("-", 300) + "\nB",
		"zeros":    strings.Repeat("0, ", 120) + "1",
		"refrain":  strings.Repeat("And again we sing the song of the river and the sea.\n", 5) + "The end.",
		"counting": numbers(400),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, engine.Request{Model: script(says(text))})
			if got.Stop != moothall.StopDone || got.Answer != text {
				t.Errorf("stop %s, answer %q", got.Stop, got.Answer)
			}
		})
	}
}

func TestCallsMayRepeatThemselves(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\\n", 60)
	m := script(says(`<tool_call>{"name":"memory_write","arguments":{"text":"`+zeros+`"}}</tool_call>`), says("Written."))
	b := &broker{}
	if got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools}); b.count() != 1 || got.Answer != "Written." {
		t.Errorf("stop %s after %d calls", got.Stop, b.count())
	}
	endless := script(says(`<tool_call>{"name":"memory_write","arguments":{"text":"` + strings.Repeat(zeros, 10)))
	if got := run(t, engine.Request{Model: endless, Broker: b, Tools: bothTools}); got.Stop != moothall.StopRepetition {
		t.Errorf("a call without an end: stop %s", got.Stop)
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Line %d of the list.\n", i)
	}
	return strings.TrimSpace(b.String())
}

func TestThinkingInCircles(t *testing.T) {
	t.Parallel()
	circles := turn{}
	for range 300 {
		circles.chunks = append(circles.chunks, moothall.Chunk{Thinking: "But wait, let me think about it again. "})
	}
	m := script(circles, says("Forty-two."))
	got := run(t, engine.Request{Model: m, Think: "on"})
	if got.Answer != "Forty-two." || m.last().Think != "off" || m.requests[0].Think != "on" {
		t.Errorf("answer %q, second call thinks %q", got.Answer, m.last().Think)
	}
	again := script(circles, circles)
	if got := run(t, engine.Request{Model: again}); got.Stop != moothall.StopRepetition || len(again.requests) != 2 {
		t.Errorf("stop %s after %d calls", got.Stop, len(again.requests))
	}
}

// A server that notices a loop first ends the reply itself, shortly after it
// began: long before it would be noticed here.
func TestLoopThatTheServerEnds(t *testing.T) {
	t.Parallel()
	said := says("Well. " + strings.Repeat("la ", 30))
	said.stop = moothall.StopRepetition
	if got := run(t, engine.Request{Model: script(said)}); got.Stop != moothall.StopRepetition || !got.Partial || !strings.HasPrefix(got.Answer, "Well.") {
		t.Errorf("stop %s, partial %v, answer %q", got.Stop, got.Partial, got.Answer)
	}
	thought := turn{chunks: []moothall.Chunk{{Thinking: strings.Repeat("la ", 30)}}, stop: moothall.StopRepetition}
	m := script(thought, says("Forty-two."))
	if got := run(t, engine.Request{Model: m, Think: "on"}); got.Answer != "Forty-two." || m.last().Think != "off" {
		t.Errorf("stop %s, answer %q, the second call thinks %q", got.Stop, got.Answer, m.last().Think)
	}
}

func TestTokenBudget(t *testing.T) {
	t.Parallel()
	first := says("Looking.")
	first.chunks = append(first.chunks, search("1").chunks...)
	first.usage = moothall.Usage{Calls: 1, PromptTokens: 900, OutputTokens: 101}
	m := script(first)
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Tokens: 1000}})
	if got.Stop != moothall.StopBudget || got.Answer != "Looking." || !got.Partial || len(got.Calls) != 1 || len(m.requests) != 1 {
		t.Errorf("%d model calls, result: %s", len(m.requests), dump(got.Result))
	}
}

func TestTokensAreEstimatedWhereNobodyCounts(t *testing.T) {
	t.Parallel()
	m := script(search("1"), search("2"), says("x"))
	got := run(t, engine.Request{
		Model: m, Broker: &broker{}, Tools: bothTools, System: strings.Repeat("word ", 1000), Limits: engine.Limits{Tokens: 2000},
	})
	if got.Stop != moothall.StopBudget || len(m.requests) != 2 || got.Usage.PromptTokens < 1000 {
		t.Errorf("stop %s after %d calls, usage %+v", got.Stop, len(m.requests), got.Usage)
	}
}

func TestTimeBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := script(search("1"), search("2"), search("3"))
		b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
			time.Sleep(40 * time.Second) // of the test's own time
			return ok("late")
		}}
		got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Now: time.Now, Limits: engine.Limits{Time: time.Minute}})
		if got.Stop != moothall.StopBudget || len(m.requests) != 2 || len(got.Calls) != 2 {
			t.Errorf("stop %s after %d calls", got.Stop, len(m.requests))
		}
		if got.Calls[0].Millis != 40_000 {
			t.Errorf("the call took %d ms", got.Calls[0].Millis)
		}
	})
}

// TestTimeOfAPerson is theirs: an approval that comes late takes nothing from
// the run, and what the tool takes after it counts.
func TestTimeOfAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turns []turn
		took  time.Duration
		stop  moothall.StopReason
		calls int
	}{
		"a change":            {[]turn{save("1"), save("2"), says("Done.")}, 20 * time.Second, moothall.StopDone, 2},
		"refused":             {[]turn{save("1"), save("2"), says("Done.")}, 0, moothall.StopDone, 2},
		"two at once":         {[]turn{calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`), says("Done.")}, 20 * time.Second, moothall.StopDone, 2},
		"a slow tool besides": {[]turn{save("1"), save("2"), says("Done.")}, 70 * time.Second, moothall.StopBudget, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := &broker{
					asks: func(moothall.ToolCall) { time.Sleep(time.Hour) }, // of the test's own time
					do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
						time.Sleep(c.took)
						if c.took == 0 {
							return moothall.ToolResult{Status: moothall.CallDenied, Text: "no"}, nil
						}
						return moothall.ToolResult{Status: moothall.CallOK, Text: "yes", Took: c.took}, nil
					},
				}
				m := script(c.turns...)
				got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Now: time.Now, Limits: engine.Limits{Time: time.Minute}})
				if got.Stop != c.stop || len(got.Calls) != c.calls || got.ToolTime < time.Hour {
					t.Errorf("stop %s after %d calls, tools %s", got.Stop, len(got.Calls), got.ToolTime)
				}
				if got.Calls[0].Millis != c.took.Milliseconds() {
					t.Errorf("the call took %d ms", got.Calls[0].Millis)
				}
			})
		})
	}
}

func TestCallBudget(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`, "web_search", `{"query":"3"}`), says("Two of three."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Limits: engine.Limits{Calls: 2}})
	if got.Stop != moothall.StopBudget || b.count() != 2 || got.Answer != "Two of three." || len(m.last().Tools) != 0 {
		t.Errorf("stop %s after %d calls, answer %q", got.Stop, b.count(), got.Answer)
	}
	mustContain(t, contents(m.last().Messages), "budget of tool calls is used up")
}

func TestNudges(t *testing.T) {
	t.Parallel()
	m := script(says("Sure! I'll search the web for that now."), says("Let me check the latest news."), search("1"), says("Here it is."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Input: user("News?")})
	if got.Answer != "Here it is." || got.voids() != "nudge nudge" || len(got.Calls) != 1 {
		t.Errorf("answer %q, voids %q", got.Answer, got.voids())
	}
	mustContain(t, contents(m.requests[1].Messages), "I'll search the web", "called no tool")
	if s := contents(got.Messages); strings.Contains(s, "called no tool") || strings.Contains(s, "I'll search") {
		t.Errorf("drafts are kept:\n%s", s)
	}
}

func TestAtMostTwoNudges(t *testing.T) {
	t.Parallel()
	m := script(says("I will look it up."), says("I will look it up."), says("I will look it up."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Limits: engine.Limits{Rounds: 9}})
	if len(m.requests) != 3 || got.Stop != moothall.StopDone || !strings.Contains(strings.Join(got.Flags, " "), engine.FlagAnnounced) {
		t.Errorf("%d model calls, flags %v", len(m.requests), got.Flags)
	}
}

func TestWhatIsNoAnnouncement(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Let me know if you need more.",
		"I will always love you.",
		"Shall I search the web? I'll look if you like?",
		"If you send me the file, I will check it.",
		"Paris. I'll find out more once you tell me the year.",
		"The answer is 4.",
		"First I'll read it, said the man. Then he left.",
		"```\nlet me search\n```\nThat is the code.",
	} {
		m := script(says(text))
		if got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools}); got.Answer != text {
			t.Errorf("%q was nudged", text)
		}
	}
}

func TestEmptyReply(t *testing.T) {
	t.Parallel()
	m := script(turn{}, says("Sorry, here."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools})
	if got.Answer != "Sorry, here." || got.voids() != "empty" || got.Rounds != 1 {
		t.Errorf("answer %q, voids %q, rounds %d", got.Answer, got.voids(), got.Rounds)
	}
	// A server that swallows calls of unknown tools leaves an empty reply.
	mustContain(t, contents(m.last().Messages), "reply was empty", "web_search, memory_write")
	if s := contents(got.Messages); strings.Contains(s, "reply was empty") {
		t.Errorf("the note is kept:\n%s", s)
	}
}

func TestEmptyTwice(t *testing.T) {
	t.Parallel()
	m := script(search("1"), turn{}, turn{chunks: []moothall.Chunk{{Text: " \n"}}})
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools})
	if got.Stop != moothall.StopError || got.Err == nil || len(got.Calls) != 1 || !got.Partial || got.Flags[0] != engine.FlagEmpty {
		t.Errorf("result: %s", dump(got.Result))
	}
}

func TestCutReply(t *testing.T) {
	t.Parallel()
	half := says(`<tool_call>{"name":"web_search","arguments":{"que`)
	half.stop, half.usage = moothall.StopLength, moothall.Usage{Calls: 1, PromptTokens: 100, OutputTokens: 600}
	m := script(half, half, search("1"), says("There."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, MaxTokens: 600})
	if got.Answer != "There." || b.count() != 1 || got.voids() != "cut cut" {
		t.Errorf("answer %q, voids %q", got.Answer, got.voids())
	}
	if a, b := m.requests[1].MaxTokens, m.requests[2].MaxTokens; a != 1200 || b != 2400 {
		t.Errorf("room: %d, then %d", a, b)
	}
}

// A reply that was cut is what there is when asking for it again brings nothing.
func TestCutReplyIsKept(t *testing.T) {
	t.Parallel()
	const long = "A long answer that was cut at"
	cut := says(long)
	cut.stop, cut.usage = moothall.StopLength, moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 600}
	lost := says("A long")
	lost.err = moothall.Fail(moothall.CodeInterrupted, "generate", "the server broke off")
	ctx, cancel := context.WithCancel(t.Context())
	for name, tt := range map[string]struct {
		ctx    context.Context
		again  turn
		tokens int
		stop   moothall.StopReason
	}{
		"no budget is left":     {t.Context(), says("never asked"), 500, moothall.StopBudget},
		"the server is gone":    {t.Context(), turn{err: moothall.Fail(moothall.CodeUnavailable, "generate", "gone")}, 0, moothall.StopInterrupted},
		"the limit is too high": {t.Context(), turn{err: moothall.Fail(moothall.CodeInvalid, "generate", "max_tokens is too large")}, 0, moothall.StopInterrupted},
		"it broke off sooner":   {t.Context(), lost, 0, moothall.StopInterrupted},
		"the person gave up":    {ctx, turn{before: cancel, hang: true}, 0, moothall.StopCanceled},
	} {
		t.Run(name, func(t *testing.T) {
			got := runContext(t, tt.ctx, engine.Request{Model: script(cut, tt.again), Limits: engine.Limits{Tokens: tt.tokens}})
			if got.Answer != long || got.Stop != tt.stop || !got.Partial {
				t.Errorf("stop %s, partial %v, answer %q", got.Stop, got.Partial, got.Answer)
			}
			var kept []moothall.Message
			for _, e := range got.events {
				kept = append(kept, e.Messages...)
			}
			mustContain(t, contents(kept), "assistant: "+long+"\n\n[interrupted]")
		})
	}
	// What came after it is not about it any more.
	m := script(cut, search("1"), turn{err: moothall.Fail(moothall.CodeUnavailable, "generate", "gone")})
	if got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools}); got.Answer != "" || got.Stop != moothall.StopInterrupted {
		t.Errorf("stop %s, answer %q", got.Stop, got.Answer)
	}
}

func TestCutWithoutMoreRoom(t *testing.T) {
	t.Parallel()
	long := says("A very long story")
	long.stop, long.usage = moothall.StopLength, moothall.Usage{Calls: 1, PromptTokens: 3000, OutputTokens: 1096}
	m := script(long)
	got := run(t, engine.Request{Model: m, Window: 4096})
	if got.Stop != moothall.StopLength || got.Answer != "A very long story" || !got.Partial || len(m.requests) != 1 {
		t.Errorf("stop %s after %d calls, answer %q", got.Stop, len(m.requests), got.Answer)
	}
}
