package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// rounds is a model that calls a tool n times and then answers in a few
// chunks.
type rounds struct{ n, done int }

func (m *rounds) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		last := moothall.Chunk{Stop: moothall.StopDone, Usage: moothall.Usage{Calls: 1, PromptTokens: 400, OutputTokens: 40}}
		if m.done < m.n {
			m.done++
			last.ToolCalls = []moothall.ToolCall{{Name: "web_search", Arguments: json.RawMessage(fmt.Sprintf(`{"query":"%d"}`, m.done))}}
			yield(last, nil)
			return
		}
		for _, s := range []string{"The capital ", "of France ", "is Paris, ", "and it has been ", "for a long time."} {
			if !yield(moothall.Chunk{Text: s}, nil) {
				return
			}
		}
		yield(last, nil)
	}
}

func drain(b *testing.B, req engine.Request) {
	b.Helper()
	var stop moothall.StopReason
	for e, err := range engine.Run(b.Context(), req) {
		if err != nil {
			b.Fatal(err)
		}
		if e.Final != nil {
			stop = e.Final.Stop
		}
	}
	if stop != moothall.StopDone {
		b.Fatalf("stop: %s", stop)
	}
}

func benchmarkRounds(b *testing.B, n int) {
	var meter history.Meter
	past := talk(4, 400)
	b.ReportAllocs()
	for b.Loop() {
		drain(b, engine.Request{
			Model: &rounds{n: n}, Broker: &broker{}, Tools: bothTools, System: "You are helpful.", History: past, Input: user("Capital of France?"),
			Tail: "Today is Monday.", Run: "0190b3a4-0000-7000-8000-000000000001", Window: 32000, Limits: engine.Limits{Rounds: n + 2},
			Meter: &meter, Now: time.Now,
		})
	}
	if n > 0 {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/round")
	}
}

func BenchmarkRoundNoTools(b *testing.B) { benchmarkRounds(b, 0) }

func BenchmarkTenToolRounds(b *testing.B) { benchmarkRounds(b, 10) }

func BenchmarkHundredToolRounds(b *testing.B) { benchmarkRounds(b, 100) }
