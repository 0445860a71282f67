package bustool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/tool/pin"
)

const (
	// unavailable opens the text of every call that got no answer.
	unavailable = "[tool unavailable] "
	// maxData bounds the structured part of a result.
	maxData = 1 << 20
)

// tool is one approved definition.
type tool struct {
	r     *Registry
	guest Guest
	hash  string
	spec  moothall.ToolSpec
}

var (
	_ moothall.Tool    = (*tool)(nil)
	_ moothall.Defined = (*tool)(nil)
)

func (r *Registry) newTool(d definition) *tool {
	g := r.owners[d.Name]
	t := &tool{r: r, guest: g, hash: d.hash, spec: moothall.ToolSpec{
		Name: d.Name, Description: d.Description, Parameters: d.Parameters, Risk: moothall.RiskWrite,
		Taints: moothall.Untrusted, Timeout: r.o.Timeout, MaxResult: r.o.MaxText, Origin: owner(g),
	}}
	if slices.Contains(g.ReadOnly, d.Name) {
		t.spec.Risk, t.spec.ReadOnly, t.spec.Idempotent = moothall.RiskRead, true, true
	}
	return t
}

// Spec describes the tool.
func (t *tool) Spec() moothall.ToolSpec { return t.spec }

// Definition is the hash that was approved.
func (t *tool) Definition() string { return t.hash }

// Run asks the guest and waits for its answer.
func (t *tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	began := t.r.o.Now()
	out, err := t.run(ctx, r, began)
	out.Call, out.Name, out.Labels, out.Took = r.Call.ID, t.spec.Name, t.spec.Taints, t.r.o.Now().Sub(began)
	return out, err
}

func (t *tool) run(ctx context.Context, r moothall.ToolRun, began time.Time) (moothall.ToolResult, error) {
	if !t.r.stillApproved(t.spec.Name, t.hash) {
		return moothall.ToolResult{
			Status: moothall.CallDenied, Text: "The tool is not what was approved; a person has to approve it again. Nothing was done.",
		}, nil
	}
	limited, cancel := context.WithTimeout(ctx, t.spec.Timeout)
	defer cancel()
	request, err := t.request(r, began)
	if err != nil {
		return moothall.ToolResult{}, err
	}
	// Listening begins before anybody can answer.
	answers := t.r.o.Subscribe(limited, moothall.SubjectToolResult.Of(t.spec.Name), false)
	if err := t.r.o.Publish(limited, request); err != nil {
		return t.unsent(ctx, err)
	}
	for e, err := range answers {
		if err != nil {
			break
		}
		if e.Correlation == string(request.ID) && e.Sender == moothall.Identity(t.guest.Name) {
			return t.result(parseAnswer(e.Payload)), nil
		}
	}
	return t.unanswered(ctx)
}

// request is the event that is the call.
func (t *tool) request(r moothall.ToolRun, began time.Time) (moothall.Event, error) {
	arguments := r.Call.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	e, err := moothall.NewEvent(moothall.SubjectToolRequest.Of(t.spec.Name), ask{
		Call: r.Call.ID, Tool: t.spec.Name, Arguments: arguments, Expires: began.Add(t.spec.Timeout).UTC(),
	})
	e.Session, e.Query, e.Lineage, e.Correlation = r.Session, r.Query, r.Lineage, string(r.Call.ID)
	return e, err
}

// unsent is the end of a call that the bus did not take. What it could not
// take now is an answer to the model; what it never takes is the caller's.
func (t *tool) unsent(ctx context.Context, err error) (moothall.ToolResult, error) {
	switch moothall.ErrorCode(err) {
	case moothall.CodeTooLarge:
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "The arguments are too large for a tool on the bus. Nothing was done."}, nil
	case moothall.CodeUnavailable, moothall.CodeTimeout, moothall.CodeExhausted, moothall.CodeCanceled:
		return t.unanswered(ctx)
	}
	return moothall.ToolResult{}, err
}

func (t *tool) unanswered(ctx context.Context) (moothall.ToolResult, error) {
	if err := ctx.Err(); err != nil {
		return moothall.ToolResult{}, &moothall.Error{Code: moothall.ErrorCode(err), Op: "bus tool call", Message: "the call was given up", Err: err}
	}
	return moothall.ToolResult{
		Status: moothall.CallUnavailable,
		Text:   unavailable + fmt.Sprintf("%s did not answer within %s; the call may have happened", t.guest.Name, t.spec.Timeout),
	}, nil
}

// result translates what a guest answered.
func (t *tool) result(a answer) moothall.ToolResult {
	out := moothall.ToolResult{Status: a.Status, Data: a.Data}
	var cut []string
	if len(a.Data) > maxData {
		out.Data, cut = nil, append(cut, fmt.Sprintf("structured data (%d bytes)", len(a.Data)))
	}
	text := a.Text
	if text == "" {
		text = string(out.Data)
	}
	var left int
	if out.Text, left = pin.Clean(text, t.spec.MaxResult); left > 0 {
		cut = append(cut, fmt.Sprintf("%d bytes of text at the end", left))
	}
	if out.Cut = strings.Join(cut, "; "); out.Cut != "" {
		out.Text = strings.TrimLeft(out.Text+"\n[left out: "+out.Cut+"]", "\n")
	}
	return out
}
