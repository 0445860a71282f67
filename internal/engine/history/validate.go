package history

import (
	"bytes"
	"encoding/json"
	"fmt"

	"moothall"
)

// Validate reports the first thing that makes a conversation invalid, as an
// [moothall.Error] with [moothall.CodeInvalid] that names the message.
func Validate(msgs []moothall.Message) error {
	v := validator{ids: make(map[moothall.CallID]bool)}
	for i, m := range msgs {
		if err := v.next(m); err != "" {
			return moothall.Fail(moothall.CodeInvalid, "history", fmt.Sprintf("message %d: %s", i, err))
		}
	}
	if len(v.open) > 0 {
		return moothall.Fail(moothall.CodeInvalid, "history", "the last call has no result")
	}
	return nil
}

// validator remembers what may come next.
type validator struct {
	last moothall.Role            // of the message before; empty at the start
	open []moothall.ToolCall      // calls of the current group without a result
	ids  map[moothall.CallID]bool // every call so far
}

// next says what is wrong with m at this place, or "".
func (v *validator) next(m moothall.Message) string {
	if m.Thinking != "" {
		return "thinking does not belong into history"
	}
	if len(v.open) > 0 && m.Role != moothall.RoleTool {
		return "a call before it has no result"
	}
	var problem string
	switch m.Role {
	case moothall.RoleSystem:
		if v.last != "" && v.last != moothall.RoleSystem {
			problem = "a system message after the beginning"
		}
	case moothall.RoleUser:
		if v.last == moothall.RoleUser || v.last == moothall.RoleTool {
			problem = "the user speaks where the assistant should"
		}
	case moothall.RoleAssistant:
		problem = v.assistant(m)
	case moothall.RoleTool:
		problem = v.result(m)
	default:
		problem = "unknown role " + string(m.Role)
	}
	v.last = m.Role
	return problem
}

func (v *validator) assistant(m moothall.Message) string {
	switch {
	case v.last != moothall.RoleUser && v.last != moothall.RoleTool:
		return "the assistant speaks where the user should"
	case m.Content == "" && len(m.ToolCalls) == 0:
		return "an empty reply"
	}
	for _, c := range m.ToolCalls {
		switch {
		case c.Name == "":
			return "a call without a name"
		case c.ID == "" || v.ids[c.ID]:
			return "a call without an id of its own"
		case !isObject(c.Arguments):
			return "a call whose arguments are no object"
		}
		v.ids[c.ID] = true
	}
	v.open = m.ToolCalls
	return ""
}

func (v *validator) result(m moothall.Message) string {
	switch {
	case len(v.open) == 0:
		return "a result without a call"
	case m.CallID != v.open[0].ID:
		return "a result out of order"
	case m.ToolName != v.open[0].Name:
		return "a result under another tool's name"
	}
	v.open = v.open[1:]
	return ""
}

// isObject reports whether raw is a JSON object.
func isObject(raw []byte) bool {
	b := bytes.TrimSpace(raw)
	return len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// Closed reports whether the user can speak next.
func Closed(msgs []moothall.Message) bool {
	if len(msgs) == 0 {
		return true
	}
	last := msgs[len(msgs)-1]
	return last.Role == moothall.RoleSystem || last.Role == moothall.RoleAssistant && len(last.ToolCalls) == 0
}

// Close returns msgs, ended with words of the assistant when they lack them.
func Close(msgs []moothall.Message, words string) []moothall.Message {
	if Closed(msgs) {
		return msgs
	}
	return append(msgs[:len(msgs):len(msgs)], moothall.Message{Role: moothall.RoleAssistant, Content: words})
}
