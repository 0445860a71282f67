package moottest

import (
	"context"
	"encoding/json"

	"moothall"
)

// FakeTool is a tool made of a description and a function.
type FakeTool struct {
	About moothall.ToolSpec
	Do    func(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error)
}

var _ moothall.Tool = (*FakeTool)(nil)

// EchoTool returns a tool that answers with its arguments.
func EchoTool(name moothall.ToolName, risk moothall.Risk) *FakeTool {
	return &FakeTool{
		About: moothall.ToolSpec{
			Name: name, Description: "Says its arguments.", Parameters: json.RawMessage(`{"type":"object"}`), Risk: risk,
			ReadOnly: risk == moothall.RiskNone || risk == moothall.RiskRead, Origin: "built-in",
		},
		Do: func(_ context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
			return moothall.ToolResult{Status: moothall.CallOK, Text: string(r.Call.Arguments)}, nil
		},
	}
}

// Spec describes the tool.
func (t *FakeTool) Spec() moothall.ToolSpec { return t.About }

// Run calls the function and fills in the names of the call.
func (t *FakeTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	out, err := t.Do(ctx, r)
	out.Call, out.Name = r.Call.ID, r.Call.Name
	return out, err
}
