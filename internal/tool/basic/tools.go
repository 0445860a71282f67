package basic

import (
	"context"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
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
	run  answer.Do
}

var _ moothall.Tool = tool{}

// Spec describes the tool.
func (t tool) Spec() moothall.ToolSpec { return t.spec }

// Run does one call. What is wrong with the arguments is a failed result.
func (t tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	return answer.Run(ctx, r, t.spec, t.run)
}
