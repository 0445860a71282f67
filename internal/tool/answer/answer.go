// Package answer is how a built-in tool reads its arguments and words what
// came of a call, so that all of them do it alike.
//
//	func (t *Tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
//		return answer.Run(ctx, r, t.Spec(), func(ctx context.Context, r moothall.ToolRun) (answer.Answer, error) {
//			args, err := answer.Arguments[struct{ Query string }](r)
//			…
//			return answer.Answer{Text: text, Data: data}, err
//		})
//	}
//
// What goes wrong is a failed result that a model can read: the message and
// the remedy of a *[moothall.Error], never its cause. Only a call whose
// context has ended returns an error, and one that could not even try since
// what it needs is not set up: the broker words that one.
//
// There is no state: everything may be used by several goroutines at once.
package answer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"moothall"
)

// Answer is what a tool has to say.
type Answer struct {
	Text string // for a model
	Data any    // for programs
	Cut  string // what was left out
	// Sent is what left this machine for it, also beside an error.
	Sent []moothall.Egress
}

// Do does the work of one call.
type Do func(context.Context, moothall.ToolRun) (Answer, error)

// Run does one call of a tool and makes a result of it.
func Run(ctx context.Context, r moothall.ToolRun, spec moothall.ToolSpec, do Do) (moothall.ToolResult, error) {
	begin := time.Now()
	out := moothall.ToolResult{Call: r.Call.ID, Name: spec.Name, Status: moothall.CallOK, Labels: spec.Taints}
	a, err := do(ctx, r)
	out.Sent = a.Sent
	if err == nil {
		out.Text, out.Cut = a.Text, a.Cut
		out.Data, err = json.Marshal(a.Data)
	}
	if cause := ctx.Err(); cause != nil && err != nil {
		return moothall.ToolResult{Sent: a.Sent}, cause
	}
	if moothall.ErrorCode(err) == moothall.CodeNotConfigured {
		return moothall.ToolResult{Sent: a.Sent}, err
	}
	if err != nil {
		out.Status, out.Text = moothall.CallFailed, words(err)
	}
	out.Took = time.Since(begin)
	return out, nil
}

// words are what a model may read of an error.
func words(err error) string {
	e, ok := errors.AsType[*moothall.Error](err)
	if !ok {
		return "the tool failed for a reason of its own"
	}
	s := cmp.Or(e.Message, string(e.Code))
	if e.Remedy != "" {
		s += ". What helps: " + e.Remedy
	}
	return s
}

// Arguments reads the arguments of a call; none at all are an empty object.
// The broker has checked them against the schema: CodeInvalid catches one
// that has not.
func Arguments[T any](r moothall.ToolRun) (T, error) {
	var args T
	if len(bytes.TrimSpace(r.Call.Arguments)) == 0 {
		return args, nil
	}
	d := json.NewDecoder(bytes.NewReader(r.Call.Arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil {
		return args, &moothall.Error{Code: moothall.CodeInvalid, Op: "arguments", Message: "the arguments do not fit the tool", Err: err}
	}
	return args, nil
}
