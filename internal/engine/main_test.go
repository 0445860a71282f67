package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// turn is one reply of a scripted model.
type turn struct {
	chunks []moothall.Chunk
	err    error
	before func()              // called when the model is asked
	hang   bool                // after the chunks, wait for the end of ctx
	usage  moothall.Usage      // of the last chunk
	stop   moothall.StopReason // of the last chunk; empty: done
}

// model answers from a script and remembers what it was asked.
type model struct {
	turns    []turn
	requests []moothall.GenerateRequest
}

func script(turns ...turn) *model { return &model{turns: turns} }

func (m *model) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		r.Messages = slices.Clone(r.Messages)
		m.requests = append(m.requests, r)
		if len(m.requests) > len(m.turns) {
			yield(moothall.Chunk{}, errors.New("the script is at its end"))
			return
		}
		now := m.turns[len(m.requests)-1]
		if now.before != nil {
			now.before()
		}
		for _, c := range now.chunks {
			if ctx.Err() != nil {
				yield(moothall.Chunk{}, ctx.Err())
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if now.hang {
			<-ctx.Done()
			now.err = ctx.Err()
		}
		if now.err != nil {
			yield(moothall.Chunk{}, now.err)
			return
		}
		if now.stop == "" {
			now.stop = moothall.StopDone
		}
		yield(moothall.Chunk{Stop: now.stop, Usage: now.usage}, nil)
	}
}

// last is what the model was asked in the end.
func (m *model) last() moothall.GenerateRequest { return m.requests[len(m.requests)-1] }

// says is a reply of text, in chunks of a few bytes.
func says(text string) turn {
	var t turn
	for len(text) > 0 {
		n := min(3, len(text))
		t.chunks = append(t.chunks, moothall.Chunk{Text: text[:n]})
		text = text[n:]
	}
	return t
}

// calls is a reply of native calls, given as name and arguments in turn.
func calls(nameAndArgs ...string) turn {
	var c moothall.Chunk
	for i := 0; i < len(nameAndArgs); i += 2 {
		c.ToolCalls = append(c.ToolCalls, moothall.ToolCall{Name: moothall.ToolName(nameAndArgs[i]), Arguments: json.RawMessage(nameAndArgs[i+1])})
	}
	return turn{chunks: []moothall.Chunk{c}}
}

// broker executes functions. What it does not have is nil.
type broker struct {
	moothall.Broker
	mu    sync.Mutex
	calls []moothall.CallRequest
	do    func(ctx context.Context, c moothall.ToolCall) (moothall.ToolResult, error)
	note  string
	asks  func(moothall.ToolCall) // the person, who takes their time; nil asks nobody
}

func (b *broker) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		b.mu.Lock()
		b.calls = append(b.calls, r)
		b.mu.Unlock()
		if b.note != "" && !yield(moothall.CallProgress{Note: b.note}, nil) {
			return
		}
		if b.asks != nil {
			if !yield(moothall.CallProgress{Note: "waiting for an answer", Asked: &moothall.Approval{Tool: r.Call.Name}}, nil) {
				return
			}
			b.asks(r.Call)
		}
		if b.do == nil {
			yield(moothall.CallProgress{Result: &moothall.ToolResult{Status: moothall.CallOK, Text: "result of " + string(r.Call.Name)}}, nil)
			return
		}
		res, err := b.do(ctx, r.Call)
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		yield(moothall.CallProgress{Result: &res}, nil)
	}
}

func (b *broker) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.calls)
}

func ok(text string) (moothall.ToolResult, error) {
	return moothall.ToolResult{Status: moothall.CallOK, Text: text}, nil
}

const queryParams = `{"type":"object","properties":{"query":{"type":"string"},"count":{"type":"integer"}},"required":["query"]}`

// search only reads, save changes something.
var (
	searchTool = moothall.ToolSpec{
		Name: "web_search", Aliases: []moothall.ToolName{"google"}, Description: "Searches the web.",
		Parameters: json.RawMessage(queryParams), Risk: moothall.RiskSend, ReadOnly: true,
	}
	saveTool = moothall.ToolSpec{
		Name: "memory_write", Description: "Saves a note.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`), Risk: moothall.RiskWrite,
	}
	bothTools = []moothall.ToolSpec{searchTool, saveTool}
)

func user(text string) []moothall.Message {
	return []moothall.Message{{Role: moothall.RoleUser, Content: text}}
}

// outcome is a run that has ended.
type outcome struct {
	*engine.Result
	events []engine.Event
}

// run runs to the end and checks what every run promises.
func run(t testing.TB, req engine.Request) outcome {
	t.Helper()
	return runContext(t, t.Context(), req)
}

func runContext(t testing.TB, ctx context.Context, req engine.Request) outcome {
	t.Helper()
	if req.Run == "" {
		req.Run = "0190b3a4-0000-7000-8000-000000000001"
	}
	if req.Input == nil && req.History == nil {
		req.Input = user("the question")
	}
	var out outcome
	for e, err := range engine.Run(ctx, req) {
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		if out.Result != nil {
			t.Fatalf("an event after the final one: %+v", e)
		}
		out.events = append(out.events, e)
		out.Result = e.Final
	}
	if out.Result == nil {
		t.Fatal("no final event")
	}
	if err := history.Validate(out.Messages); err != nil || !history.Closed(out.Messages) {
		t.Fatalf("the history to keep is not sound: %v\n%s", err, dump(out.Messages))
	}
	return out
}

// kinds lists the kinds of events, neighbours of one kind as one.
func (o outcome) kinds() string {
	var out []string
	for _, e := range o.events {
		if k := string(e.Kind); len(out) == 0 || out[len(out)-1] != k {
			out = append(out, k)
		}
	}
	return strings.Join(out, " ")
}

// text joins the texts of one kind of event.
func (o outcome) text(k engine.Kind) string {
	var b strings.Builder
	for _, e := range o.events {
		if e.Kind == k {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// voids lists why rounds did not count.
func (o outcome) voids() string {
	var out []string
	for _, e := range o.events {
		if e.Void != "" {
			out = append(out, e.Void)
		}
	}
	return strings.Join(out, " ")
}

func dump(v any) string {
	b, _ := json.MarshalIndent(v, "", " ")
	return string(b)
}

// contents joins everything that is said in messages.
func contents(msgs []moothall.Message) string {
	var b strings.Builder
	for _, m := range msgs {
		b.WriteString(string(m.Role) + ": " + m.Content + "\n")
	}
	return b.String()
}

func mustContain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}
