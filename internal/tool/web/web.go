package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"moothall"
)

const (
	defaultResults   = 5
	defaultMaxResult = 24_000 // bytes
	searchTimeout    = 3 * time.Minute
	fetchTimeout     = 3 * time.Minute
)

// Options for [New].
type Options struct {
	// Search is the service, as the broker sees it. It is required.
	Search moothall.Search
	// Summaries are the types of agents that get summaries and nothing else.
	Summaries []moothall.AgentType
	// Results is how many findings come when the call does not say; 0 means 5.
	Results int
	// MaxResult is how many bytes of text a call gives a model; 0 means 24,000.
	MaxResult int
	Now       func() time.Time // nil means time.Now
}

// New returns the tools, web_search first.
func New(o Options) []moothall.Tool {
	o.Results = cmp.Or(o.Results, defaultResults)
	o.MaxResult = cmp.Or(o.MaxResult, defaultMaxResult)
	if o.Now == nil {
		o.Now = time.Now
	}
	return []moothall.Tool{&SearchTool{o}, &FetchTool{o}}
}

func (o *Options) summarised(t moothall.AgentType) bool { return slices.Contains(o.Summaries, t) }

// failed is the result of a call that did not work out. Error is set only
// when the caller is gone, or when nothing is set up and so nothing was tried;
// what was sent is reported beside it.
func failed(ctx context.Context, r moothall.ToolRun, err error, sent []moothall.Egress) (moothall.ToolResult, error) {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return moothall.ToolResult{Sent: sent}, err
	}
	if moothall.ErrorCode(err) == moothall.CodeNotConfigured {
		return moothall.ToolResult{Sent: sent}, err
	}
	out := moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallFailed, Labels: moothall.Untrusted, Sent: sent}
	if moothall.ErrorCode(err) == moothall.CodeTimeout {
		out.Status = moothall.CallUnavailable
	}
	out.Text = string(r.Call.Name) + " failed: " + explain(err)
	out.Data, _ = json.Marshal(map[string]string{"error": string(moothall.ErrorCode(err)), "message": explain(err)}) // strings always marshal
	return out, nil
}

// explain gives message and remedy, which are safe to show, and not the cause.
func explain(err error) string {
	e, ok := errors.AsType[*moothall.Error](err)
	if !ok {
		return "it could not be done (" + string(moothall.ErrorCode(err)) + ")"
	}
	text := oneLine(cmp.Or(e.Message, string(e.Code)))
	if remedy := moothall.ErrorRemedy(err); remedy != "" {
		text += "; " + oneLine(remedy)
	}
	return text
}

// arguments reads a call's arguments. They fit the schema by then; a tool
// that is wired wrongly should still not panic.
func arguments(r moothall.ToolRun, into any) error {
	if err := json.Unmarshal(r.Call.Arguments, into); err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: string(r.Call.Name), Message: "the arguments are not as described", Err: err}
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip cuts text at a character, and says whether it did.
func clip(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	return strings.ToValidUTF8(s[:limit], ""), true
}
