package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
)

// FuzzReply gives the engine any text as a reply, and any text as the
// arguments of a call. run checks what every run promises.
func FuzzReply(f *testing.F) {
	f.Add("I've saved it. Let me search.", `{"query":"a"}`, 3)
	f.Add("<think>a</think>\n<tool_call>{\"name\":\"web_search\"}</tool_call>", `"{}"`, 1)
	f.Add("I don’t have access to current data", `{"query":`, 200)
	f.Add(strings.Repeat("again and again, ", 60), `null`, 7)
	f.Fuzz(func(t *testing.T, text, args string, size int) {
		var first turn
		for rest := text; rest != ""; {
			n := min(max(size, 1), len(rest))
			first.chunks = append(first.chunks, moothall.Chunk{Text: rest[:n]})
			rest = rest[n:]
		}
		m := script(first, calls("web_search", args), first, first, first, first, first, first)
		got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Hedge: "web_search", Window: 4000, Limits: engine.Limits{Rounds: 4}})
		if _, err := json.Marshal(got.Messages); err != nil {
			t.Fatalf("the history cannot be stored: %v", err)
		}
	})
}
