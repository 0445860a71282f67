package engine

import (
	"encoding/json"

	"moothall"
)

// What tells a model that the time for tools is over.
const (
	noTools       = "No tool can be called any more. Answer now, in words, with what you have; say what is missing."
	noToolsSchema = "No tool can be called any more. Give the final answer now, with what you have."
)

// offering reports whether the next reply may call tools.
func (r *run) offering() bool {
	return r.mode != ToolsNone && !r.forced && !r.strict && r.left > 1
}

// capped reports whether tools were withheld because no round is left.
func (r *run) capped() bool { return r.mode != ToolsNone && !r.forced && !r.strict && r.left <= 1 }

// sendsSchema reports whether the model server is asked to hold the reply to
// the schema. That forbids tool calls, so it waits until none are on offer.
func (r *run) sendsSchema() bool {
	return len(r.req.Schema) > 0 && !r.offering()
}

// generate is the request of the next model call.
func (r *run) generate() moothall.GenerateRequest {
	q := &r.req
	g := moothall.GenerateRequest{
		Scope: q.Scope, Query: q.Query, Role: q.Role, Complexity: q.Complexity, Provider: q.Provider, Model: q.ModelName,
		Messages: r.messages(), Think: r.think, Temperature: q.Temperature, Seed: q.Seed,
		MaxTokens: r.room, Window: q.Window, Priority: q.Priority,
	}
	if r.offering() {
		g.Whole = q.Abilities.Whole
		if r.mode == ToolsNative {
			g.Tools = q.Tools
		}
	}
	if r.sendsSchema() && !r.plain {
		g.Schema = q.Schema
	}
	return g
}

// messages is the conversation in the form that the mode asks for, with the
// note of this call at its end.
func (r *run) messages() []moothall.Message {
	msgs := r.conv
	if msgs[0].Content == "" {
		msgs = msgs[1:]
	}
	note := r.note
	if r.mode != ToolsNone && !r.offering() {
		last := noTools
		if len(r.req.Schema) > 0 {
			last = noToolsSchema
		}
		note = joined(last, note)
	}
	if r.mode != ToolsNative {
		msgs = flatten(msgs)
	}
	if note == "" {
		return msgs
	}
	last := msgs[len(msgs)-1]
	if last.Role != moothall.RoleUser {
		return append(msgs[:len(msgs):len(msgs)], moothall.Message{Role: moothall.RoleUser, Content: note})
	}
	last.Content = joined(last.Content, note)
	return append(msgs[:len(msgs)-1:len(msgs)-1], last)
}

// system is the static beginning of every prompt of the run.
func (r *run) system() string {
	if r.mode != ToolsDescribed {
		return r.req.System
	}
	return joined(r.req.System, describe(r.req.Tools))
}

func schemaTail(schema json.RawMessage) string {
	if len(schema) == 0 {
		return ""
	}
	return "Give the final answer as JSON only, without other words, fitting this JSON schema:\n" + string(schema)
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
