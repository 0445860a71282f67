package tape_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

// benchTurn is a turn as it may be: a conversation, three rounds of tools, an
// answer of 300 pieces.
func benchTurn() engine.Request {
	var past []moothall.Message
	for i := range 10 {
		past = append(past, user(fmt.Sprintf("question %d, %s", i, words(20)))[0], moothall.Message{Role: moothall.RoleAssistant, Content: words(60)})
	}
	var turns []turn
	for i := range 3 {
		turns = append(turns, calls("web_search", fmt.Sprintf(`{"query":"%d"}`, i)))
	}
	answer := turn{}
	for i := range 300 {
		answer.chunks = append(answer.chunks, moothall.Chunk{Text: fmt.Sprintf("word%d ", i)})
	}
	return engine.Request{
		Model: script(append(turns, answer)...), Broker: &broker{}, Tools: bothTools, History: past, System: words(100), Input: user("And now?"),
		Window: 32000, Run: "0190b3a4-0000-7000-8000-000000000001", Now: time.Now,
	}
}

// BenchmarkRecording runs a turn with and without a recorder, by turns, and
// compares the medians.
func BenchmarkRecording(b *testing.B) {
	var bare, recorded []time.Duration
	timed := func(req engine.Request) time.Duration {
		began := time.Now()
		run(b, b.Context(), req)
		return time.Since(began)
	}
	for b.Loop() {
		bare = append(bare, timed(benchTurn()))
		req, _ := tape.Record(benchTurn())
		recorded = append(recorded, timed(req))
	}
	slices.Sort(bare)
	slices.Sort(recorded)
	x, y := bare[len(bare)/2], recorded[len(recorded)/2]
	b.ReportMetric(float64(x.Nanoseconds()), "bare-ns/turn")
	b.ReportMetric(float64(y.Nanoseconds()), "recorded-ns/turn")
	b.ReportMetric(float64(y)/float64(x), "ratio")
}

// BenchmarkKeep is what follows a turn: digests, JSON and compression.
func BenchmarkKeep(b *testing.B) {
	req, rec := tape.Record(benchTurn())
	final := run(b, b.Context(), req)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		data, err := rec.Tape(final).Marshal()
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes/tape")
}

// BenchmarkReplay is reading a tape and playing it.
func BenchmarkReplay(b *testing.B) {
	req, rec := tape.Record(benchTurn())
	data, err := rec.Tape(run(b, b.Context(), req)).Marshal()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		t, err := tape.Unmarshal(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, report, err := tape.Play(b.Context(), t, tape.Changes{}); err != nil || !report.Same {
			b.Fatal(report.Differences, err)
		}
	}
}
