package tape_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// turn is one reply of a scripted model.
type turn struct {
	chunks []moothall.Chunk
	err    error
	before func()
	hang   bool // after the chunks, wait for the end of ctx
	usage  moothall.Usage
	stop   moothall.StopReason // empty: done
}

// model answers from a script.
type model struct {
	turns []turn
	asked int
}

func script(turns ...turn) *model { return &model{turns: turns} }

func (m *model) Generate(ctx context.Context, _ moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		m.asked++
		if m.asked > len(m.turns) {
			yield(moothall.Chunk{}, errors.New("the script is at its end"))
			return
		}
		now := m.turns[m.asked-1]
		if now.before != nil {
			now.before()
		}
		for _, c := range now.chunks {
			c.Provider, c.Model = "here", "small"
			if !yield(c, nil) {
				return
			}
		}
		if now.hang {
			<-ctx.Done()
			now.err = ctx.Err()
		}
		if now.err != nil {
			yield(moothall.Chunk{Sent: []moothall.Egress{{Host: "m.example", Bytes: 9}}}, nil)
			yield(moothall.Chunk{}, now.err)
			return
		}
		if now.stop == "" {
			now.stop = moothall.StopDone
		}
		yield(moothall.Chunk{Stop: now.stop, Usage: now.usage, Provider: "here", Model: "small", Sent: []moothall.Egress{{Host: "m.example", Bytes: 100}}}, nil)
	}
}

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

func thinks(thought, text string) turn {
	t := says(text)
	t.chunks = append([]moothall.Chunk{{Thinking: thought}, {Thinking: " Well."}}, t.chunks...)
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

// broker executes a function, and asks a person first where there is ask.
type broker struct {
	moothall.Broker
	mu    sync.Mutex
	count int
	ask   bool
	begun func() // called before a call's first word
	do    func(ctx context.Context, c moothall.ToolCall, n int) (moothall.ToolResult, error)
}

func (b *broker) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		b.mu.Lock()
		b.count++
		n := b.count
		b.mu.Unlock()
		if b.begun != nil {
			b.begun()
		}
		if !yield(moothall.CallProgress{Note: "working"}, nil) {
			return
		}
		if b.ask && !yield(moothall.CallProgress{Asked: &moothall.Approval{ID: "a", Tool: r.Call.Name, Arguments: r.Call.Arguments}}, nil) {
			return
		}
		res := moothall.ToolResult{
			Status: moothall.CallOK, Text: "<result> of " + string(r.Call.Arguments), Data: json.RawMessage(`{"a": "<b>"}`), Labels: moothall.Untrusted,
			Sent: []moothall.Egress{{Host: "t.example", Bytes: 7}},
		}
		var err error
		if b.do != nil {
			res, err = b.do(ctx, r.Call, n)
		}
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		yield(moothall.CallProgress{Result: &res}, nil)
	}
}

var (
	searchTool = moothall.ToolSpec{
		Name: "web_search", Aliases: []moothall.ToolName{"google"}, Description: "Searches <the> web.", Risk: moothall.RiskSend, ReadOnly: true,
		Parameters: json.RawMessage(`{"type": "object", "properties":{"query":{"type":"string"},"count":{"type":"integer"}},"required":["query"]}`),
	}
	saveTool = moothall.ToolSpec{
		Name: "memory_write", Description: "Saves a note.", Risk: moothall.RiskWrite,
		Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
	}
	bothTools = []moothall.ToolSpec{searchTool, saveTool}
)

func user(text string) []moothall.Message {
	return []moothall.Message{{Role: moothall.RoleUser, Content: text}}
}

// clock moves on by an odd step each time that it is read, also by several.
func clock() func() time.Time {
	var mu sync.Mutex
	at := time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(1234567 * time.Nanosecond)
		return at
	}
}

// run runs to the end.
func run(t testing.TB, ctx context.Context, r engine.Request) *engine.Result {
	t.Helper()
	var final *engine.Result
	for e, err := range engine.Run(ctx, r) {
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		final = e.Final
	}
	if final == nil {
		t.Fatal("no final event")
	}
	return final
}

// record runs a request and returns its tape, after a trip through its bytes.
func record(t testing.TB, ctx context.Context, r engine.Request) (*engine.Result, *tape.Tape) {
	t.Helper()
	r, rec := tape.Record(r)
	final := run(t, ctx, r)
	return final, trip(t, rec.Tape(final))
}

func trip(t testing.TB, in *tape.Tape) *tape.Tape {
	t.Helper()
	b, err := in.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	out, err := tape.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func dump(v any) string {
	b, _ := json.MarshalIndent(v, "", " ")
	return string(b)
}
