package basic

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"moothall"
)

// Options are the settings of [Tools].
type Options struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Zone is the person's time zone; nil means the machine's.
	Zone *time.Location
}

// Tools are calculate, now and compare_answers.
type Tools struct {
	model moothall.Model
	now   func() time.Time
	zone  *time.Location
}

// New returns the tools. Without a model compare_answers refuses.
func New(model moothall.Model, o *Options) *Tools {
	t := &Tools{model: model, now: time.Now, zone: time.Local}
	if o != nil && o.Now != nil {
		t.now = o.Now
	}
	if o != nil && o.Zone != nil {
		t.zone = o.Zone
	}
	return t
}

// All lists the tools for registration.
func (t *Tools) All() []moothall.Tool {
	return []moothall.Tool{calculateTool(), nowTool(t), compareTool(t)}
}

// tool joins a spec and what runs it.
type tool struct {
	spec moothall.ToolSpec
	run  func(context.Context, moothall.ToolRun) (text string, data any, err error)
}

var _ moothall.Tool = tool{}

// Spec describes the tool.
func (t tool) Spec() moothall.ToolSpec { return t.spec }

// Run does one call. What is wrong with the arguments is a failed result.
func (t tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	begin := time.Now()
	out := moothall.ToolResult{Call: r.Call.ID, Name: t.spec.Name, Status: moothall.CallOK}
	text, data, err := t.run(ctx, r)
	if err == nil {
		out.Text = text
		out.Data, err = json.Marshal(data)
	}
	if cause := ctx.Err(); cause != nil && err != nil {
		return moothall.ToolResult{}, cause
	}
	if err != nil {
		out.Status, out.Text = moothall.CallFailed, words(err)
	}
	out.Took = time.Since(begin)
	return out, nil
}

// words are what a model may read of an error: never its cause.
func words(err error) string {
	var e *moothall.Error
	if !errors.As(err, &e) {
		return "the tool failed for a reason of its own"
	}
	s := cmp.Or(e.Message, string(e.Code))
	if e.Remedy != "" {
		s += ". What helps: " + e.Remedy
	}
	return s
}

// arguments reads the arguments of a call; none at all are an empty object.
func arguments[T any](r moothall.ToolRun) (T, error) {
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
