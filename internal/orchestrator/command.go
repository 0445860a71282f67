package orchestrator

import (
	"context"
	"encoding/json"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/report"
)

// CommandCheck returns a check that runs a command as a call of the subtask's
// own agent: run_shell for a sysadmin, run_code for all others. The broker
// decides about it as about every call of that agent; a command that is
// refused, or cannot be run, is an error: nothing was checked.
func CommandCheck(b moothall.Broker) func(context.Context, CheckRequest) (engine.Verdict, error) {
	return func(ctx context.Context, r CheckRequest) (engine.Verdict, error) {
		call := moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: "run_code"}
		args := map[string]string{"language": "shell", "code": r.Command}
		if r.Type == sysadmin {
			call.Name, args = "run_shell", map[string]string{"command": r.Command}
		}
		var err error
		if call.Arguments, err = json.Marshal(args); err != nil {
			return engine.Verdict{}, &moothall.Error{Code: moothall.CodeInternal, Op: "check", Err: err}
		}
		for p, err := range b.Execute(ctx, moothall.CallRequest{Scope: r.Scope, Agent: r.Agent, Query: r.Query, Run: r.Run, Call: call}) {
			if err != nil {
				return engine.Verdict{}, err
			}
			if p.Result != nil {
				return verdictOf(p.Result)
			}
			if r.Tell != nil {
				r.Tell(p)
			}
		}
		return engine.Verdict{}, moothall.Fail(moothall.CodeInternal, "check", "the command ended without a result")
	}
}

func verdictOf(r *moothall.ToolResult) (engine.Verdict, error) {
	switch r.Status {
	case moothall.CallOK:
		return engine.Verdict{Passed: []string{"command"}}, nil
	case moothall.CallFailed:
		return engine.Verdict{Failed: []string{"the command of the check failed:\n" + report.Clip(r.Text, maxKept)}}, nil
	}
	return engine.Verdict{}, moothall.Fail(moothall.CodeDenied, "check", "the command was not run")
}
