package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/tool/pin"
)

// unavailable opens the text of every call that got no answer.
const unavailable = "[tool unavailable] "

// tool is one approved definition.
type tool struct {
	link *link
	raw  string
	hash string
	spec moothall.ToolSpec
}

var (
	_ moothall.Tool    = (*tool)(nil)
	_ moothall.Defined = (*tool)(nil)
)

func newTool(l *link, d definition) *tool {
	o, s := l.c.o, l.server
	readOnly := slices.Contains(s.ReadOnly, d.raw)
	spec := moothall.ToolSpec{
		Name: d.name, Description: d.about, Parameters: d.schema, Risk: moothall.RiskWrite,
		ReadOnly: readOnly, Idempotent: readOnly, Taints: moothall.Untrusted,
		Timeout: o.Timeout, MaxResult: o.MaxText, Origin: s.owner(),
	}
	switch {
	case s.Remote() && !local(s.Host()):
		spec.Risk, spec.Sends = moothall.RiskSend, properties(d.schema)
	case readOnly:
		spec.Risk = moothall.RiskRead
	}
	if s.personal() {
		spec.Taints |= moothall.Private
	}
	return &tool{link: l, raw: d.raw, hash: d.hash, spec: spec}
}

// properties names the arguments of a schema.
func properties(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// Spec describes the tool.
func (t *tool) Spec() moothall.ToolSpec { return t.spec }

// Definition is the hash that was approved.
func (t *tool) Definition() string { return t.hash }

// Run calls the server. What was sent is in the result of a call that failed,
// too, and beside the error of one that was given up.
func (t *tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	began := time.Now()
	var sent egress.Tally
	out, err := t.run(egress.With(ctx, &sent), r)
	out.Call, out.Name, out.Labels, out.Took = r.Call.ID, t.spec.Name, t.spec.Taints, time.Since(began)
	out.Sent = sent.Take()
	return out, err
}

func (t *tool) run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	line, refusal := t.link.open(t.raw, t.hash)
	if refusal != nil {
		return *refusal, nil
	}
	defer line.done()
	limited, cancel := context.WithTimeout(ctx, t.spec.Timeout)
	defer cancel()
	stop := context.AfterFunc(line.life, cancel)
	defer stop()
	got, err := line.session.CallTool(limited, &sdk.CallToolParams{Name: t.raw, Arguments: arguments(r.Call.Arguments)})
	switch {
	case err == nil:
		return t.result(line.hider, got), nil
	case ctx.Err() != nil:
		return moothall.ToolResult{}, &moothall.Error{Code: moothall.ErrorCode(ctx.Err()), Op: "mcp call", Message: "the call was given up", Err: ctx.Err()}
	}
	return t.failed(line, limited, err), nil
}

// arguments are sent as they are; none at all are an empty object.
func arguments(a json.RawMessage) json.RawMessage {
	if len(a) == 0 {
		return json.RawMessage(`{}`)
	}
	return a
}

// transportCodes are what the library gives to its own failures to reach the
// server: client closing, server closing, rejected by the transport.
var transportCodes = []int64{-32003, -32004, -32005}

// failed tells an answer that says no from no answer.
func (t *tool) failed(l *line, limited context.Context, err error) moothall.ToolResult {
	name := t.link.server.Name
	if said := new(jsonrpc.Error); errors.As(err, &said) && !errors.Is(err, sdk.ErrConnectionClosed) && !slices.Contains(transportCodes, said.Code) {
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "The server refused the call: " + t.link.say(l.hider, said.Message)}
	}
	text := fmt.Sprintf("the connection to server %s broke; the call may have happened", name)
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		text = fmt.Sprintf("server %s did not answer within %s; the call may have happened", name, t.spec.Timeout)
	} else {
		t.link.recheck()
	}
	return moothall.ToolResult{Status: moothall.CallUnavailable, Text: unavailable + text}
}

// line is a connection for the time of one call.
type line struct {
	session *sdk.ClientSession
	life    context.Context
	hider   hider
	done    func()
}

// open hands out the connection, or says why there is no call.
func (l *link) open(raw, hash string) (*line, *moothall.ToolResult) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	_, d := c.find(l.server.Name, raw)
	switch {
	case c.closed || l.session == nil:
		return nil, &moothall.ToolResult{
			Status: moothall.CallUnavailable, Text: unavailable + fmt.Sprintf("server %s is not connected; nothing was done", l.server.Name),
		}
	case d == nil:
		return nil, &moothall.ToolResult{
			Status: moothall.CallUnavailable, Text: unavailable + fmt.Sprintf("server %s no longer has this tool; nothing was done", l.server.Name),
		}
	case d.standing != pin.Approved || d.hash != hash:
		return nil, &moothall.ToolResult{
			Status: moothall.CallDenied, Text: "The tool is not what was approved; a person has to approve it again. Nothing was done.",
		}
	}
	c.calls.Add(1)
	return &line{l.session, l.life, l.hider, c.calls.Done}, nil
}
