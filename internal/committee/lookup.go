package committee

import (
	"context"
	"encoding/json"
	"errors"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/schema"
)

// longestLookUp bounds a question that is looked up; memory takes no longer
// ones.
const longestLookUp = 1000

// lookUp asks the voice's tools about the question in its place, through the
// broker, so that policy, record and labels are those of any call.
func (s *seat) lookUp(ctx context.Context, question string, tell func(engine.Event)) ([]moothall.Recall, error) {
	var found []moothall.Recall
	var failed error
	for _, spec := range s.tools {
		property, ok := schema.Query(spec.Parameters)
		if !ok || !spec.ReadOnly {
			continue
		}
		args, err := json.Marshal(map[string]string{property: history.Clip(question, longestLookUp)})
		if err != nil {
			return nil, err
		}
		call := moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: spec.Name, Arguments: args}
		tell(engine.Event{Kind: engine.KindCall, Call: &call})
		res, err := s.execute(ctx, call)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		tell(engine.Event{Kind: engine.KindResult, Result: &res})
		s.note(call, res)
		found = append(found, memories(res)...)
	}
	if len(found) == 0 {
		return nil, failed
	}
	return found, nil
}

func (s *seat) execute(ctx context.Context, call moothall.ToolCall) (moothall.ToolResult, error) {
	for p, err := range s.m.c.opt.Broker.Execute(ctx, moothall.CallRequest{
		Scope: s.scope(), Agent: s.agent.Handle, Query: s.m.q.Query, Run: s.m.q.Run, Call: call,
	}) {
		if err != nil {
			return moothall.ToolResult{}, err
		}
		if p.Result != nil {
			return *p.Result, nil
		}
	}
	return moothall.ToolResult{}, moothall.Fail(moothall.CodeInternal, "tool call", "the call ended without a result")
}

func (s *seat) note(call moothall.ToolCall, res moothall.ToolResult) {
	s.labels |= res.Labels
	s.sent = append(s.sent, res.Sent...)
	s.looked = append(s.looked, moothall.CalledTool{
		Tool: call.Name, Args: call.Arguments, Result: res.Text, Status: res.Status, Millis: res.Took.Milliseconds(),
	})
}

// memories are what a result holds for a prompt: of the memory its memories,
// which may be none; of another tool its text, which the broker has made fit
// for a model.
func memories(res moothall.ToolResult) []moothall.Recall {
	if res.Status != moothall.CallOK {
		return nil
	}
	if res.Name == engine.MemoryRead {
		return engine.RecallsOf(res)
	}
	from := &moothall.MemoryEntry{Name: string(res.Name), Trust: moothall.TrustModel}
	if res.Labels.Has(moothall.Untrusted) {
		from.Trust = moothall.TrustExternal
	}
	return []moothall.Recall{{Segment: res.Text, Entry: from}}
}
