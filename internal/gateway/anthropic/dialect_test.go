package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"moothall"
	"moothall/internal/gateway/providertest"
	"moothall/internal/gateway/providertest/hosted"
)

const (
	chatModel  = "claude-hall-1"
	embedModel = ""
)

type object = hosted.Object

// event renders one event, whose name stands in its data too.
func event(name string, v object) string {
	v["type"] = name
	return "event: " + name + "\ndata: " + hosted.JSON(v) + "\n\n"
}

// dialect speaks as the service does.
type dialect struct{}

type sentBlock struct {
	Type      string
	Text      string
	ID        string
	Name      moothall.ToolName
	Input     json.RawMessage
	ToolUseID moothall.CallID `json:"tool_use_id"`
	Content   []struct{ Text string }
}

// Parse reads a request for a message. A user's turn may hold several of the
// vocabulary's messages.
func (dialect) Parse(r *http.Request, body []byte) (providertest.Request, bool) {
	if r.URL.Path != "/v1/messages" {
		return providertest.Request{}, false
	}
	var in struct {
		Model, System string
		Stream        bool
		Messages      []struct {
			Role    moothall.Role
			Content []sentBlock
		}
		Tools  []struct{ Name moothall.ToolName }
		Output struct {
			Format struct{ Schema json.RawMessage }
		} `json:"output_config"`
		MaxTokens int      `json:"max_tokens"`
		Stop      []string `json:"stop_sequences"`
	}
	if err := json.Unmarshal(body, &in); err != nil || r.Header.Get("Anthropic-Version") == "" {
		return providertest.Request{Model: fmt.Sprint("not understood: ", err)}, true
	}
	out := providertest.Request{Model: in.Model, Stream: in.Stream, Schema: in.Output.Format.Schema, MaxTokens: in.MaxTokens, Stop: in.Stop}
	if in.System != "" {
		out.Messages = append(out.Messages, moothall.Message{Role: moothall.RoleSystem, Content: in.System})
	}
	for _, m := range in.Messages {
		out.Messages = append(out.Messages, messages(m.Role, m.Content)...)
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, t.Name)
	}
	return out, true
}

func messages(role moothall.Role, blocks []sentBlock) []moothall.Message {
	var out []moothall.Message
	msg := moothall.Message{Role: role}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			msg.Content += b.Text
		case "tool_use":
			msg.ToolCalls = append(msg.ToolCalls, moothall.ToolCall{ID: moothall.CallID(b.ID), Name: b.Name, Arguments: b.Input})
		case "tool_result":
			out = append(out, moothall.Message{Role: moothall.RoleTool, CallID: b.ToolUseID, Content: b.Content[0].Text})
		}
	}
	if msg.Content != "" || len(msg.ToolCalls) > 0 {
		out = append(out, msg)
	}
	return out
}

// Pieces renders blocks; arguments come in two pieces.
func (dialect) Pieces(r providertest.Reply) []string {
	out := []string{event("message_start", object{"message": object{"content": []object{}, "usage": object{"input_tokens": r.Prompt, "output_tokens": 0}}})}
	index := 0
	add := func(block object, deltas ...object) {
		out = append(out, event("content_block_start", object{"index": index, "content_block": block}))
		for _, d := range deltas {
			out = append(out, event("content_block_delta", object{"index": index, "delta": d}))
		}
		out = append(out, event("content_block_stop", object{"index": index}))
		index++
	}
	if r.Thinking != "" {
		add(object{"type": "thinking", "thinking": "", "signature": ""},
			object{"type": "thinking_delta", "thinking": r.Thinking}, object{"type": "signature_delta", "signature": "c2ln"})
	}
	var texts []object
	for _, text := range hosted.Cut(r) {
		texts = append(texts, object{"type": "text_delta", "text": text})
	}
	if texts != nil {
		add(object{"type": "text", "text": ""}, texts...)
	}
	for _, c := range r.ToolCalls {
		args := string(c.Arguments)
		half := strings.IndexByte(args, '"') + 1
		if args == "{}" {
			args = "" // as the service does
		}
		add(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": args[:half]}, object{"type": "input_json_delta", "partial_json": args[half:]})
	}
	return out
}

func reason(r providertest.Reply) string {
	switch {
	case r.Cut:
		return "max_tokens"
	case len(r.ToolCalls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// End renders the reason, the count and the end.
func (dialect) End(r providertest.Reply) string {
	return event("ping", object{}) +
		event("message_delta", object{"delta": object{"stop_reason": reason(r), "stop_sequence": nil}, "usage": object{"output_tokens": r.Output}}) +
		event("message_stop", object{})
}

// Junk renders bytes as an event.
func (dialect) Junk(text string) string { return "event: content_block_delta\ndata: " + text + "\n\n" }

// Fault renders an error as an event.
func (dialect) Fault(message string) string {
	return event("error", object{"error": object{"type": "overloaded_error", "message": message}})
}

// Whole renders a whole message.
func (dialect) Whole(r providertest.Reply) string {
	content := []object{}
	if r.Thinking != "" {
		content = append(content, object{"type": "thinking", "thinking": r.Thinking, "signature": "c2ln"})
	}
	if r.Text != "" {
		content = append(content, object{"type": "text", "text": r.Text})
	}
	for _, c := range r.ToolCalls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Arguments})
	}
	return hosted.JSON(object{"type": "message", "content": content, "stop_reason": reason(r), "usage": object{"input_tokens": r.Prompt, "output_tokens": r.Output}})
}

// Refuse renders a failure.
func (dialect) Refuse(f providertest.Failure) (int, string) {
	refusal := func(status int, kind, message string) (int, string) {
		return status, hosted.JSON(object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_1"})
	}
	switch f {
	case providertest.FailModel:
		return refusal(404, "not_found_error", "model: claude-gone")
	case providertest.FailPrompt:
		return refusal(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
	case providertest.FailTools:
		return refusal(400, "invalid_request_error", "'claude-hall-1' does not support tool types: custom")
	case providertest.FailKey:
		return refusal(401, "authentication_error", "invalid x-api-key")
	case providertest.FailRate:
		return refusal(429, "rate_limit_error", "This request would exceed the rate limit of your organization")
	case providertest.FailRequest:
		return refusal(400, "invalid_request_error", "messages: first message must use the user role")
	case providertest.FailOverload:
		return refusal(529, "overloaded_error", "Overloaded")
	}
	return refusal(500, "api_error", "Internal server error")
}

// Other answers for models, in two pages.
func (d dialect) Other(w http.ResponseWriter, r *http.Request, _ []byte) {
	model := object{"type": "model", "id": chatModel, "display_name": "Claude Hall 1", "max_input_tokens": 200000, "capabilities": object{"thinking": object{"supported": true}}}
	switch {
	case r.URL.Path == "/v1/models" && r.URL.Query().Get("after_id") == "":
		fmt.Fprint(w, hosted.JSON(object{"data": []object{{"id": "claude-other"}}, "has_more": true, "last_id": "claude-other"}))
	case r.URL.Path == "/v1/models":
		fmt.Fprint(w, hosted.JSON(object{"data": []object{model}, "has_more": false, "last_id": chatModel}))
	case r.URL.Path == "/v1/models/"+chatModel:
		fmt.Fprint(w, hosted.JSON(model))
	default:
		status, body := d.Refuse(providertest.FailModel)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

var seeds = []string{
	dialect{}.Pieces(providertest.Reply{})[0] +
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}` + "\n\n" +
		`data: {"type":"content_block_stop","index":0}` + "\n\n" +
		`data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}` + "\n\n" +
		`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}` + "\n\n" +
		`data: {"type":"message_stop"}` + "\n\n",
	dialect{}.Whole(providertest.Reply{Text: "Hi", Thinking: "hm", ToolCalls: []moothall.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}),
	dialect{}.Fault("busy"),
	`data: {"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"x"}}` + "\n\n",
}
