package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"moothall"
)

// Calls puts tool calls together from the fragments in which they stream.
// The zero value is ready.
type Calls struct {
	order []*call
	at    map[int]*call // by the wire's index
}

type call struct {
	id, name string
	args     strings.Builder
}

// Add takes one fragment. A new id at an index that is in use begins a new
// call: some servers give every call the index 0. So it does with a name, or
// once the call before is whole; others give every fragment an id. Where they
// give no ids either, a name does, once the call before is whole; a name that
// is only said again does not.
func (c *Calls) Add(index int, id, name, args string) {
	if c.at == nil {
		c.at = map[int]*call{}
	}
	k := c.at[index]
	if k == nil || k.id != "" && id != "" && id != k.id && (name != "" || k.whole()) || id == "" && k.another(name, args) && k.whole() {
		k = &call{}
		c.at[index], c.order = k, append(c.order, k)
	}
	if k.id == "" {
		k.id = id
	}
	if k.name == "" {
		k.name = name
	}
	k.args.WriteString(args)
}

// whole reports whether nothing can follow in a call's arguments.
func (k *call) whole() bool {
	text := strings.TrimSpace(k.args.String())
	return k.name != "" && strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") && json.Valid([]byte(text))
}

// another reports whether a fragment after a whole call is of another one.
func (k *call) another(name, args string) bool {
	return name != "" && (name != k.name || strings.TrimSpace(args) != "")
}

// List returns the calls in the order of their beginning. cut says that the
// output ended at a limit: a call whose arguments are broken is then left
// out, since it is not what the model meant to do.
func (c *Calls) List(cut bool) []moothall.ToolCall {
	var out []moothall.ToolCall
	for _, k := range c.order {
		text := k.args.String()
		if k.name == "" || cut && !json.Valid([]byte(text)) {
			continue
		}
		out = append(out, moothall.ToolCall{ID: ID(k.id), Name: moothall.ToolName(k.name), Arguments: Arguments(text)})
	}
	return distinct(out)
}

// distinct gives calls that share an id ids of their own.
func distinct(calls []moothall.ToolCall) []moothall.ToolCall {
	seen := map[moothall.CallID]bool{}
	for i, c := range calls {
		if seen[c.ID] {
			calls[i].ID = ID("")
		}
		seen[calls[i].ID] = true
	}
	return calls
}

// ID is the server's id of a call, or a new one where it has none.
func ID(id string) moothall.CallID {
	if id == "" {
		id = "call_" + strings.ReplaceAll(moothall.NewID(), "-", "")
	}
	return moothall.CallID(id)
}

// Arguments makes valid JSON of a call's arguments: nothing means none, and
// what is not JSON becomes a JSON string that holds it, for the engine to mend
// or to complain about.
func Arguments(text string) json.RawMessage {
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "" || trimmed == "null":
		return json.RawMessage("{}")
	case json.Valid([]byte(trimmed)):
		return json.RawMessage(trimmed)
	}
	quoted, err := json.Marshal(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return json.RawMessage("{}") // a string always has a JSON form
	}
	return quoted
}

// Object is a call's arguments for a wire that takes objects alone.
func Object(args json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(args, &text) == nil {
		args = json.RawMessage(text)
	}
	switch t := bytes.TrimSpace(args); {
	case len(t) == 0:
		return json.RawMessage("{}")
	case t[0] == '{' && json.Valid(t):
		return t
	}
	if !json.Valid(args) {
		args = Arguments(string(args))
	}
	return json.RawMessage(`{"value":` + string(args) + `}`)
}
