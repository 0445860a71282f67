package tape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// Changes say what is other than it was. The zero value changes nothing.
type Changes struct {
	// Model answers in place of the recording. Another prompt or another
	// model's name needs it.
	Model     moothall.Model
	Provider  string  // of the live model; "" as recorded
	ModelName string  // of the live model; "" as recorded
	System    *string // another system prompt
	// Abilities and Window are those of the live model; nil and 0 as recorded.
	Abilities *engine.Abilities
	Window    int
	// Now times a live replay; nil: nothing is timed.
	Now func() time.Time
	// Decide is another policy. It gets a call and the labels of the results
	// before it. What it denies is denied in the words of the broker. What it
	// would ask a person about gets the recorded result, with a word in the
	// report, and so does what a person was asked about and it would not. What it
	// allows although it was denied has no result on record.
	// Calls that run at the same time may ask it at the same time.
	Decide func(ctx context.Context, call moothall.ToolCall, labels moothall.Label) moothall.Decision
}

// Report says how a replay went.
type Report struct {
	// Same: the result is the recorded one, byte for byte.
	Same bool
	// Differences are in words for people: what the replay met on its way,
	// and what came of it.
	Differences []string
	// Unrecorded are the calls for which the tape has no result.
	Unrecorded []moothall.ToolCall
}

// Play runs a recorded run again. Nothing is executed. CodeInvalid when the
// changes make no sense, CodeUnsupported for a tape that cannot be played so;
// what the run itself comes to is in the result.
func Play(ctx context.Context, t *Tape, c Changes) (*engine.Result, Report, error) {
	if err := c.check(t); err != nil {
		return nil, Report{}, err
	}
	p := &player{tape: t, changes: c, used: make([]bool, len(t.Tools)), entries: map[moothall.CallID]int{}}
	var final *engine.Result
	for e, err := range engine.Run(ctx, p.request()) {
		if err != nil {
			return nil, Report{}, err
		}
		final = e.Final
	}
	return final, p.finish(final), nil
}

func (c *Changes) check(t *Tape) error {
	if c.Model == nil && (c.System != nil || c.ModelName != "" || c.Provider != "") {
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: "replay", Message: "another prompt or model cannot be tried with recorded replies", Remedy: "name a model that answers",
		}
	}
	if t.Whole() || c.Model != nil && !t.lacksResults() {
		return nil
	}
	why := "its result is missing"
	if len(t.Cut) > 0 {
		why = "it lacks " + t.Cut[0]
	}
	return moothall.Fail(moothall.CodeUnsupported, "replay", "the recording of this run is not whole: "+why)
}

// lacksResults reports whether a tape that was cut lacks more than what the
// model said, so that not even another model can be tried on it.
func (t *Tape) lacksResults() bool {
	return slices.ContainsFunc(t.Cut, func(what string) bool {
		return !strings.HasPrefix(what, cutModel) && !strings.HasPrefix(what, cutResult)
	})
}

// player stands for everything outside of a run.
type player struct {
	tape    *Tape
	changes Changes

	mu      sync.Mutex
	report  Report
	asked   int                // model calls so far
	before  []moothall.Message // of the last prompt
	reads   int
	looks   int
	used    []bool                  // of the tape's tool calls
	entries map[moothall.CallID]int // the tape's entry for a call of this run
	// labels are of results that certainly were there before the next call;
	// fresh ones may be of calls that run beside it.
	labels, fresh moothall.Label
	checks        int
}

// request is the recorded request with the player all around.
func (p *player) request() engine.Request {
	g, c := &p.tape.Given, &p.changes
	r := g.request()
	r.Model, r.Ended, r.Now = recordedModel{p}, p.ended, p.clock()
	if c.Model != nil {
		p.live(&r)
	}
	if g.Broker {
		r.Broker = playedBroker{p: p}
	}
	if g.Check {
		r.Check = p.check
	}
	if g.Retrieve {
		r.Retrieve = p.retrieve
	}
	if g.Recalls {
		r.Recalls = p.recalls
	}
	return r
}

// live puts in what belongs to another model.
func (p *player) live(r *engine.Request) {
	c := &p.changes
	r.Model = liveModel{c.Model, p}
	if c.System != nil {
		r.System = *c.System
	}
	if c.ModelName != "" || c.Provider != "" {
		r.Provider, r.ModelName = c.Provider, c.ModelName
		r.Meter = history.MeterAt(modelKey(r), 0)
	}
	if c.Abilities != nil {
		r.Abilities = *c.Abilities
	}
	if c.Window != 0 {
		r.Window = c.Window
	}
}

// clock is the tape's, or the caller's for a live model.
func (p *player) clock() func() time.Time {
	switch c := p.tape.Clock; {
	case p.changes.Model != nil && p.changes.Now != nil:
		return p.changes.Now
	case c == nil:
		return nil
	case p.changes.Model != nil:
		return func() time.Time { return c.Began }
	}
	return p.now
}

func (p *player) now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.tape.Clock
	if len(c.Reads) == 0 {
		return c.Began
	}
	at := c.Reads[min(p.reads, len(c.Reads)-1)]
	p.reads++
	return c.Began.Add(at)
}

func (p *player) ended(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looks++
	if err := ctx.Err(); err != nil {
		return err
	}
	if e := p.tape.End; e != nil && p.changes.Model == nil && p.looks > e.Look {
		return ended(e.Late)
	}
	return nil
}

// note adds to the report. The caller holds mu.
func (p *player) note(format string, args ...any) {
	p.report.Differences = append(p.report.Differences, fmt.Sprintf(format, args...))
}

// finish compares the results.
func (p *player) finish(final *engine.Result) Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.tape.Model); p.changes.Model == nil && p.asked < n {
		p.note("the model was asked %s, %s before", times(p.asked), times(n))
	}
	recorded := p.tape.Result
	if recorded == nil {
		return p.report
	}
	again := resultOf(final)
	p.report.Same = recorded.equal(again)
	p.report.Differences = append(p.report.Differences, Diff(p.tape.Answer(), AnswerOf(final))...)
	if !p.report.Same && again != nil && recorded.Rounds != again.Rounds {
		p.note("there were %d rounds instead of %d", again.Rounds, recorded.Rounds)
	}
	if !p.report.Same && len(p.report.Differences) == 0 && p.changes.Model == nil {
		p.note("the result differs in what is not shown: times, marks or the history that is kept")
	}
	return p.report
}
