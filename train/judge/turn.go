package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"moothall"
)

// turn is a line of the file: the request, and all that the line has.
type turn struct {
	Messages []messageJSON       `json:"messages"`
	Tools    []moothall.ToolSpec `json:"tools"`
	Schema   json.RawMessage     `json:"schema"`
	Think    bool                `json:"think"`
	Role     moothall.ModelRole  `json:"role"`
	// Nothing has what a look-up gives back that finds nothing, by its tool.
	Nothing map[moothall.ToolName]string `json:"nothing"`

	line map[string]json.RawMessage
}

type messageJSON struct {
	Role    moothall.Role     `json:"role"`
	Name    moothall.ToolName `json:"name"`
	Content string            `json:"content"`
	Calls   []callJSON        `json:"calls"`
}

type callJSON struct {
	Name      moothall.ToolName `json:"name"`
	Arguments json.RawMessage   `json:"arguments"`
}

// maxLine bounds a turn.
const maxLine = 16 << 20

// read reads all turns.
func read(r io.Reader) ([]turn, error) {
	var turns []turn
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var t turn
		raw := bytes.Clone(lines.Bytes())
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := json.Unmarshal(raw, &t.line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if t.line == nil {
			return nil, fmt.Errorf("line %d: no turn", n)
		}
		turns = append(turns, t)
	}
	return turns, lines.Err()
}

// request is what the hall would ask.
func (t *turn) request(o options, number int64) moothall.GenerateRequest {
	r := moothall.GenerateRequest{Tools: t.Tools, Role: t.Role}
	for _, m := range t.Messages {
		out := moothall.Message{Role: m.Role, Content: m.Content, ToolName: m.Name}
		for _, c := range m.Calls {
			out.ToolCalls = append(out.ToolCalls, moothall.ToolCall{Name: c.Name, Arguments: c.Arguments})
		}
		r.Messages = append(r.Messages, out)
	}
	if len(t.Schema) > 0 && string(t.Schema) != "null" {
		r.Schema = t.Schema
	}
	if !t.Think {
		r.Think = "off"
	}
	if o.temperature > 0 {
		seed := o.seed + number
		r.Temperature, r.Seed = &o.temperature, &seed
	}
	return r
}

// after is the request that follows calls of look-ups, which found nothing; ok
// is false when something else was called.
func (t *turn) after(r moothall.GenerateRequest, s said) (_ moothall.GenerateRequest, ok bool) {
	asked := moothall.Message{Role: moothall.RoleAssistant, Content: s.Text}
	var found []moothall.Message
	for _, c := range s.Calls {
		text, ok := t.Nothing[c.Name]
		if !ok {
			return r, false
		}
		asked.ToolCalls = append(asked.ToolCalls, moothall.ToolCall{Name: c.Name, Arguments: c.Arguments})
		found = append(found, moothall.Message{Role: moothall.RoleTool, ToolName: c.Name, Content: text})
	}
	r.Messages = append(append(slices.Clip(r.Messages), asked), found...)
	return r, len(found) > 0
}

// write writes the line with what was said.
func (t *turn) write(w io.Writer, s said) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	t.line["said"] = raw
	line, err := json.Marshal(t.line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", line)
	return err
}
