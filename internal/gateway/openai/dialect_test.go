package openai_test

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
	chatModel  = "hall-1b"
	embedModel = "hall-embed"
)

type object = hosted.Object

func data(v any) string { return "data: " + hosted.JSON(v) + "\n\n" }

// dialect speaks as vLLM does.
type dialect struct{}

// Parse reads a request for a chat completion.
func (dialect) Parse(r *http.Request, body []byte) (providertest.Request, bool) {
	if r.URL.Path != "/chat/completions" {
		return providertest.Request{}, false
	}
	var in struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role      moothall.Role
			Content   string
			Reasoning string `json:"reasoning_content"`
			CallID    string `json:"tool_call_id"`
			ToolCalls []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct {
			Function struct{ Name moothall.ToolName }
		}
		Format struct {
			Schema struct{ Schema json.RawMessage } `json:"json_schema"`
		} `json:"response_format"`
		MaxTokens int `json:"max_tokens"`
		Stop      []string
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return providertest.Request{Model: err.Error()}, true
	}
	out := providertest.Request{Model: in.Model, Stream: in.Stream, Schema: in.Format.Schema.Schema, MaxTokens: in.MaxTokens, Stop: in.Stop}
	for _, m := range in.Messages {
		msg := moothall.Message{Role: m.Role, Content: m.Content, Thinking: m.Reasoning, CallID: moothall.CallID(m.CallID)}
		for _, c := range m.ToolCalls {
			msg.ToolCalls = append(msg.ToolCalls, moothall.ToolCall{ID: moothall.CallID(c.ID), Name: moothall.ToolName(c.Function.Name), Arguments: json.RawMessage(c.Function.Arguments)})
		}
		out.Messages = append(out.Messages, msg)
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, t.Function.Name)
	}
	return out, true
}

func delta(d object) string {
	return data(object{"object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": d, "finish_reason": nil}}})
}

// Pieces renders deltas; arguments come in two fragments.
func (dialect) Pieces(r providertest.Reply) []string {
	var out []string
	if r.Thinking != "" {
		half := len(r.Thinking) / 2
		out = append(out, delta(object{"reasoning_content": r.Thinking[:half]}), delta(object{"reasoning_content": r.Thinking[half:]}))
	}
	for _, text := range hosted.Cut(r) {
		out = append(out, delta(object{"content": text}))
	}
	for i, c := range r.ToolCalls {
		args := string(c.Arguments)
		half := strings.IndexByte(args, '"') + 1
		out = append(out,
			delta(object{"tool_calls": []object{{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": args[:half]}}}}),
			delta(object{"tool_calls": []object{{"index": i, "function": object{"arguments": args[half:]}}}}))
	}
	return out
}

func reason(r providertest.Reply) string {
	switch {
	case r.Cut:
		return "length"
	case len(r.ToolCalls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func counts(r providertest.Reply) object {
	return object{"prompt_tokens": r.Prompt, "completion_tokens": r.Output, "total_tokens": r.Prompt + r.Output}
}

// End renders the reason, the counts and the mark of the end.
func (dialect) End(r providertest.Reply) string {
	return data(object{"choices": []object{{"index": 0, "delta": object{}, "finish_reason": reason(r)}}}) +
		data(object{"choices": []object{}, "usage": counts(r)}) + "data: [DONE]\n\n"
}

// Junk renders bytes as an event.
func (dialect) Junk(text string) string { return "data: " + text + "\n\n" }

// Fault renders an error as an event.
func (dialect) Fault(message string) string {
	return data(object{"error": object{"message": message, "type": "InternalServerError", "code": 500}})
}

// Whole renders a whole completion.
func (dialect) Whole(r providertest.Reply) string {
	msg := object{"role": "assistant", "content": r.Text}
	if r.Thinking != "" {
		msg["reasoning_content"] = r.Thinking
	}
	var calls []object
	for _, c := range r.ToolCalls {
		calls = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Arguments)}})
	}
	if calls != nil {
		msg["tool_calls"] = calls
	}
	return hosted.JSON(object{"choices": []object{{"index": 0, "message": msg, "finish_reason": reason(r)}}, "usage": counts(r)})
}

// Refuse renders a failure.
func (dialect) Refuse(f providertest.Failure) (int, string) {
	refusal := func(status int, kind, message string) (int, string) {
		return status, hosted.JSON(object{"error": object{"message": message, "type": kind, "param": nil, "code": status}})
	}
	switch f {
	case providertest.FailModel:
		return refusal(404, "NotFoundError", "The model `gone` does not exist.")
	case providertest.FailPrompt:
		return refusal(400, "BadRequestError", "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages. Please reduce the length of the messages or max_tokens.")
	case providertest.FailTools:
		return refusal(400, "BadRequestError", `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`)
	case providertest.FailKey:
		return refusal(401, "invalid_request_error", "Incorrect API key provided")
	case providertest.FailRate:
		return refusal(429, "rate_limit_exceeded", "Rate limit reached for requests")
	case providertest.FailRequest:
		return refusal(400, "BadRequestError", "messages must alternate between roles")
	case providertest.FailOverload:
		return refusal(503, "unavailable_error", "Loading model")
	}
	return refusal(500, "server_error", "The server had an error while processing your request")
}

// Other answers for models and embeddings.
func (dialect) Other(w http.ResponseWriter, r *http.Request, body []byte) {
	switch r.URL.Path {
	case "/models":
		fmt.Fprint(w, hosted.JSON(object{"object": "list", "data": []object{{"id": chatModel, "max_model_len": 32768}, {"id": embedModel}}}))
	case "/embeddings":
		var in struct{ Input []string }
		if err := json.Unmarshal(body, &in); err != nil || len(in.Input) > 64 {
			http.Error(w, "too many inputs", http.StatusBadRequest)
			return
		}
		var list []object
		for i, text := range in.Input {
			list = append(list, object{"index": i, "embedding": []int{len(text), int(text[0])}})
		}
		fmt.Fprint(w, hosted.JSON(object{"data": list}))
	default:
		http.NotFound(w, r)
	}
}

var seeds = []string{
	`data: {"choices":[{"delta":{"role":"assistant","content":"Hi","reasoning_content":"hm"}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n" +
		`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}` + "\n\ndata: [DONE]\n\n",
	`{"choices":[{"message":{"content":[{"type":"text","text":"Hi"}],"reasoning":"hm","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},"finish_reason":"stop"}]}`,
	"error: {\"code\":500,\"message\":\"no\"}\n\n",
	`data: {"error":{"message":"context size","type":"exceed_context_size_error"}}`,
	`data: {"choices":[{"delta":{"content":"a"},"finish_reason":"content_filter"}]}` + "\r\n\r\n",
}
