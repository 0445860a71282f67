package anthropic

import (
	"encoding/json"
	"strings"

	"moothall"
	"moothall/internal/gateway/wire"
)

// answerTool is the name of the tool that stands for an answer with a schema.
const answerTool = "final_answer"

// messagesRequest is the body of a request, as much of it as is used.
type messagesRequest struct {
	Model       string        `json:"model"`
	MaxTokens   int           `json:"max_tokens"`
	System      string        `json:"system,omitempty"`
	Messages    []turn        `json:"messages"`
	Tools       []tool        `json:"tools,omitempty"`
	Choice      *toolChoice   `json:"tool_choice,omitempty"`
	Thinking    *thinking     `json:"thinking,omitempty"`
	Output      *outputConfig `json:"output_config,omitempty"`
	Temperature *float64      `json:"temperature,omitempty"`
	Stop        []string      `json:"stop_sequences,omitempty"`
	Stream      bool          `json:"stream"`
}

type turn struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
}

type thinking struct {
	Type    string `json:"type"`
	Budget  int    `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"`
}

type outputConfig struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

// The blocks that are sent.
type (
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	imageBlock struct {
		Type   string      `json:"type"`
		Source imageSource `json:"source"`
	}
	imageSource struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      []byte `json:"data"` // encoding/json writes base64
	}
	useBlock struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	resultBlock struct {
		Type      string `json:"type"`
		ToolUseID string `json:"tool_use_id"`
		Content   []any  `json:"content,omitempty"`
	}
)

// turns writes the conversation. The wire knows two roles: results of calls
// are the user's, and all results of one message's calls must stand in the one
// message after it. So neighbours of one role are joined.
func (f form) turns(messages []moothall.Message) ([]turn, error) {
	var out []turn
	for _, m := range messages {
		role, blocks, err := f.blocks(m)
		if err != nil {
			return nil, err
		}
		if len(blocks) == 0 {
			continue // the wire refuses a message without content
		}
		if len(out) == 0 || out[len(out)-1].Role != role {
			out = append(out, turn{Role: role})
		}
		last := &out[len(out)-1]
		for _, b := range blocks {
			raw, err := json.Marshal(b)
			if err != nil {
				return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "message", Message: "a call's arguments are not JSON", Err: err}
			}
			last.Content = append(last.Content, raw)
		}
	}
	return out, nil
}

// blocks writes one message.
func (f form) blocks(m moothall.Message) (string, []any, error) {
	content, err := contents(m)
	if err != nil {
		return "", nil, err
	}
	switch m.Role {
	case moothall.RoleTool:
		return "user", []any{resultBlock{"tool_result", callID(m.CallID), content}}, nil
	case moothall.RoleAssistant:
		return "assistant", f.assistant(m, content), nil
	}
	return "user", content, nil
}

// assistant writes what the model said: signed thoughts first, calls last.
func (f form) assistant(m moothall.Message, content []any) []any {
	var out []any
	if len(m.ToolCalls) > 0 && (f.adaptive || f.budget > 0) {
		var kept []json.RawMessage
		if json.Unmarshal(f.kept.Get(f.model, m.ToolCalls[0]), &kept) == nil {
			for _, b := range kept {
				out = append(out, b)
			}
		}
	}
	out = append(out, content...)
	for _, c := range m.ToolCalls {
		out = append(out, useBlock{"tool_use", callID(c.ID), string(c.Name), wire.Object(c.Arguments)})
	}
	return out
}

// contents writes a message's text and images. Text of white space alone is
// refused by the wire.
func contents(m moothall.Message) ([]any, error) {
	var out []any
	for _, image := range m.Images {
		kind, err := wire.ImageType(image)
		if err != nil {
			return nil, err
		}
		out = append(out, imageBlock{"image", imageSource{"base64", kind, image}})
	}
	if strings.TrimSpace(m.Content) != "" {
		out = append(out, textBlock{"text", m.Content})
	}
	return out, nil
}

// callID keeps to the letters that the wire allows in an id, since a history
// may hold calls of other providers.
func callID(id moothall.CallID) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, string(id))
}
