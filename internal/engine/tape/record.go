package tape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// defaultMax is how many bytes of text a tape holds.
const defaultMax = 8 << 20

// Options for recording.
type Options struct {
	// MaxBytes bounds the text that is kept, before compression; 0 means
	// 8 MiB.
	MaxBytes int
}

// Record returns a request that does the same as r and is recorded.
func Record(r engine.Request) (engine.Request, *Recorder) { return Options{}.Record(r) }

// Record returns a request that does the same as r and is recorded. A request
// that the engine will refuse is recorded as well as one that it will run.
func (o Options) Record(r engine.Request) (engine.Request, *Recorder) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMax
	}
	if r.Run == "" { // the engine would choose one, and the calls' ids follow from it
		r.Run = moothall.RunID(moothall.NewID())
	}
	if r.Meter == nil {
		r.Meter = new(history.Meter)
	}
	r.Meter = r.Meter.Fork(modelKey(&r))
	rec := &Recorder{max: o.MaxBytes, request: r, ratio: r.Meter.Ratio(modelKey(&r)), recalls: map[moothall.CallID][]moothall.Recall{}}
	rec.whole = rec.take(size(&r), "the conversation before")
	rec.wrap(&r)
	return r, rec
}

// Recorder listens to a run. Use it for one.
type Recorder struct {
	max     int
	request engine.Request // as it came, but for the meter
	ratio   float64        // of the meter, before the run
	whole   bool           // the request's history is kept

	mu      sync.Mutex
	used    int
	cut     []string
	lost    int // bytes that the model said and that are not kept
	model   []*heard
	before  []moothall.Message // of the last prompt
	tools   []*ToolCall
	recalls map[moothall.CallID][]moothall.Recall
	checks  []checked
	found   *Retrieved
	began   time.Time
	reads   []time.Duration
	looks   int
	end     *End
}

// checked is a check whose answer has no digest yet.
type checked struct {
	answer string
	Check
}

// wrap puts the recorder between the engine and everything else.
func (r *Recorder) wrap(q *engine.Request) {
	if q.Model != nil {
		q.Model = listening{q.Model, r}
	}
	if q.Broker != nil {
		q.Broker = watching{q.Broker, r}
	}
	if q.Now != nil {
		q.Now = r.now
	}
	if q.Check != nil {
		q.Check = r.check
	}
	if q.Retrieve != nil {
		q.Retrieve = r.retrieve
	}
	if q.Recalls != nil {
		q.Recalls = r.recalled
	}
	q.Ended = r.ended
}

// now reads the clock. The engine reads it in an order that follows from the
// run, but for calls that run at the same time: each of them reads it once,
// and nothing follows from what it reads, since watching times them.
func (r *Recorder) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.request.Now()
	if len(r.reads) == 0 {
		r.began = t
	}
	r.reads = append(r.reads, t.Sub(r.began))
	return t
}

func (r *Recorder) ended(ctx context.Context) error {
	err := ctx.Err()
	if r.request.Ended != nil {
		err = r.request.Ended(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.end == nil {
		r.end = &End{Look: r.looks, Late: errors.Is(err, context.DeadlineExceeded)}
	}
	r.looks++
	return err
}

func (r *Recorder) check(ctx context.Context, answer string) (engine.Verdict, error) {
	v, err := r.request.Check(ctx, answer)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checks = append(r.checks, checked{answer, Check{Verdict: v, Err: failureOf(err)}})
	return v, err
}

func (r *Recorder) retrieve(ctx context.Context, question string) ([]moothall.Recall, error) {
	found, err := r.request.Retrieve(ctx, question)
	n := 0
	for i := range found {
		n += recallSize(&found[i])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = &Retrieved{Err: failureOf(err)}
	if r.take(n, "what was looked up") {
		r.found.Found = found
	}
	return found, err
}

func (r *Recorder) recalled(res moothall.ToolResult) []moothall.Recall {
	list := r.request.Recalls(res)
	n := 0
	for i := range list {
		n += recallSize(&list[i])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.take(n, "memories in a result of "+string(res.Name)) {
		r.recalls[res.Call] = list
	}
	return list
}

func recallSize(c *moothall.Recall) int {
	n := len(c.Segment) + 64*len(c.Candidates)
	if c.Entry != nil {
		n += len(c.Entry.Name) + len(c.Entry.Description) + len(c.Entry.Corpus)
	}
	return n
}

// take reports whether n more bytes fit. Where they do not, what they were is
// named. The caller holds mu.
func (r *Recorder) take(n int, what string) bool {
	if r.used+n <= r.max {
		r.used += n
		return true
	}
	if note := fmt.Sprintf("%s (%d bytes)", what, n); len(r.cut) < maxCuts && !slices.Contains(r.cut, note) {
		r.cut = append(r.cut, note)
	}
	return false
}

const maxCuts = 20 // named; more say nothing new

// What may be missing where another model answers.
const (
	cutModel  = "what the model said"
	cutResult = "the result"
)

// Tape returns the recording. final is the run's result, nil when it ended
// without one. It is for after the run and may be called more than once.
func (r *Recorder) Tape(final *engine.Result) *Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func(used int, cut []string) { r.used, r.cut = used, cut }(r.used, r.cut)
	q := r.request
	q.Meter = history.MeterAt(modelKey(&q), r.ratio)
	t := &Tape{Version: Version, Given: givenOf(&q), Retrieved: r.found, End: r.end, Result: resultOf(final)}
	if q.Now != nil {
		t.Clock = &Clock{Began: r.began, Reads: slices.Clone(r.reads)}
	}
	for _, h := range r.model {
		t.Model = append(t.Model, h.call())
	}
	for _, c := range r.tools {
		kept := *c
		kept.Recalls = r.recalls[c.ID]
		t.Tools = append(t.Tools, kept)
	}
	slices.SortStableFunc(t.Tools, inOrder)
	for _, c := range r.checks {
		c.Answer = digest([]byte(c.answer))
		t.Checks = append(t.Checks, c.Check)
	}
	if !r.whole {
		t.Given.History = nil
	}
	if t.Result != nil && !r.take(t.Result.size(), cutResult) {
		t.Result = nil
	}
	if r.lost > 0 {
		r.cut = append(r.cut, fmt.Sprintf("%s (%d bytes)", cutModel, r.lost))
	}
	t.Cut = slices.Clone(r.cut)
	return t
}

// inOrder puts calls that ran at the same time into the order in which the
// model asked for them, which their ids follow.
func inOrder(a, b ToolCall) int {
	return cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
}
