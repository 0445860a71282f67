package story

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall"
)

// observed waits for what observers have to do about a turn, and lists what
// they did not.
func (p player) observed(ctx context.Context, e Expect, a moothall.Answer) []string {
	ctx, cancel := context.WithTimeout(ctx, p.o.Patience)
	defer cancel()
	w := newWatch(e, a)
	out := w.await(ctx, p)
	if len(out) > 0 {
		return out
	}
	for _, want := range e.Engrams {
		out = append(out, p.eventually(ctx, "the memory of it", want, func() ([]record, error) { return p.engrams(ctx, a) })...)
	}
	for _, want := range e.Judgements {
		out = append(out, p.eventually(ctx, "its judgement", want, func() ([]record, error) { return p.judgements(ctx, a) })...)
	}
	if len(out) > 0 {
		return out
	}
	return w.recount(ctx, p)
}

// watch counts the events that are waited for.
type watch struct {
	a      moothall.Answer
	wanted []Event
	seen   []int      // by place in wanted: how many fit
	near   [][]string // and in what way the last one did not that nearly did
}

func newWatch(e Expect, a moothall.Answer) *watch {
	w := &watch{a: a}
	for _, s := range e.Follows {
		w.wanted = append(w.wanted, Event{Subject: s})
	}
	w.wanted = append(w.wanted, e.Then...)
	w.seen, w.near = make([]int, len(w.wanted)), make([][]string, len(w.wanted))
	return w
}

func (w *watch) query() moothall.EventQuery {
	q := moothall.EventQuery{Session: w.a.Session, Replay: true}
	for _, e := range w.wanted {
		q.Subjects = append(q.Subjects, moothall.Subject(e.Subject))
	}
	return q
}

// note holds an event against everything that is waited for.
func (w *watch) note(e moothall.Event) {
	if e.Query != w.a.Query {
		return
	}
	for i, want := range w.wanted {
		if string(e.Subject) != want.Subject || want.Respondent != "" && want.Respondent != respondentOf(e) {
			continue
		}
		if problems := misfits(want.Payload, e.Payload); len(problems) > 0 {
			w.near[i] = problems
		} else {
			w.seen[i]++
		}
	}
}

// respondentOf reads whose answer an event is about: of its envelope, or of
// its payload where the envelope does not say.
func respondentOf(e moothall.Event) string {
	if e.Respondent != "" {
		return string(e.Respondent)
	}
	var p struct {
		Respondent string `json:"respondent_id"`
	}
	_ = json.Unmarshal(e.Payload, &p) // a payload of another shape names nobody
	return p.Respondent
}

// needed is how many events there must be before the wait is over.
func (e Event) needed() int {
	if e.Count != nil {
		return *e.Count
	}
	return 1
}

func (w *watch) done() bool {
	for i, e := range w.wanted {
		if w.seen[i] < e.needed() {
			return false
		}
	}
	return true
}

// await reads events until all have come. Events are durable, so that those
// which were there first are seen as well.
func (w *watch) await(ctx context.Context, p player) []string {
	if w.done() {
		return nil
	}
	for e, err := range p.c.Events(ctx, w.query()) {
		if err != nil {
			return w.missing(ctx, p, err)
		}
		if w.note(e); w.done() {
			return nil
		}
	}
	return w.missing(ctx, p, nil)
}

func (w *watch) missing(ctx context.Context, p player, err error) (out []string) {
	if err != nil && ctx.Err() == nil {
		out = append(out, "the events ended: "+err.Error())
	}
	for i, e := range w.wanted {
		switch {
		case w.seen[i] >= e.needed():
		case w.near[i] != nil:
			for _, problem := range w.near[i] {
				out = append(out, fmt.Sprintf("event %s came, and its payload is not as expected: %s", e.label(), problem))
			}
		case e.needed() > 1:
			out = append(out, fmt.Sprintf("event %s came %d times within %v, want %d", e.label(), w.seen[i], p.o.Patience, e.needed()))
		default:
			out = append(out, fmt.Sprintf("event %s did not follow within %v", e.label(), p.o.Patience))
		}
	}
	return out
}

// recount reads the record again up to now, for those that must not be there
// too often.
func (w *watch) recount(ctx context.Context, p player) (out []string) {
	var exact []Event
	for _, e := range w.wanted {
		if e.Count != nil {
			exact = append(exact, e)
		}
	}
	if len(exact) == 0 {
		return nil
	}
	again := newWatch(Expect{Then: exact}, w.a)
	q := again.query()
	q.Mark = true
	whole := false
	for e, err := range p.c.Events(ctx, q) {
		if err != nil {
			return []string{"the events cannot be counted: " + err.Error()}
		}
		if whole = e.Subject == ""; whole {
			break
		}
		again.note(e)
	}
	if !whole { // a wait that is over ends without an error
		return []string{fmt.Sprintf("the events could not be counted within %v", p.o.Patience)}
	}
	for i, e := range exact {
		if again.seen[i] != *e.Count {
			out = append(out, fmt.Sprintf("event %s came %d times, want %d", e.label(), again.seen[i], *e.Count))
		}
	}
	return out
}

func (e Event) label() string {
	if e.Respondent != "" {
		return e.Subject + " of " + e.Respondent
	}
	return e.Subject
}

// record is something kept about the turn, as JSON.
type record struct {
	respondent string
	value      any
}

func (p player) engrams(ctx context.Context, a moothall.Answer) (out []record, _ error) {
	l := moothall.MemoryList{Session: a.Session, Kinds: []moothall.MemoryKind{moothall.Engram}, Limit: 100}
	for e, err := range p.c.Memory().List(ctx, l) {
		if err != nil {
			return nil, err
		}
		if e.Turn != nil && e.Turn.Query == a.Query {
			out = append(out, record{string(e.Turn.Respondent), e})
		}
	}
	return out, nil
}

func (p player) judgements(ctx context.Context, a moothall.Answer) (out []record, _ error) {
	list, err := p.c.Judgements(ctx, moothall.JudgementQuery{Query: a.Query})
	for _, j := range list {
		out = append(out, record{string(j.Respondent), j})
	}
	return out, err
}

// again is how often records are looked at: no event says that one changed.
const again = 50 * time.Millisecond

// eventually looks until one record is as wanted.
func (p player) eventually(ctx context.Context, what string, want Record, read func() ([]record, error)) []string {
	tick := time.NewTicker(again)
	defer tick.Stop()
	last := []string{"it could not be read"}
	for {
		problems, err := want.misfits(read())
		switch {
		case err == nil && problems == nil:
			return nil
		case err != nil && ctx.Err() == nil:
			return []string{what + " cannot be read: " + err.Error()}
		case err == nil:
			last = problems
		}
		select {
		case <-ctx.Done():
			var out []string
			for _, problem := range last {
				out = append(out, fmt.Sprintf("%s is not as expected within %v: %s", what, p.o.Patience, problem))
			}
			return out
		case <-tick.C:
		}
	}
}

// misfits is nil when one of the records is as wanted, else what is wrong
// with the last.
func (r Record) misfits(list []record, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	problems := []string{"there is none"}
	if r.Respondent != "" {
		problems = []string{"there is none of " + r.Respondent}
	}
	for _, one := range list {
		if r.Respondent != "" && r.Respondent != one.respondent {
			continue
		}
		b, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		if problems = misfits(r.Payload, b); len(problems) == 0 {
			return nil, nil
		}
	}
	return problems, nil
}
