package tape

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"moothall"
)

// watching is a broker that is watched.
type watching struct {
	moothall.Broker
	rec *Recorder
}

// Execute has the call executed and writes down what came of it.
func (w watching) Execute(ctx context.Context, q moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		c, began := w.rec.called(q.Call)
		for p, err := range w.Broker.Execute(ctx, q) {
			if p.Result != nil && err == nil {
				timed := *p.Result
				w.rec.timeCall(&timed, began)
				p.Result = &timed
			}
			over := w.rec.told(c, p, err)
			if !yield(p, err) {
				if !over {
					w.rec.left(c)
				}
				return
			}
		}
	}
}

func (r *Recorder) called(c moothall.ToolCall) (*ToolCall, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := &ToolCall{Call: Call{ID: c.ID, Name: c.Name, Args: string(c.Arguments)}, After: len(r.model)}
	r.take(len(c.Arguments), "arguments of "+string(c.Name)) // they are kept: a cut tape shows what was asked
	r.tools = append(r.tools, kept)
	if r.request.Now == nil {
		return kept, time.Time{}
	}
	return kept, r.request.Now()
}

// timeCall gives a result the time that it took, so that the engine need not
// measure calls that run side by side. No call takes no time at all.
func (r *Recorder) timeCall(res *moothall.ToolResult, began time.Time) {
	if res.Took == 0 && r.request.Now != nil {
		res.Took = max(r.request.Now().Sub(began), 1)
	}
}

// told writes down a step. It reports whether the call is over.
func (r *Recorder) told(c *ToolCall, p moothall.CallProgress, err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		c.Err = failureOf(err)
	case p.Result != nil:
		c.Result = &ToolResult{ToolResult: *p.Result, Bytes: string(p.Result.Data)}
		c.Result.Data = nil
		if !r.take(len(c.Result.Text), "a result of "+string(c.Name)) {
			c.Result.Text = ""
		}
		if !r.take(len(c.Result.Bytes), "data in a result of "+string(c.Name)) {
			c.Result.Bytes = ""
		}
	default:
		r.step(c, p)
		return false
	}
	return true
}

func (r *Recorder) step(c *ToolCall, p moothall.CallProgress) {
	s := Step{Note: p.Note}
	n := len(p.Note)
	if p.Asked != nil {
		s.Asked = &Approval{Approval: *p.Asked, Bytes: string(p.Asked.Arguments)}
		s.Asked.Arguments = nil
		n += len(s.Asked.Bytes)
	}
	if r.take(n, "progress of "+string(c.Name)) {
		c.Steps = append(c.Steps, s)
	}
}

func (r *Recorder) left(c *ToolCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Left = true
}

// result is the recorded one again.
func (t *ToolResult) result() *moothall.ToolResult {
	out := t.ToolResult
	out.Data = nil
	if t.Bytes != "" {
		out.Data = json.RawMessage(t.Bytes)
	}
	return &out
}

func (a *Approval) approval() *moothall.Approval {
	if a == nil {
		return nil
	}
	out := a.Approval
	out.Arguments = json.RawMessage(a.Bytes)
	return &out
}
