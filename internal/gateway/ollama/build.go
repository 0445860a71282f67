package ollama

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"moothall"
)

// encode writes the body of a chat. Its tools stand last.
func (p *Provider) encode(r moothall.GenerateRequest, window int) (encoded, error) {
	body, err := json.Marshal(p.build(r, window))
	if err != nil || len(r.Tools) == 0 {
		return body, err
	}
	tools, err := p.offers.encode(r.Tools)
	if err != nil {
		return nil, err
	}
	return slices.Concat(body[:len(body)-1], []byte(`,"tools":`), tools, []byte("}")), nil
}

// build makes the body of a chat, without its tools.
func (p *Provider) build(r moothall.GenerateRequest, window int) chatRequest {
	c := chatRequest{
		Model: r.Model, Format: r.Schema, Stream: !r.Whole, Think: think(r.Think), KeepAlive: keepAlive(p.o.KeepAlive),
		Options:  options{NumCtx: window, NumPredict: r.MaxTokens, Temperature: r.Temperature, Seed: r.Seed, Stop: r.Stop},
		Messages: make([]message, 0, len(r.Messages)),
	}
	for _, m := range r.Messages {
		c.Messages = append(c.Messages, buildMessage(m))
	}
	return c
}

func buildMessage(m moothall.Message) message {
	out := message{Role: m.Role, Content: m.Content, Images: m.Images}
	switch m.Role {
	case moothall.RoleTool:
		out.Content, out.ToolName, out.ToolCallID = neutralTool(m.Content), m.ToolName, m.CallID
	case moothall.RoleUser:
		out.Content = neutral(m.Content)
	}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, call{ID: c.ID, Function: callFunction{c.Name, object(c.Arguments)}})
	}
	return out
}

// think translates the wish to think. An empty one leaves the field out,
// which means true for a model that can.
func think(wish string) any {
	switch wish {
	case "":
		return nil
	case "on", "true":
		return true
	case "off", "false":
		return false
	}
	return wish // a level
}

func keepAlive(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 0:
		return "-1s"
	}
	return strconv.FormatInt(max(1, int64(d.Seconds())), 10) + "s"
}

// object makes a JSON object of a call's arguments, since the server refuses
// a history with anything else. A string that holds an object is that object.
func object(args json.RawMessage) json.RawMessage {
	args = bytes.TrimSpace(args)
	if len(args) == 0 || string(args) == "null" {
		return json.RawMessage("{}")
	}
	if !json.Valid(args) {
		return wrapped("text", string(args))
	}
	if args[0] == '{' {
		return args
	}
	var s string
	if json.Unmarshal(args, &s) != nil {
		return wrapped("value", args)
	}
	if inner := bytes.TrimSpace([]byte(s)); len(inner) > 0 && inner[0] == '{' && json.Valid(inner) {
		return inner
	}
	return wrapped("text", s)
}

func wrapped(key string, v any) json.RawMessage {
	b, err := json.Marshal(map[string]any{key: v})
	if err != nil {
		return json.RawMessage("{}") // v is a string or valid JSON: this cannot be
	}
	return b
}
