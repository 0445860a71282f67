package engine_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// big is a broker whose results have n bytes, each its own.
func big(n int) *broker {
	b := &broker{}
	b.do = func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
		return ok(strings.Repeat(fmt.Sprintf("result %d. ", b.count()), n/10))
	}
	return b
}

func TestOldResultsBecomeOneLine(t *testing.T) {
	t.Parallel()
	var turns []turn
	for i := range 6 {
		turns = append(turns, search(fmt.Sprint(i)))
	}
	m := script(append(turns, says("Enough."))...)
	// Six results of about 1,200 tokens in a window of 8,000: the sixth
	// prompt passes three quarters.
	got := run(t, engine.Request{Model: m, Broker: big(4000), Tools: bothTools, Window: 8000, Limits: engine.Limits{Rounds: 20}})
	if !strings.Contains(got.kinds(), "compacted") || got.Stop != moothall.StopDone {
		t.Fatalf("stop %s, events: %s", got.Stop, got.kinds())
	}
	for name, msgs := range map[string][]moothall.Message{"sent": m.last().Messages, "kept": got.Messages} {
		var lengths []int
		for _, msg := range msgs {
			if msg.Role == moothall.RoleTool {
				lengths = append(lengths, len(msg.Content))
			}
		}
		if len(lengths) != 6 {
			t.Fatalf("%s: %d results", name, len(lengths))
		}
		short := 0
		for _, n := range lengths[:3] {
			if n < 200 {
				short++
			}
		}
		if short == 0 || lengths[3] < 3000 || lengths[4] < 3000 || lengths[5] < 3000 {
			t.Errorf("%s: the old ones should be short and the last three whole: %v", name, lengths)
		}
	}
	mustContain(t, contents(m.last().Messages), "[shortened from ", "result 1.")
}

func TestNothingIsShortenedBefore(t *testing.T) {
	t.Parallel()
	m := script(search("1"), search("2"), search("3"), search("4"), says("Enough."))
	got := run(t, engine.Request{Model: m, Broker: big(4000), Tools: bothTools, Window: 16000, Limits: engine.Limits{Rounds: 20}})
	if strings.Contains(got.kinds(), "compacted") {
		t.Errorf("events: %s", got.kinds())
	}
}

// talk is a conversation of n turns of about size bytes each.
func talk(n, size int) []moothall.Message {
	var out []moothall.Message
	for i := range n {
		out = append(out,
			moothall.Message{Role: moothall.RoleUser, Content: fmt.Sprintf("question %d %s", i, strings.Repeat("q", size/2))},
			moothall.Message{Role: moothall.RoleAssistant, Content: fmt.Sprintf("answer %d %s", i, strings.Repeat("a", size/2))})
	}
	return out
}

func TestOldestTurnsAreLeftOut(t *testing.T) {
	t.Parallel()
	m := script(says("Yes."))
	got := run(t, engine.Request{Model: m, System: "S", History: talk(20, 2000), Input: user("last"), Window: 8000})
	sent := m.last().Messages
	if n := history.Size(sent...); n > 8000*4 || len(sent) > 30 {
		t.Errorf("%d messages of %d bytes are sent", len(sent), n)
	}
	if sent[0].Content != "S" || !strings.HasPrefix(sent[1].Content, "[Earlier messages were left out") || sent[len(sent)-1].Content != "last" {
		t.Errorf("sent: %.300s", contents(sent))
	}
	if !strings.Contains(got.text(engine.KindCompacted), "left out") {
		t.Error("it was done in silence")
	}
	if len(got.Messages) != 42 {
		t.Errorf("%d messages are kept", len(got.Messages))
	}
}

// What the engine said to a model on the way is not the user's last word.
func TestTheQuestionStaysBesideDrafts(t *testing.T) {
	t.Parallel()
	turns := []turn{search("a"), says("Let me search for more."), says(`<tool_call>{"arguments": {}}</tool_call>`)}
	for i := range 8 {
		turns = append(turns, search(fmt.Sprint(i)))
	}
	m := script(append(turns, says("Enough."))...)
	got := run(t, engine.Request{
		Model: m, System: "S", Broker: big(12000), Tools: bothTools, History: talk(2, 100), Input: user("the question"), Tail: "Tuesday.",
		Window: 8000, Limits: engine.Limits{Rounds: 20},
	})
	sent := m.last().Messages
	if got.Answer != "Enough." || got.voids() != "nudge broken" || len(sent) < 2 || !strings.HasSuffix(sent[1].Content, "Tuesday.\n\nthe question") {
		t.Errorf("answer %q, voids %q, sent: %.600s", got.Answer, got.voids(), contents(sent))
	}
	if err := history.Validate(sent); err != nil || len(sent) > 8 {
		t.Errorf("%d messages are sent: %v", len(sent), err)
	}
}

// A long run leaves something out again and again, and says so once.
func TestLeftOutIsSaidOnce(t *testing.T) {
	t.Parallel()
	var turns []turn
	for i := range 12 {
		turns = append(turns, search(fmt.Sprint(i)))
	}
	m := script(append(turns, says("Enough."))...)
	got := run(t, engine.Request{Model: m, Broker: big(12000), Tools: bothTools, Window: 8000, Limits: engine.Limits{Rounds: 20}})
	if n := strings.Count(contents(m.last().Messages), "[Earlier messages were left out"); n != 1 || got.Answer != "Enough." {
		t.Errorf("it is said %d times; answer %q", n, got.Answer)
	}
}

// What tools take is not there for the conversation: more of it is left out
// then, and the question is answered.
func TestLargeToolsLeaveLessOfTheConversation(t *testing.T) {
	t.Parallel()
	wordy := fmt.Sprintf(`{"type":"object","properties":{"query":{"type":"string","description":%q}}}`, strings.Repeat("what to look for ", 700))
	tools := []moothall.ToolSpec{{Name: "search", Description: "Looks something up.", Parameters: []byte(wordy)}}
	m := script(says("Yes."))
	got := run(t, engine.Request{Model: m, Broker: big(10), Tools: tools, History: talk(20, 2000), Input: user("last"), Window: 8000})
	if got.Answer != "Yes." {
		t.Fatalf("result: %v", got.Err)
	}
	if n := len(m.last().Messages); n < 5 || n > 15 {
		t.Errorf("%d messages are sent", n)
	}
}

func TestQuestionThatDoesNotFit(t *testing.T) {
	t.Parallel()
	m := script()
	got := run(t, engine.Request{Model: m, Input: user(strings.Repeat("long ", 8000)), System: "S", Window: 4000})
	if got.Stop != moothall.StopError || moothall.ErrorCode(got.Err) != moothall.CodeTooLarge || len(m.requests) != 0 {
		t.Fatalf("result: %v", got.Err)
	}
	mustContain(t, got.Err.Error(), "window of 4000 tokens", "the conversation take about 1")
	if moothall.ErrorRemedy(got.Err) == "" {
		t.Error("no remedy")
	}
}

func TestServerSaysTooLarge(t *testing.T) {
	t.Parallel()
	tooLarge := moothall.Fail(moothall.CodeTooLarge, "generate", "over the window")
	m := script(turn{err: tooLarge}, says("Now it fits."))
	got := run(t, engine.Request{Model: m, History: talk(10, 2000), Input: user("last")})
	if got.Answer != "Now it fits." || len(m.requests[1].Messages) >= len(m.requests[0].Messages) {
		t.Errorf("result: %s", dump(got.Result))
	}
	again := script(turn{err: tooLarge}, turn{err: tooLarge})
	if got := run(t, engine.Request{Model: again, History: talk(10, 2000), Input: user("last"), Window: 99999}); moothall.ErrorCode(got.Err) != moothall.CodeTooLarge ||
		!strings.Contains(got.Err.Error(), "conversation") || len(again.requests) != 2 {
		t.Errorf("%d calls: %v", len(again.requests), got.Err)
	}
}

// narrow is a model whose window nobody knows: it refuses what is longer.
type narrow struct {
	*model
	bytes   int
	refused int
}

func (n *narrow) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	if history.Size(r.Messages...) <= n.bytes {
		return n.model.Generate(ctx, r)
	}
	n.refused++
	return func(yield func(moothall.Chunk, error) bool) {
		yield(moothall.Chunk{}, moothall.Fail(moothall.CodeTooLarge, "generate", "over the window"))
	}
}

// A long run fills such a window more than once.
func TestServerSaysTooLargeAgain(t *testing.T) {
	t.Parallel()
	var turns []turn
	for i := range 15 {
		turns = append(turns, search(fmt.Sprint(i)))
	}
	m := &narrow{model: script(append(turns, says("Enough."))...), bytes: 20_000}
	got := run(t, engine.Request{Model: m, Broker: big(4000), Tools: bothTools, Limits: engine.Limits{Rounds: 20}})
	if got.Answer != "Enough." || m.refused < 2 {
		t.Errorf("stop %s after %d calls, %d times refused, %v", got.Stop, len(got.Calls), m.refused, got.Err)
	}
}

// Servers that cut prompts are found out by their count, which comes last: what
// they said is no answer to the question.
func TestServerCutThePrompt(t *testing.T) {
	t.Parallel()
	wrong := says("Which question?")
	wrong.err = moothall.Fail(moothall.CodeTooLarge, "generate", "the rest was cut")
	got := run(t, engine.Request{Model: script(wrong, says("Now it fits.")), History: talk(10, 2000), Input: user("last")})
	if got.Answer != "Now it fits." || got.Stop != moothall.StopDone || got.voids() != engine.VoidRefuse {
		t.Errorf("stop %s, answer %q, voids %q", got.Stop, got.Answer, got.voids())
	}
	got = run(t, engine.Request{Model: script(wrong, wrong), Input: user("last"), Window: 4000})
	if got.Answer != "" || moothall.ErrorCode(got.Err) != moothall.CodeTooLarge || moothall.ErrorRemedy(got.Err) == "" || strings.Contains(contents(got.Messages), "Which") {
		t.Errorf("stop %s, answer %q, %v", got.Stop, got.Answer, got.Err)
	}
}

func TestHugeResultIsCut(t *testing.T) {
	t.Parallel()
	m := script(search("1"), says("Long."))
	got := run(t, engine.Request{Model: m, Broker: big(500_000), Tools: bothTools, Window: 4000})
	if got.Answer != "Long." {
		t.Fatalf("result: %s", dump(got.Result.Err))
	}
	mustContain(t, contents(m.last().Messages), "[cut: the first ")
}

// What is asked for in one reply comes into the prompt together. The small
// ones stay whole.
func TestHugeResultsOfOneReplyFitTogether(t *testing.T) {
	t.Parallel()
	small := "the small one. " + strings.Repeat("x", 500)
	b := &broker{do: func(_ context.Context, c moothall.ToolCall) (moothall.ToolResult, error) {
		if strings.Contains(string(c.Arguments), "small") {
			return ok(small)
		}
		return ok(strings.Repeat("0123456789", 50_000))
	}}
	m := script(calls("web_search", `{"query":"a"}`, "web_search", `{"query":"small"}`, "web_search", `{"query":"b"}`, "web_search", `{"query":"c"}`), says("Long."))
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Window: 8000})
	if got.Answer != "Long." {
		t.Fatalf("result: %v", got.Err)
	}
	for i, msg := range m.last().Messages[2:6] {
		if whole := msg.Content == small; whole != (i == 1) || !whole && (len(msg.Content) < 4000 || !strings.Contains(msg.Content, "[cut: the first ")) {
			t.Errorf("result %d has %d bytes", i, len(msg.Content))
		}
	}
	if len(got.Calls[0].Result) != 500_000 {
		t.Errorf("a person sees %d bytes", len(got.Calls[0].Result))
	}
}

func TestMeasuredTokensCalibrate(t *testing.T) {
	t.Parallel()
	var meter history.Meter
	reply := says("x")
	reply.usage = moothall.Usage{Calls: 1, PromptTokens: 2000, OutputTokens: 1}
	m := script(reply)
	got := run(t, engine.Request{Model: m, Meter: &meter, Provider: "p", ModelName: "n", Input: user(strings.Repeat("x", 4000-16))})
	if n := meter.Tokens("p/n", 4000); n < 1950 || n > 2050 {
		t.Errorf("4,000 bytes are taken for %d tokens", n)
	}
	if got.Usage.PromptTokens != 2000 {
		t.Errorf("usage: %+v", got.Usage)
	}
}

// A model that is shown tools in lines has the room that their schemas would
// have taken, so that a conversation with it does not end after a few looks
// into the memory.
func TestToolsInLinesTakeLittleRoom(t *testing.T) {
	t.Parallel()
	wordy := fmt.Sprintf(`{"type":"object","properties":{"query":{"type":"string","description":%q}}}`, strings.Repeat("what to look for ", 700))
	tools := []moothall.ToolSpec{{Name: "search", Description: "Looks something up.", Parameters: []byte(wordy)}}
	for lines, want := range map[bool]moothall.Code{true: "", false: moothall.CodeTooLarge} {
		r := engine.Request{
			Model: script(says("Fine.")), Broker: big(10), Tools: tools, Window: 3000,
			Abilities: engine.AbilitiesOf(moothall.ModelCard{Tools: engine.ToolsNative, Offer: map[bool]int{true: 9}[lines]}),
		}
		got := run(t, r)
		if code := moothall.ErrorCode(got.Err); code != want {
			t.Errorf("lines %v: %v", lines, got.Err)
		}
		if size := engine.OfferOf(r).Bytes; lines != (size < 200) {
			t.Errorf("lines %v: the tools take %d bytes", lines, size)
		}
	}
}
