package prompt

import (
	"strings"

	"moothall"
)

// Part is a special token or a run of text.
type Part struct {
	Special Special // None for text
	Text    string
}

// Off is the value of a request's Think that asks for no thoughts.
const Off = "off"

// Render writes the prompt that asks for the next message.
func Render(r moothall.GenerateRequest) []Part {
	w := writer{parts: []Part{{Special: BOS}}}
	w.order = make(map[moothall.ToolName]any, len(r.Tools))
	for _, t := range r.Tools {
		w.order[t.Name] = decode(t.Parameters)
	}
	turns := fold(r.Messages)
	w.system(turns.system, r.Tools)
	for _, m := range turns.rest {
		w.message(m, r.Messages)
	}
	w.special(Start)
	w.text("assistant\n")
	if r.Think == Off {
		w.special(ThinkOpen)
		w.special(ThinkClose)
		w.text("\n")
	}
	return w.parts
}

// conversation is a list of messages without those of the system.
type conversation struct {
	system string
	rest   []moothall.Message
}

// fold moves system messages to the top and joins neighbours of one role.
func fold(messages []moothall.Message) conversation {
	var c conversation
	for _, m := range messages {
		if m.Role == moothall.RoleSystem {
			c.system = paragraphs(c.system, m.Content)
			continue
		}
		if n := len(c.rest); n > 0 && c.rest[n-1].Role == m.Role && m.Role != moothall.RoleTool {
			last := &c.rest[n-1]
			last.Content = paragraphs(last.Content, m.Content)
			last.ToolCalls = append(last.ToolCalls[:len(last.ToolCalls):len(last.ToolCalls)], m.ToolCalls...)
			continue
		}
		c.rest = append(c.rest, m)
	}
	return c
}

func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

type writer struct {
	parts []Part
	order map[moothall.ToolName]any // schemas, for the order of keys
}

func (w *writer) special(s Special) { w.parts = append(w.parts, Part{Special: s}) }

// text adds to the run that is being written.
func (w *writer) text(s string) {
	if s == "" {
		return
	}
	if last := &w.parts[len(w.parts)-1]; last.Special == None {
		last.Text += s
		return
	}
	w.parts = append(w.parts, Part{Special: None, Text: s})
}

func (w *writer) system(said string, tools []moothall.ToolSpec) {
	if said == "" && len(tools) == 0 {
		return
	}
	var lines []string
	for _, t := range tools {
		lines = append(lines, Line(t))
	}
	if len(tools) > 0 {
		said = paragraphs(said, "# Tools\n"+strings.Join(lines, "\n"))
	}
	w.block("system\n", said)
}

// block writes a message that is all text.
func (w *writer) block(head, content string) {
	w.special(Start)
	w.text(head + content)
	w.special(End)
	w.text("\n")
}

func (w *writer) message(m moothall.Message, all []moothall.Message) {
	switch m.Role {
	case moothall.RoleAssistant:
		w.assistant(m)
	case moothall.RoleTool:
		w.block("tool\n", toolName(m, all)+"\n"+m.Content)
	default:
		w.block("user\n", m.Content)
	}
}

func (w *writer) assistant(m moothall.Message) {
	w.special(Start)
	w.text("assistant\n" + m.Content)
	for i, c := range m.ToolCalls {
		if i > 0 || m.Content != "" {
			w.text("\n")
		}
		w.special(CallOpen)
		w.text(`{"name": ` + Quote(string(c.Name)) + `, "arguments": ` + arguments(c, w.order[c.Name]) + `}`)
		w.special(CallClose)
	}
	w.special(End)
	w.text("\n")
}

// toolName is the name on a tool's message, or that of the call it answers.
func toolName(m moothall.Message, all []moothall.Message) string {
	if m.ToolName != "" {
		return string(m.ToolName)
	}
	for _, a := range all {
		for _, c := range a.ToolCalls {
			if c.ID == m.CallID && m.CallID != "" {
				return string(c.Name)
			}
		}
	}
	return "tool"
}

// Encode turns parts into token ids; encode takes plain text and never yields
// a special id.
func Encode(parts []Part, encode func(dst []int32, text string) []int32) []int32 {
	var ids []int32
	for _, p := range parts {
		if p.Special != None {
			ids = append(ids, int32(p.Special))
			continue
		}
		ids = encode(ids, p.Text)
	}
	return ids
}

// Text is the prompt as a person would read it, specials by their names.
func Text(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Special.String())
		b.WriteString(p.Text)
	}
	return b.String()
}
