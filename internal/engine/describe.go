package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/schema"
)

// The tags around calls and results in the text of models that have no field
// for them.
const (
	callOpen, callClose     = "<tool_call>", "</tool_call>"
	resultOpen, resultClose = "<tool_response", "</tool_response>"
)

// describe tells a model without a field for tools what it can call and how,
// with examples made of the first tool on offer. The same tools always give
// the same text.
func describe(tools []moothall.ToolSpec) string {
	if len(tools) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("You can call tools. The tools, with the JSON schema of their arguments:\n")
	for _, t := range tools {
		b.WriteString("\n- " + string(t.Name) + ": " + strings.Join(strings.Fields(t.Description), " ") + "\n  ")
		b.Write(compactJSON(t.Parameters))
	}
	b.WriteString("\n\nTo call one, write exactly this and nothing after it, then wait for the result:\n")
	b.WriteString(callText(moothall.ToolCall{Name: "NAME", Arguments: json.RawMessage(`{"ARGUMENT":"VALUE"}`)}))
	b.WriteString("\n\nExample of a question that needs a tool:\nuser: (something that " + string(tools[0].Name) + " can find out)\nassistant: ")
	b.WriteString(callText(moothall.ToolCall{Name: tools[0].Name, Arguments: schema.Example(tools[0].Parameters)}))
	b.WriteString("\nuser: " + resultText(tools[0].Name, "(what the tool found)"))
	b.WriteString("\nassistant: (the answer, from what the tool found)")
	b.WriteString("\n\nExample of a question that needs none:\nuser: Hello!\nassistant: Hello! What can I do for you?")
	b.WriteString("\n\nNever say that you did something with a tool when you have not called it.")
	return b.String()
}

func compactJSON(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	v, err := schema.Canonical(raw)
	if err != nil {
		return raw
	}
	return v
}

func callText(c moothall.ToolCall) string {
	name, _ := json.Marshal(string(c.Name))
	return callOpen + `{"name":` + string(name) + `,"arguments":` + string(c.Arguments) + `}` + callClose
}

// resultText wraps a result. A result that contains the closing tag must not
// be able to speak as the user.
func resultText(name moothall.ToolName, text string) string {
	text = strings.ReplaceAll(text, "</tool_response", "< /tool_response")
	return resultOpen + ` name="` + string(name) + `">` + "\n" + text + "\n" + resultClose
}

// flatten writes calls and results as text, for models that know neither.
// Neighbours of one role are joined, since results become words of the user.
func flatten(msgs []moothall.Message) []moothall.Message {
	if !slices.ContainsFunc(msgs, func(m moothall.Message) bool { return m.Role == moothall.RoleTool }) {
		return msgs
	}
	out := make([]moothall.Message, 0, len(msgs))
	for _, m := range msgs {
		if m.Role == moothall.RoleTool {
			m = moothall.Message{Role: moothall.RoleUser, Content: resultText(m.ToolName, m.Content)}
		}
		for _, c := range m.ToolCalls {
			if m.Content != "" {
				m.Content += "\n"
			}
			m.Content += callText(c)
		}
		m.ToolCalls = nil
		if n := len(out); n > 0 && out[n-1].Role == m.Role && m.Role == moothall.RoleUser {
			out[n-1].Content = joined(out[n-1].Content, m.Content)
			continue
		}
		out = append(out, m)
	}
	return out
}
