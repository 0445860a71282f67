package history

import (
	"encoding/json"
	"fmt"

	"moothall"
)

// What stands in the place of something that was lost.
const (
	// Interrupted is the result of a call whose own result was never
	// recorded. It must not be read as a failure: the call may have run.
	Interrupted = "[interrupted] No result of this call was recorded. It may have taken effect: verify side effects before calling again."
	// Unanswered stands where the assistant's words are missing.
	Unanswered = "[interrupted before an answer]"
	// Earlier stands where the user's first words are missing.
	Earlier = "[the conversation began earlier]"
)

// Repair returns the conversation in a valid form. Results without a call are
// dropped, calls without a result get [Interrupted], neighbours of one role
// are joined, thinking and empty messages go, later system messages become
// words of the user, and missing speakers get a note in brackets. A valid
// conversation comes back unchanged, and repairing twice changes nothing more.
func Repair(msgs []moothall.Message) []moothall.Message {
	if Validate(msgs) == nil {
		return msgs
	}
	r := repairer{ids: make(map[moothall.CallID]bool)}
	for i := 0; i < len(msgs); {
		m := msgs[i]
		i++
		m.Thinking = ""
		switch m.Role {
		case moothall.RoleSystem:
			r.system(m)
		case moothall.RoleUser:
			r.user(m)
		case moothall.RoleAssistant:
			from := i
			for i < len(msgs) && msgs[i].Role == moothall.RoleTool {
				i++
			}
			r.assistant(m, msgs[from:i])
		}
	}
	return r.out
}

type repairer struct {
	out  []moothall.Message
	ids  map[moothall.CallID]bool
	made int // ids given out
}

// last returns the message before, or nil at the start.
func (r *repairer) last() *moothall.Message {
	if len(r.out) == 0 {
		return nil
	}
	return &r.out[len(r.out)-1]
}

func (r *repairer) add(m moothall.Message) { r.out = append(r.out, m) }

func (r *repairer) system(m moothall.Message) {
	if m.Content == "" {
		return
	}
	if l := r.last(); l == nil || l.Role == moothall.RoleSystem {
		r.add(moothall.Message{Role: m.Role, Content: m.Content})
		return
	}
	r.user(m)
}

func (r *repairer) user(m moothall.Message) {
	if m.Content == "" && len(m.Images) == 0 {
		return
	}
	m = moothall.Message{Role: moothall.RoleUser, Content: m.Content, Images: m.Images}
	l := r.last()
	switch {
	case l != nil && l.Role == moothall.RoleUser:
		l.Content = join(l.Content, m.Content)
		l.Images = append(l.Images[:len(l.Images):len(l.Images)], m.Images...)
		return
	case l != nil && l.Role == moothall.RoleTool:
		r.add(moothall.Message{Role: moothall.RoleAssistant, Content: Unanswered})
	}
	r.add(m)
}

func (r *repairer) assistant(m moothall.Message, results []moothall.Message) {
	calls, answers := r.pair(m.ToolCalls, results)
	if m.Content == "" && len(calls) == 0 {
		return
	}
	l := r.last()
	switch {
	case l == nil || l.Role == moothall.RoleSystem:
		r.add(moothall.Message{Role: moothall.RoleUser, Content: Earlier})
	case l.Role == moothall.RoleAssistant: // without calls, since groups end with a result
		m.Content = join(l.Content, m.Content)
		r.out = r.out[:len(r.out)-1]
	}
	r.add(moothall.Message{Role: m.Role, Content: m.Content, ToolCalls: calls})
	r.out = append(r.out, answers...)
}

// pair gives every named call an id of its own, an object as arguments, and
// exactly one result.
func (r *repairer) pair(calls []moothall.ToolCall, results []moothall.Message) ([]moothall.ToolCall, []moothall.Message) {
	var kept []moothall.ToolCall
	var answers []moothall.Message
	used := make([]bool, len(results))
	for _, c := range calls {
		if c.Name == "" {
			continue
		}
		text := Interrupted
		if i := find(c, results, used); i >= 0 {
			used[i] = true
			text = results[i].Content
		}
		c.ID = r.id(c.ID)
		c.Arguments = object(c.Arguments)
		kept = append(kept, c)
		answers = append(answers, moothall.Message{Role: moothall.RoleTool, Content: text, ToolName: c.Name, CallID: c.ID})
	}
	return kept, answers
}

// find returns the result of c: the one with its id, or else the first that
// names no call and fits by name.
func find(c moothall.ToolCall, results []moothall.Message, used []bool) int {
	if c.ID != "" {
		for i, m := range results {
			if !used[i] && m.CallID == c.ID {
				return i
			}
		}
	}
	for i, m := range results {
		if !used[i] && m.CallID == "" && (m.ToolName == "" || m.ToolName == c.Name) {
			return i
		}
	}
	return -1
}

// id returns want, or a new id where want is empty or taken.
func (r *repairer) id(want moothall.CallID) moothall.CallID {
	for want == "" || r.ids[want] {
		r.made++
		want = moothall.CallID(fmt.Sprintf("repaired_%d", r.made))
	}
	r.ids[want] = true
	return want
}

// object returns raw when it is an object, the object inside when it is a
// string that holds one, and an empty object otherwise.
func object(raw json.RawMessage) json.RawMessage {
	if isObject(raw) {
		return raw
	}
	var s string
	if json.Unmarshal(raw, &s) == nil && isObject([]byte(s)) {
		return json.RawMessage(s)
	}
	return json.RawMessage("{}")
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
