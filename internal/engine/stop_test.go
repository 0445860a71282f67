package engine_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

func TestCancelInMidAnswer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reply := says("Once upon a time")
	reply.hang = true
	m := script(reply)
	var got outcome
	for e, err := range engine.Run(ctx, engine.Request{Model: m, Input: user("story")}) {
		if err != nil {
			t.Fatal(err)
		}
		if got.events = append(got.events, e); strings.HasSuffix(got.text(engine.KindDelta), "time") {
			cancel()
		}
		got.Result = e.Final
	}
	if got.Stop != moothall.StopCanceled || got.Answer != "Once upon a time" || !got.Partial {
		t.Fatalf("result: %s", dump(got.Result))
	}
	if err := history.Validate(got.Messages); err != nil || !history.Closed(got.Messages) {
		t.Errorf("history: %v", err)
	}
	mustContain(t, contents(got.Messages), "Once upon a time\n\n[interrupted]")
}

func TestCancelDuringTools(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := script(calls("memory_write", `{"text":"1"}`, "memory_write", `{"text":"2"}`, "memory_write", `{"text":"3"}`))
	b := &broker{}
	b.do = func(ctx context.Context, c moothall.ToolCall) (moothall.ToolResult, error) {
		if b.count() == 1 {
			return ok("first")
		}
		cancel()
		return moothall.ToolResult{}, ctx.Err()
	}
	got := runContext(t, ctx, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if got.Stop != moothall.StopCanceled || b.count() != 2 || len(got.Calls) != 3 {
		t.Fatalf("stop %s after %d calls", got.Stop, b.count())
	}
	mustContain(t, contents(got.Messages), "tool: first\n", "verify side effects", "stopped before this call began")
}

func TestCancelDuringConcurrentTools(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		m := script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`))
		b := &broker{do: func(ctx context.Context, c moothall.ToolCall) (moothall.ToolResult, error) {
			<-ctx.Done()
			return moothall.ToolResult{}, ctx.Err()
		}}
		time.AfterFunc(time.Second, cancel)
		got := runContext(t, ctx, engine.Request{Model: m, Broker: b, Tools: bothTools})
		if got.Stop != moothall.StopCanceled || len(got.Calls) != 2 {
			t.Errorf("result: %s", dump(got.Result))
		}
	})
}

// A model that ends without an error when it is cancelled, as a broken server
// may, has not answered.
func TestSilentEndAfterCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := runContext(t, ctx, engine.Request{Model: silent{cancel}})
	if got.Stop != moothall.StopCanceled || got.Answer != "Half" {
		t.Errorf("stop %s, answer %q", got.Stop, got.Answer)
	}
}

type silent struct{ cancel func() }

func (s silent) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		yield(moothall.Chunk{Text: "Half"}, nil)
		s.cancel()
	}
}

func TestDeadlineIsABudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got := runContext(t, ctx, engine.Request{Model: script(turn{hang: true})})
		if got.Stop != moothall.StopBudget {
			t.Errorf("stop: %s", got.Stop)
		}
	})
}

func TestCancelBeforeTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := script()
	if got := runContext(t, ctx, engine.Request{Model: m}); got.Stop != moothall.StopCanceled || len(m.requests) != 0 || got.Partial {
		t.Errorf("result: %s", dump(got.Result))
	}
}

// Leaving the loop at any event ends everything behind it; goleak sees what
// stays behind, and the iterator panics when it yields again.
func TestLeavingTheLoop(t *testing.T) {
	t.Parallel()
	request := func(b *broker) engine.Request {
		return engine.Request{
			Model:  script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`, "memory_write", `{"text":"3"}`), turn{}, says("Well done.")),
			Broker: b, Tools: bothTools, Input: user("x"),
		}
	}
	count := len(run(t, request(&broker{note: "n"})).events)
	for stop := range count {
		b, n := &broker{note: "n"}, 0
		for range engine.Run(t.Context(), request(b)) {
			if n++; n > stop {
				break
			}
		}
		if stop < 3 && b.count() > 0 {
			t.Errorf("left at event %d, and %d tools ran", stop, b.count())
		}
	}
}

// In the bubble of synctest a call that nobody stops is a deadlock.
func TestLeavingTheLoopStopsRunningCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &broker{note: "waiting", do: func(ctx context.Context, _ moothall.ToolCall) (moothall.ToolResult, error) {
			<-ctx.Done()
			return moothall.ToolResult{}, ctx.Err()
		}}
		m := script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`))
		for e, err := range engine.Run(context.Background(), engine.Request{Model: m, Broker: b, Tools: bothTools, Input: user("x")}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Text == "waiting" {
				break
			}
		}
	})
}

func TestModelDiesInMidAnswer(t *testing.T) {
	t.Parallel()
	reply := says("The first half")
	reply.err = moothall.Fail(moothall.CodeInterrupted, "generate", "the server went away")
	got := run(t, engine.Request{Model: script(search("1"), reply), Broker: &broker{}, Tools: bothTools})
	if got.Stop != moothall.StopInterrupted || got.Answer != "The first half" || !errors.Is(got.Err, reply.err) || len(got.Calls) != 1 || !got.Partial {
		t.Errorf("result: %s", dump(got.Result))
	}
}

func TestModelDoesNotAnswerAtAll(t *testing.T) {
	t.Parallel()
	fault := moothall.Fail(moothall.CodeNotFound, "generate", "no such model")
	got := run(t, engine.Request{Model: script(turn{err: fault})})
	if got.Stop != moothall.StopError || got.Err != error(fault) || got.Partial || got.Answer != "" {
		t.Errorf("result: %s", dump(got.Result))
	}
	mustContain(t, contents(got.Messages), "user: the question", history.Unanswered)
}

func TestBrokenHistoryIsRepaired(t *testing.T) {
	t.Parallel()
	past := []moothall.Message{
		{Role: moothall.RoleTool, Content: "orphan", CallID: "x"},
		{Role: moothall.RoleUser, Content: "Do it."},
		{Role: moothall.RoleAssistant, Thinking: "hm", ToolCalls: []moothall.ToolCall{{ID: "c", Name: "memory_write", Arguments: []byte(`{"text":"1"}`)}}},
	}
	m := script(says("I see."))
	run(t, engine.Request{Model: m, History: past, Input: user("And?")})
	sent := contents(m.last().Messages)
	mustContain(t, sent, "verify side effects", history.Unanswered, "user: And?")
	if strings.Contains(sent, "orphan") {
		t.Errorf("the orphan is sent:\n%s", sent)
	}
}

func TestGoOnWithoutInput(t *testing.T) {
	t.Parallel()
	past := []moothall.Message{
		{Role: moothall.RoleUser, Content: "Do it."},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c", Name: "memory_write", Arguments: []byte(`{"text":"1"}`)}}},
		{Role: moothall.RoleTool, Content: "done", ToolName: "memory_write", CallID: "c"},
	}
	m := script(says("It is done."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, History: past})
	if got.Answer != "It is done." || len(got.Messages) != 4 {
		t.Errorf("messages:\n%s", contents(got.Messages))
	}
}

func TestResumeUnderTheSameName(t *testing.T) {
	t.Parallel()
	first := run(t, engine.Request{Model: script(search("1"), says("One.")), Broker: &broker{}, Tools: bothTools, Input: user("a")})
	b := &broker{}
	run(t, engine.Request{Model: script(search("1"), says("Two.")), Broker: b, Tools: bothTools, History: first.Messages, Input: user("b")})
	if old := first.Messages[1].ToolCalls[0].ID; b.calls[0].Call.ID == old {
		t.Errorf("the id %s is used twice", old)
	}
}
