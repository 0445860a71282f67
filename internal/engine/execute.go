package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine/history"
)

// together is how many read-only calls run at the same time.
const together = 8

// execute carries out a plan in order. Neighbouring calls that only read run
// at the same time. Every call has a result afterwards.
func (r *run) execute(ctx context.Context, plan []planned) {
	for len(plan) > 0 {
		n := 1
		for n < min(len(plan), together) && plan[0].parallel() && plan[n].parallel() {
			n++
		}
		r.batch(ctx, plan[:n])
		plan = plan[n:]
	}
}

func (p *planned) parallel() bool { return p.refused == "" && p.spec.ReadOnly }

func (r *run) batch(ctx context.Context, plan []planned) {
	defer r.excuse(plan)
	for i := range plan {
		call := plan[i].call
		if !r.emit(Event{Kind: KindCall, Call: &call}) {
			break
		}
	}
	switch p := &plan[0]; {
	case r.gone || r.ended(ctx) != nil:
		for i := range plan {
			plan[i].skip()
		}
	case len(plan) > 1:
		r.concurrently(ctx, plan)
		return
	case p.refused != "":
		p.result = moothall.ToolResult{Status: moothall.CallFailed, Text: p.refused}
		p.text = p.refused
	default:
		p.finish(r.call(ctx, p.call, r.progress))
	}
	for i := range plan {
		r.showResult(&plan[i])
	}
}

// excuse takes out of the run's time what a person was waited for: from the
// first question on, but for what the tools took.
func (r *run) excuse(plan []planned) {
	if r.awaited.IsZero() {
		return
	}
	wait := r.now().Sub(r.awaited)
	r.awaited = time.Time{}
	var took time.Duration
	for i := range plan {
		took = max(took, plan[i].result.Took)
	}
	r.excused += max(wait-took, 0)
}

// skip gives a call that was never begun its result.
func (p *planned) skip() {
	p.result = moothall.ToolResult{Status: moothall.CallUnavailable}
	p.text = "[not run] The run was stopped before this call began."
}

// concurrently runs calls at the same time and shows their results in order.
// It returns when all have ended, also when the caller has left.
func (r *run) concurrently(ctx context.Context, plan []planned) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type news struct {
		i    int
		step moothall.CallProgress
		done bool
	}
	ch := make(chan news)
	var wg sync.WaitGroup
	for i := range plan {
		wg.Go(func() {
			tell := func(p moothall.CallProgress) bool {
				ch <- news{i: i, step: p}
				return ctx.Err() == nil
			}
			plan[i].finish(r.call(ctx, plan[i].call, tell))
			ch <- news{i: i, done: true}
		})
	}
	ready, next := make([]bool, len(plan)), 0
	for open := len(plan); open > 0; {
		n := <-ch
		if n.done {
			open--
			ready[n.i] = true
			for ; next < len(plan) && ready[next]; next++ {
				r.showResult(&plan[next])
			}
		} else {
			r.progress(n.step)
		}
		if r.gone {
			cancel()
		}
	}
	wg.Wait()
}

// progress shows how a running call goes.
func (r *run) progress(p moothall.CallProgress) bool {
	if p.Asked != nil {
		if r.awaited.IsZero() {
			r.awaited = r.now()
		}
		return r.emit(Event{Kind: KindApproval, Text: p.Note, Asked: p.Asked})
	}
	return p.Note == "" || r.status(p.Note)
}

// call asks the broker. It may run beside others, so it touches nothing of
// the run that changes.
func (r *run) call(ctx context.Context, c moothall.ToolCall, tell func(moothall.CallProgress) bool) (*moothall.ToolResult, error) {
	began, asked := r.now(), false
	for p, err := range r.req.Broker.Execute(ctx, moothall.CallRequest{
		Scope: r.req.Scope, Agent: r.req.Handle, Query: r.req.Query, Run: r.req.Run, Call: c,
	}) {
		if err != nil {
			return nil, err
		}
		if p.Result != nil {
			res := *p.Result
			if res.Took == 0 && !asked { // a person's time is no tool's
				res.Took = r.now().Sub(began)
			}
			return &res, nil
		}
		asked = asked || p.Asked != nil
		if !tell(p) {
			return nil, context.Canceled
		}
	}
	return nil, moothall.Fail(moothall.CodeInternal, "tool call", "the call ended without a result")
}

// finish gives a call its result and the words that the model reads.
func (p *planned) finish(res *moothall.ToolResult, err error) {
	if err != nil {
		p.result = moothall.ToolResult{Call: p.call.ID, Name: p.call.Name, Status: moothall.CallUnavailable}
		p.text = mark("[tool unavailable]", reason(err))
		if code := moothall.ErrorCode(err); code == moothall.CodeCanceled || code == moothall.CodeInterrupted {
			p.text = history.Interrupted
		}
		p.result.Text = p.text
		return
	}
	p.result = *res
	p.result.Call, p.result.Name = p.call.ID, p.call.Name
	p.text = words(res)
}

// reason is what of an error may be shown.
func reason(err error) string {
	var e *moothall.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return string(moothall.ErrorCode(err))
}

// words are what the model reads of a result.
func words(res *moothall.ToolResult) string {
	text := res.Text
	switch res.Status {
	case moothall.CallFailed:
		text = mark("[tool failed]", text)
	case moothall.CallDenied:
		if text == "" {
			text = res.Decision.Reason
		}
		text = mark("[denied]", text)
	case moothall.CallUnavailable:
		text = mark("[tool unavailable]", text)
	case moothall.CallUnknown:
		text = mark("[outcome unknown, verify side effects]", text)
	}
	if text == "" {
		text = "[no output]"
	}
	if res.Cut != "" {
		text += "\n[cut: " + res.Cut + "]"
	}
	return text
}

// mark puts a mark before a text that does not begin with one.
func mark(m, text string) string {
	if strings.HasPrefix(text, "[") {
		return text
	}
	return strings.TrimSpace(m + " " + text)
}

// showResult yields a result and the memories in it.
func (r *run) showResult(p *planned) {
	res := p.result
	res.Call, res.Name = p.call.ID, p.call.Name
	if res.Text == "" {
		res.Text = p.text
	}
	r.emit(Event{Kind: KindResult, Result: &res})
	if r.req.Recalls != nil && res.Status == moothall.CallOK {
		r.recalled(r.req.Recalls(res))
	}
}

func (r *run) recalled(list []moothall.Recall) {
	for i := range list {
		r.res.Recalls = append(r.res.Recalls, list[i])
		r.emit(Event{Kind: KindRecall, Recall: &list[i]})
	}
}
