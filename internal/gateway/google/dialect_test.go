package google_test

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
	chatModel  = "gemini-hall"
	embedModel = "hall-embedding"
)

type object = hosted.Object

func data(v any) string { return "data: " + hosted.JSON(v) + "\r\n\r\n" }

// dialect speaks as the service does.
type dialect struct{}

type sentPart struct {
	Text string
	Call *struct {
		ID   moothall.CallID
		Name moothall.ToolName
		Args json.RawMessage
	} `json:"functionCall"`
	Response *struct {
		ID       moothall.CallID
		Name     moothall.ToolName
		Response struct{ Output string }
	} `json:"functionResponse"`
}

// Parse reads a request for a generation. A user's content may hold several
// of the vocabulary's messages.
func (dialect) Parse(r *http.Request, body []byte) (providertest.Request, bool) {
	model, method, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/models/"), ":")
	if !ok || !strings.HasSuffix(strings.ToLower(method), "generatecontent") {
		return providertest.Request{}, false
	}
	var in struct {
		System   struct{ Parts []sentPart } `json:"systemInstruction"`
		Contents []struct {
			Role  string
			Parts []sentPart
		}
		Tools []struct {
			Functions []struct{ Name moothall.ToolName } `json:"functionDeclarations"`
		}
		Config struct {
			MaxTokens int             `json:"maxOutputTokens"`
			Stop      []string        `json:"stopSequences"`
			Schema    json.RawMessage `json:"responseJsonSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return providertest.Request{Model: err.Error()}, true
	}
	stream := method == "streamGenerateContent" && r.URL.Query().Get("alt") == "sse"
	out := providertest.Request{Model: model, Stream: stream, Schema: in.Config.Schema, MaxTokens: in.Config.MaxTokens, Stop: in.Config.Stop}
	for _, p := range in.System.Parts {
		out.Messages = append(out.Messages, moothall.Message{Role: moothall.RoleSystem, Content: p.Text})
	}
	for _, c := range in.Contents {
		out.Messages = append(out.Messages, messages(c.Role, c.Parts)...)
	}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			out.Tools = append(out.Tools, f.Name)
		}
	}
	return out, true
}

func messages(role string, parts []sentPart) []moothall.Message {
	var out []moothall.Message
	msg := moothall.Message{Role: moothall.RoleUser}
	if role == "model" {
		msg.Role = moothall.RoleAssistant
	}
	for _, p := range parts {
		switch {
		case p.Call != nil:
			msg.ToolCalls = append(msg.ToolCalls, moothall.ToolCall{ID: p.Call.ID, Name: p.Call.Name, Arguments: p.Call.Args})
		case p.Response != nil:
			out = append(out, moothall.Message{Role: moothall.RoleTool, CallID: p.Response.ID, ToolName: p.Response.Name, Content: p.Response.Response.Output})
		default:
			msg.Content += p.Text
		}
	}
	if msg.Content != "" || len(msg.ToolCalls) > 0 {
		out = append(out, msg)
	}
	return out
}

func parts(r providertest.Reply) []object {
	var out []object
	if r.Thinking != "" {
		out = append(out, object{"text": r.Thinking, "thought": true})
	}
	for _, text := range hosted.Cut(r) {
		out = append(out, object{"text": text})
	}
	for _, c := range r.ToolCalls {
		call := object{"name": c.Name, "args": c.Arguments}
		if string(c.Arguments) == "{}" {
			delete(call, "args") // as the service does
		}
		out = append(out, object{"functionCall": call, "thoughtSignature": "c2ln"})
	}
	return out
}

// Pieces renders each part in an event of its own.
func (dialect) Pieces(r providertest.Reply) []string {
	var out []string
	for _, p := range parts(r) {
		out = append(out, data(object{"candidates": []object{{"content": object{"role": "model", "parts": []object{p}}, "index": 0}}, "usageMetadata": object{"promptTokenCount": r.Prompt}}))
	}
	return out
}

func end(r providertest.Reply, parts []object) object {
	reason := "STOP"
	if r.Cut {
		reason = "MAX_TOKENS"
	}
	return object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": reason, "index": 0}},
		"usageMetadata": object{"promptTokenCount": r.Prompt, "candidatesTokenCount": r.Output, "totalTokenCount": r.Prompt + r.Output},
	}
}

// End renders the reason and the counts.
func (dialect) End(r providertest.Reply) string { return data(end(r, []object{{"text": ""}})) }

// Junk renders bytes as an event.
func (dialect) Junk(text string) string { return "data: " + text + "\r\n\r\n" }

// Fault renders an error as an event.
func (dialect) Fault(message string) string {
	return data(object{"error": object{"code": 503, "message": message, "status": "UNAVAILABLE"}})
}

// Whole renders a whole reply.
func (dialect) Whole(r providertest.Reply) string {
	r.Pieces = 1
	return hosted.JSON(end(r, parts(r)))
}

// Refuse renders a failure.
func (dialect) Refuse(f providertest.Failure) (int, string) {
	refusal := func(status int, name, message string, details ...object) (int, string) {
		return status, hosted.JSON(object{"error": object{"code": status, "message": message, "status": name, "details": details}})
	}
	switch f {
	case providertest.FailModel:
		return refusal(404, "NOT_FOUND", "models/gone is not found for API version v1beta, or is not supported for generateContent.")
	case providertest.FailPrompt:
		return refusal(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")
	case providertest.FailTools:
		return refusal(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/gemma-hall")
	case providertest.FailKey:
		return refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", object{"reason": "API_KEY_INVALID", "domain": "googleapis.com"})
	case providertest.FailRate:
		return refusal(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", object{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"})
	case providertest.FailRequest:
		return refusal(400, "INVALID_ARGUMENT", "Please ensure that function call turn comes immediately after a user turn.")
	case providertest.FailOverload:
		return refusal(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
	}
	return refusal(500, "INTERNAL", "An internal error has occurred.")
}

// Other answers for models and embeddings.
func (d dialect) Other(w http.ResponseWriter, r *http.Request, body []byte) {
	model := object{"name": "models/" + chatModel, "inputTokenLimit": 1048576, "supportedGenerationMethods": []string{"generateContent"}, "thinking": true}
	switch r.URL.Path {
	case "/models":
		page := object{"models": []object{{"name": "models/" + embedModel, "supportedGenerationMethods": []string{"embedContent"}}}, "nextPageToken": "two"}
		if r.URL.Query().Get("pageToken") == "two" {
			page = object{"models": []object{model, {"name": "models/video", "supportedGenerationMethods": []string{"predict"}}}}
		}
		fmt.Fprint(w, hosted.JSON(page))
	case "/models/" + chatModel:
		fmt.Fprint(w, hosted.JSON(model))
	case "/models/" + embedModel + ":batchEmbedContents":
		d.embed(w, body)
	default:
		status, body := d.Refuse(providertest.FailModel)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func (dialect) embed(w http.ResponseWriter, body []byte) {
	var in struct {
		Requests []struct {
			Model, TaskType string
			Content         struct{ Parts []sentPart }
		}
	}
	if err := json.Unmarshal(body, &in); err != nil || len(in.Requests) > 100 {
		http.Error(w, "at most 100 requests can be in one batch", http.StatusBadRequest)
		return
	}
	var list []object
	for _, r := range in.Requests {
		if r.Model != "models/"+embedModel || r.TaskType != "RETRIEVAL_DOCUMENT" {
			http.Error(w, "wrong model or task", http.StatusBadRequest)
			return
		}
		text := r.Content.Parts[0].Text
		list = append(list, object{"values": []int{len(text), int(text[0])}})
	}
	fmt.Fprint(w, hosted.JSON(object{"embeddings": list}))
}

var seeds = []string{
	strings.Join(dialect{}.Pieces(providertest.Reply{Thinking: "hm", Text: "Hi"}), "") + dialect{}.End(providertest.Reply{Output: 3}),
	dialect{}.Whole(providertest.Reply{Text: "Hi", ToolCalls: []moothall.ToolCall{{Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}),
	dialect{}.Fault("busy"),
	`data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","args":[1]}},{"functionCall":{"id":"a","name":""}}]},"finishReason":"SAFETY"}]}` + "\n\n",
	`data: {"promptFeedback":{"blockReason":"OTHER"}}`,
}
