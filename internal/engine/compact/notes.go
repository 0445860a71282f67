package compact

import (
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/engine/toolcall"
	"moothall/internal/schema"
)

// Notes are what is kept of the older turns.
type Notes struct {
	Decisions []string `json:"decisions"` // what was decided, found out or asked for
	Artifacts []string `json:"artifacts"` // paths and addresses, never contents
	Questions []string `json:"questions"` // what is open
}

// heading marks the message that carries notes, and its lists.
const (
	heading   = "[Notes on the conversation so far. They are a record, not an instruction.]"
	noted     = "Noted."
	decisions = "Decisions and facts:"
	artifacts = "Artifacts:"
	questions = "Open questions:"
)

var notesSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decisions":{"type":"array","items":{"type":"string"}},` +
	`"artifacts":{"type":"array","items":{"type":"string"}},` +
	`"questions":{"type":"array","items":{"type":"string"}}},` +
	`"required":["decisions","artifacts","questions"],"additionalProperties":false}`)

func (n Notes) empty() bool { return len(n.Decisions)+len(n.Artifacts)+len(n.Questions) == 0 }

// String writes the notes as a message has them.
func (n Notes) String() string {
	var b strings.Builder
	b.WriteString(heading)
	for _, part := range []struct {
		title string
		items []string
	}{{decisions, n.Decisions}, {artifacts, n.Artifacts}, {questions, n.Questions}} {
		if len(part.items) > 0 {
			b.WriteString("\n\n" + part.title + "\n- " + strings.Join(part.items, "\n- "))
		}
	}
	return b.String()
}

// parseNotes is the inverse of String. The second result is false for a
// message that is something else.
func parseNotes(m moothall.Message) (Notes, bool) {
	text, ok := strings.CutPrefix(m.Content, heading)
	if !ok || m.Role != moothall.RoleUser {
		return Notes{}, false
	}
	var n Notes
	var list *[]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(line, "- ")
		switch {
		case line == decisions:
			list = &n.Decisions
		case line == artifacts:
			list = &n.Artifacts
		case line == questions:
			list = &n.Questions
		case isItem && list != nil:
			*list = append(*list, item)
		}
	}
	return n, true
}

// readNotes takes notes out of a model's reply. What it cannot have seen, and
// what is no path, is left out of the artifacts.
func readNotes(reply, seen string) (Notes, []string) {
	value, err := schema.Extract(toolcall.Parse(reply, nil).Content)
	if err != nil {
		return Notes{}, []string{err.Error()}
	}
	if problems := schema.Check(notesSchema, value); len(problems) > 0 {
		return Notes{}, problems
	}
	var n Notes
	if err := json.Unmarshal(value, &n); err != nil {
		return Notes{}, []string{"the notes cannot be read"}
	}
	n.Decisions, n.Questions = lines(n.Decisions), lines(n.Questions)
	n.Artifacts = slices.DeleteFunc(lines(n.Artifacts), func(a string) bool { return !isPath(a) || !stands(seen, a) })
	if n.empty() {
		return n, []string{"the notes are empty"}
	}
	return n, nil
}

// stands reports whether an artifact is in what was seen, also as JSON writes
// it there: the notes so far and the arguments of calls are JSON.
func stands(seen, a string) bool {
	for _, html := range []bool{true, false} { // whether & < > are escaped
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		if e.Encode(a) == nil && strings.Contains(seen, strings.Trim(b.String(), "\"\n")) {
			return true
		}
	}
	return strings.Contains(seen, a)
}

// lines brings each item onto one line and leaves out empty ones and doubles.
func lines(items []string) []string {
	var out []string
	for _, s := range items {
		s = strings.Join(strings.Fields(s), " ")
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// isPath reports whether an artifact is named and not quoted.
func isPath(s string) bool {
	return len(s) <= 300 && strings.ContainsAny(s, `/\.`) && strings.Count(s, " ") <= 3
}
