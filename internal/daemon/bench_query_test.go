package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// atOnce answers without a pause, in twenty lines.
func atOnce(ollamatest.Chat) ollamatest.Reply {
	return ollamatest.Reply{Text: strings.Repeat("word ", 20), Pieces: 20}
}

// pause is what a person leaves between two questions at the least: time for
// the hall to tell of the one before.
const pause = 30 * time.Millisecond

// BenchmarkQuery is what a hall adds to a call of the model server, by turns:
// POST /query; the call that the hall made of it, prompt and tools included,
// put to the server itself; and a bare question put to the server. The record,
// the conversation, the bus and the tape are on disk. "Paced" leaves a pause
// before each; without one the next question comes while the hall is still
// busy with telling of the last.
func BenchmarkQuery(b *testing.B) {
	b.Run("paced", func(b *testing.B) { benchmarkQuery(b, pause) })
	b.Run("at-once", func(b *testing.B) { benchmarkQuery(b, 0) })
}

func benchmarkQuery(b *testing.B, rest time.Duration) {
	var made atomic.Pointer[ollamatest.Chat] // the last call with tools, which is the hall's
	model := ollamatest.New(b, ollamatest.Options{Forget: true, Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if len(c.Tools) > 0 {
			made.Store(&c)
		}
		return atOnce(c)
	}})
	hall, _ := benchHall(b, quiet(), model.URL)
	c := newCaller(b)
	for range 20 { // connections, the card of the model
		c.ask(hall, "hello")
		c.direct(model.URL, bare)
	}
	call, err := json.Marshal(made.Load())
	if err != nil {
		b.Fatal(err)
	}
	var through, same, straight []time.Duration
	for b.Loop() {
		time.Sleep(rest)
		straight = append(straight, c.direct(model.URL, bare))
		time.Sleep(rest)
		same = append(same, c.direct(model.URL, string(call)))
		time.Sleep(rest)
		_, took := c.ask(hall, "hello")
		through = append(through, took)
	}
	b.ReportMetric(percentile(straight, 0.5)*1000, "bare-p50-µs")
	b.ReportMetric((percentile(through, 0.5)-percentile(straight, 0.5))*1000, "added-to-bare-p50-µs")
	b.ReportMetric(percentile(same, 0.5)*1000, "same-p50-µs")
	b.ReportMetric((percentile(through, 0.5)-percentile(same, 0.5))*1000, "added-p50-µs")
	b.ReportMetric((percentile(through, 0.95)-percentile(same, 0.95))*1000, "added-p95-µs")
}

// BenchmarkReplay1000 runs a thousand recorded turns again, each of one tool
// call and an answer, over the socket that commands use.
func BenchmarkReplay1000(b *testing.B) {
	const turns = 1000
	model := ollamatest.New(b, ollamatest.Options{Forget: true, Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if c.Messages[len(c.Messages)-1].Role != "tool" {
			return calls("calculate", `{"expression":"6*7"}`)
		}
		return atOnce(c)
	}})
	hall, h := benchHall(b, quiet(), model.URL)
	c := newCaller(b)
	var asked []moothall.QueryID
	for i := range turns {
		a, _ := c.ask(hall, fmt.Sprint("What is 6 times 7, and what is ", i, "?"))
		asked = append(asked, a.Query)
	}
	client, err := daemon.Connect(b.Context(), h, quiet(), "bench", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	kept(b, client, asked[turns-1])
	for b.Loop() {
		for _, id := range asked {
			if r, err := client.Replay(b.Context(), moothall.ReplayRequest{Query: id}); err != nil || !r.Same || len(r.Again.Tools) != 1 {
				b.Fatalf("%s: %+v, %v", id, r, err)
			}
		}
	}
}

// kept waits for the tape of a turn, which is written after its answer.
func kept(b *testing.B, client moothall.Client, id moothall.QueryID) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
	defer cancel()
	for {
		_, err := client.Replay(ctx, moothall.ReplayRequest{Query: id})
		if err == nil {
			return
		}
		if moothall.ErrorCode(err) != moothall.CodeNotFound {
			b.Fatal(err)
		}
	}
}
