package daemon_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// The pace of a model of seven billion parameters on a small graphics card.
const (
	readPrompt = 100 * time.Millisecond
	perToken   = 10 * time.Millisecond
	tokens     = 20
)

// paced answers at that pace. A question that a person waits for has no
// temperature in this benchmark, and everything else has one or is no
// question: that is work of the observers.
type paced struct {
	background atomic.Int64 // calls of observers
	until      atomic.Int64 // when the last of those would end, undisturbed
}

func (p *paced) respond(c ollamatest.Chat) ollamatest.Reply {
	r := ollamatest.Reply{Text: strings.Repeat("word ", tokens), Pieces: tokens, Delay: perToken}
	wait := readPrompt
	last := c.Messages[len(c.Messages)-1].Content
	if _, warm := c.Options["temperature"]; warm || !strings.HasPrefix(last, "Question ") {
		p.background.Add(1)
		p.until.Store(time.Now().Add(readPrompt + tokens*perToken).UnixNano())
		r.Text = "It says what was asked, and no more than that, in few words and clearly enough. [RESULT] 4"
	}
	if c.Stream != nil && !*c.Stream { // all at once, when it is done
		wait += tokens * perToken
	}
	ready := make(chan struct{})
	time.AfterFunc(wait, func() { close(ready) })
	r.Wait = ready
	return r
}

func (p *paced) busy() bool { return time.Now().UnixNano() < p.until.Load() }

// observed is a hall before a paced model that answers one call at a time.
func observed(b *testing.B, c daemon.Config) (*daemon.Hall, *paced) {
	p := new(paced)
	model := ollamatest.New(b, ollamatest.Options{Forget: true, Respond: p.respond})
	hall, _ := benchHall(b, c, model.URL)
	return hall, p
}

// BenchmarkObservers asks a hall in which nobody listens, and one in which
// respondent B, the critic, the keeper of the score and the memory do, by
// turns, and compares when the first word came. The model server takes one
// call at a time, and the observers have work for it whenever a question
// comes.
func BenchmarkObservers(b *testing.B) {
	alone, _ := observed(b, quiet())
	on := judgedConfig()
	on.Memory.Model = true
	judged, work := observed(b, on)
	c := newCaller(b)
	c.first(alone, "Question 0?")
	c.first(judged, "Question 0?")
	var without, with []time.Duration
	met := 0
	for b.Loop() {
		for range 15 { // a median needs some
			n := len(with)
			first, _ := c.first(alone, fmt.Sprintf("Question %d?", n))
			without = append(without, first)
			if work.busy() {
				met++
			}
			first, _ = c.first(judged, fmt.Sprintf("Question %d?", n))
			with = append(with, first)
		}
	}
	b.ReportMetric(percentile(without, 0.5), "alone-first-p50-ms")
	b.ReportMetric(percentile(with, 0.5), "observed-first-p50-ms")
	b.ReportMetric(percentile(with, 0.95), "observed-first-p95-ms")
	b.ReportMetric(100*(percentile(with, 0.5)/percentile(without, 0.5)-1), "overhead-%")
	b.ReportMetric(100*float64(met)/float64(len(with)), "met-work-%")
	b.ReportMetric(float64(work.background.Load())/float64(len(with)), "background-calls/question")
}
