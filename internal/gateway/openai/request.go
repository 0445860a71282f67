package openai

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway/wire"
)

// chatRequest is the body of a request, as much of it as is used.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	Tools               []tool          `json:"tools,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	TemplateArgs        map[string]any  `json:"chat_template_kwargs,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	Seed                *int64          `json:"seed,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Stop                []string        `json:"stop,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"` // a text, a list of parts, or null beside calls
	ToolCalls  []sentCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type sentCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function sentFunction `json:"function"`
}

type sentFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type responseFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`
}

// The features that some servers and models turn down. limitName is the name
// that the server's kind suggests; a refusal means the other name.
var (
	limitName      = wire.Feature{Name: "limit name", Marks: []string{"max_tokens", "max_completion_tokens"}}
	countTokens    = wire.Feature{Name: "stream options", Marks: []string{"stream_options", "include_usage"}}
	templateArgs   = wire.Feature{Name: "template arguments", Marks: []string{"chat_template_kwargs", "enable_thinking"}}
	ownTemperature = wire.Feature{Name: "temperature", Marks: []string{"temperature"}}
	lateSystem     = wire.Feature{Name: "late system messages", Marks: []string{"message must be at the beginning"}}
	ownSeed        = wire.Feature{Name: "seed", Marks: []string{"seed"}}
	ownIDs         = wire.Feature{Name: "ids of calls", Marks: []string{"tool call id"}}
	afterResults   = wire.Feature{Name: "words after results", Marks: []string{"after role 'tool'", "roles must alternate"}}
)

// effort is a feature per level: a model may know some of them.
func effort(level string) wire.Feature {
	return wire.Feature{Name: "effort " + level, Marks: []string{"reasoning_effort", "reasoning.effort"}}
}

// newRequest writes a request without what was refused, and says which of
// the features it uses.
func newRequest(r moothall.GenerateRequest, refused wire.Refused, official bool) (*chatRequest, []wire.Feature, error) {
	out := &chatRequest{Model: r.Model, Stop: r.Stop, Stream: !r.Whole}
	messages := r.Messages
	if refused[lateSystem.Name] {
		messages = hoisted(messages)
	}
	if refused[afterResults.Name] {
		messages = parted(messages)
	}
	if refused[ownIDs.Name] {
		messages = shortened(messages)
	}
	for _, m := range messages {
		sent, err := newMessage(m)
		if err != nil {
			return nil, nil, err
		}
		out.Messages = append(out.Messages, sent)
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool{"function", function{string(t.Name), t.Description, wire.Parameters(t)}})
	}
	if len(r.Schema) > 0 {
		out.ResponseFormat = &responseFormat{"json_schema", jsonSchema{"answer", r.Schema, wire.Strict(r.Schema)}}
	}
	return out, out.optional(r, refused, official), nil
}

// optional adds the features that have not been refused.
func (c *chatRequest) optional(r moothall.GenerateRequest, refused wire.Refused, official bool) []wire.Feature {
	var used []wire.Feature
	add := func(f wire.Feature, wanted bool) bool {
		if wanted = wanted && !refused[f.Name]; wanted {
			used = append(used, f)
		}
		return wanted
	}
	if usual := add(limitName, r.MaxTokens > 0); usual == official {
		c.MaxCompletionTokens = r.MaxTokens
	} else {
		c.MaxTokens = r.MaxTokens
	}
	add(lateSystem, late(r.Messages))
	add(ownIDs, slices.ContainsFunc(r.Messages, func(m moothall.Message) bool { return len(m.ToolCalls) > 0 }))
	add(afterResults, len(parted(r.Messages)) > len(r.Messages))
	if add(countTokens, c.Stream) {
		c.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if add(ownTemperature, r.Temperature != nil) {
		c.Temperature = r.Temperature
	}
	if add(ownSeed, r.Seed != nil) {
		c.Seed = r.Seed
	}
	if level := effortOf(r.Think, official); add(effort(level), level != "") {
		c.ReasoningEffort = level
	}
	if add(templateArgs, r.Think != "" && !official) {
		c.TemplateArgs = map[string]any{"enable_thinking": r.Think != "off"}
	}
	return used
}

// late reports whether a system message stands anywhere but first.
func late(messages []moothall.Message) bool {
	return slices.ContainsFunc(messages[min(1, len(messages)):], func(m moothall.Message) bool { return m.Role == moothall.RoleSystem })
}

// hoisted has one system message, at the beginning.
func hoisted(messages []moothall.Message) []moothall.Message {
	system, rest := wire.System(messages)
	if system == "" {
		return rest
	}
	return append([]moothall.Message{{Role: moothall.RoleSystem, Content: system}}, rest...)
}

// gotResults stands between results and words of the user where these may not
// follow those.
const gotResults = "I have the results."

// parted has words of the assistant between results and words of the user, as
// Mistral's models want it.
func parted(messages []moothall.Message) []moothall.Message {
	out := make([]moothall.Message, 0, len(messages)+1)
	for i, m := range messages {
		if m.Role == moothall.RoleUser && i > 0 && messages[i-1].Role == moothall.RoleTool {
			out = append(out, moothall.Message{Role: moothall.RoleAssistant, Content: gotResults})
		}
		out = append(out, m)
	}
	return out
}

// shortened has ids of calls with nine letters and digits, which is what
// Mistral's models take. The same id always becomes the same.
func shortened(messages []moothall.Message) []moothall.Message {
	out := slices.Clone(messages)
	for i := range out {
		m := &out[i]
		if m.CallID != "" {
			m.CallID = shortID(m.CallID)
		}
		m.ToolCalls = slices.Clone(m.ToolCalls)
		for j := range m.ToolCalls {
			m.ToolCalls[j].ID = shortID(m.ToolCalls[j].ID)
		}
	}
	return out
}

func shortID(id moothall.CallID) moothall.CallID {
	sum := sha256.Sum256([]byte(id))
	return moothall.CallID(base32.HexEncoding.EncodeToString(sum[:])[:9])
}

// effortOf is how much OpenAI's models are to think. Other servers know
// levels by this name too, and on and off by the chat template's.
func effortOf(think string, official bool) string {
	switch {
	case think == "off" && official:
		return "none"
	case think == "on" && official:
		return "medium"
	case think == "off" || think == "on":
		return ""
	}
	return think
}

func newMessage(m moothall.Message) (message, error) {
	out := message{Role: string(m.Role), Content: m.Content, ToolCallID: string(m.CallID)}
	for _, c := range m.ToolCalls {
		args := strings.TrimSpace(string(c.Arguments))
		if args == "" {
			args = "{}"
		}
		out.ToolCalls = append(out.ToolCalls, sentCall{string(c.ID), "function", sentFunction{string(c.Name), args}})
	}
	if m.Content == "" && len(m.ToolCalls) > 0 {
		out.Content = nil
	}
	if len(m.Images) == 0 {
		return out, nil
	}
	var parts []part
	if m.Content != "" {
		parts = append(parts, part{Type: "text", Text: m.Content})
	}
	for _, image := range m.Images {
		kind, err := wire.ImageType(image)
		if err != nil {
			return message{}, err
		}
		url := "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(image)
		parts = append(parts, part{Type: "image_url", ImageURL: &imageURL{url}})
	}
	out.Content = parts
	return out, nil
}
