package ollamatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Chat is the body of a chat.
type Chat struct {
	Model     string          `json:"model"`
	Messages  []Message       `json:"messages"`
	Tools     []Tool          `json:"tools"`
	Format    json.RawMessage `json:"format"`
	Options   map[string]any  `json:"options"`
	Stream    *bool           `json:"stream"`
	Think     any             `json:"think"`
	KeepAlive any             `json:"keep_alive"`
	Truncate  *bool           `json:"truncate"`
	Shift     *bool           `json:"shift"`
}

// Message is one message of a chat.
type Message struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	Thinking   string   `json:"thinking,omitempty"`
	Images     [][]byte `json:"images,omitempty"`
	ToolCalls  []Call   `json:"tool_calls,omitempty"`
	ToolName   string   `json:"tool_name,omitempty"`
	ToolCallID string   `json:"tool_call_id,omitempty"`
}

// Call is a tool call on the wire.
type Call struct {
	ID       string   `json:"id,omitempty"`
	Function Function `json:"function"`
}

// Function is what a call calls.
type Function struct {
	Index     int             `json:"index"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// Tool is a tool on offer.
type Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// number returns an option that is a whole number; ok is false when it is
// there and is something else.
func (c Chat) number(name string) (n int, there, ok bool) {
	v, there := c.Options[name]
	if !there {
		return 0, false, true
	}
	f, ok := v.(float64)
	return int(f), true, ok && f == float64(int(f))
}

// tokens counts the prompt.
func (c Chat) tokens() int {
	n := 1
	for _, m := range c.Messages {
		n += words(m.Content) + 3
	}
	return n
}

// refusal returns the status and message with which the real server refuses
// a chat before it asks the model; 0 when it does not.
func (s *Server) refusal(c Chat) (int, string) {
	m, ok := s.find(c.Model)
	window, _, number := c.number("num_ctx")
	switch {
	case c.Model == "":
		return http.StatusBadRequest, "model is required"
	case !ok:
		return http.StatusNotFound, fmt.Sprintf("model '%s' not found", c.Model)
	case !number:
		return http.StatusInternalServerError, `option "num_ctx" must be of type integer`
	case !m.can("completion"):
		return http.StatusBadRequest, fmt.Sprintf("%q does not support chat", c.Model)
	case len(c.Tools) > 0 && !m.can("tools"):
		return http.StatusBadRequest, fmt.Sprintf("registry.ollama.ai/library/%s does not support tools", c.Model)
	case !s.o.Legacy && c.Think == true && !m.can("thinking"):
		return http.StatusBadRequest, fmt.Sprintf("%q does not support thinking", c.Model)
	case !s.o.Legacy && c.Truncate != nil && !*c.Truncate && window > 0 && c.tokens() > min(window, m.Window):
		return http.StatusBadRequest, "the input length exceeds the context length"
	}
	if level, isLevel := c.Think.(string); isLevel && !s.o.Legacy && !m.can("levels") {
		return http.StatusBadRequest, fmt.Sprintf("think value %q is not supported for this model", level)
	}
	return s.refuseArguments(c)
}

func (s *Server) refuseArguments(c Chat) (int, string) {
	for _, m := range c.Messages {
		for _, call := range m.ToolCalls {
			if a := bytes.TrimSpace(call.Function.Arguments); len(a) == 0 || a[0] != '{' {
				return http.StatusBadRequest, "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments"
			}
		}
	}
	return 0, ""
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	var c Chat
	if err := json.Unmarshal(body, &c); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	if status, message := s.refusal(c); status != 0 {
		fail(w, status, message)
		return
	}
	if len(c.Messages) == 0 {
		reply(w, map[string]any{"model": c.Model, "message": Message{Role: "assistant"}, "done": true, "done_reason": "load"})
		return
	}
	next, ok := s.next(c)
	if !ok {
		fail(w, http.StatusInternalServerError, "the script has no more replies")
		return
	}
	s.give(w, r, c, s.shape(c, next))
}

func (s *Server) next(c Chat) (Reply, bool) {
	s.mu.Lock()
	if len(s.script) > 0 {
		r := s.script[0]
		s.script = s.script[1:]
		s.mu.Unlock()
		return r, true
	}
	s.mu.Unlock()
	if s.o.Respond == nil {
		return Reply{}, false
	}
	return s.o.Respond(c), true
}

// shape fills in what the script left open, and swallows calls of tools that
// were not offered.
func (s *Server) shape(c Chat, r Reply) Reply {
	if r.PromptTokens == 0 {
		r.PromptTokens = c.tokens()
		if window, there, _ := c.number("num_ctx"); there && r.PromptTokens > window {
			r.PromptTokens = window // cut in silence
		}
	}
	if r.OutputTokens == 0 {
		r.OutputTokens = words(r.Thinking) + words(r.Text) + 5*len(r.Calls)
	}
	if r.DoneReason == "" {
		r.DoneReason = "stop"
	}
	r.Calls = slices.DeleteFunc(slices.Clone(r.Calls), func(call Call) bool {
		return !slices.ContainsFunc(c.Tools, func(t Tool) bool { return t.Function.Name == call.Function.Name })
	})
	for i := range r.Calls {
		r.Calls[i].Function.Index = i
		if s.o.Legacy {
			r.Calls[i].ID = ""
		}
	}
	return r
}
