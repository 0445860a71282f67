package verify

import (
	"bytes"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"moothall"
)

// Entry is one record as a person reads it.
type Entry struct {
	Index   uint64               `json:"index"`
	Time    time.Time            `json:"time"`
	By      moothall.Identity    `json:"by"`
	Agent   moothall.AgentID     `json:"agent,omitempty"`
	Type    moothall.AgentType   `json:"type,omitempty"`
	Lineage moothall.Lineage     `json:"lineage,omitempty"`
	Action  moothall.AuditAction `json:"action"`
	Tool    moothall.ToolName    `json:"tool,omitempty"`
	Params  string               `json:"params,omitempty"` // keyed hash
	Status  moothall.AuditStatus `json:"status"`
	Session moothall.SessionID   `json:"session,omitempty"`
	Query   moothall.QueryID     `json:"query,omitempty"`
	Run     moothall.RunID       `json:"run,omitempty"`
	Call    moothall.CallID      `json:"call,omitempty"`
	Rule    string               `json:"rule,omitempty"`
	Note    string               `json:"note,omitempty"`
}

var errForm = errors.New("not in canonical form")

// parseEntry reads canonical JSON. It knows the members and their order and
// spells the result again to compare, so any other spelling is refused.
func parseEntry(r record) (Entry, error) {
	e := Entry{Index: r.index}
	c := cursor{rest: r.json, ok: true}
	c.literal("{")
	when := c.member("time")
	e.By = moothall.Identity(c.member("by"))
	e.Agent = moothall.AgentID(c.member("agent"))
	e.Type = moothall.AgentType(c.member("type"))
	e.Lineage = c.list("lineage")
	e.Action = moothall.AuditAction(c.member("action"))
	e.Tool = moothall.ToolName(c.member("tool"))
	e.Params = c.member("params")
	e.Status = moothall.AuditStatus(c.member("status"))
	e.Session = moothall.SessionID(c.member("session"))
	e.Query = moothall.QueryID(c.member("query"))
	e.Run = moothall.RunID(c.member("run"))
	e.Call = moothall.CallID(c.member("call"))
	e.Rule = c.member("rule")
	e.Note = c.member("note")
	c.literal("}")
	t, err := time.Parse(time.RFC3339Nano, when)
	if err != nil || !c.ok || len(c.rest) > 0 || e.By == "" || e.Action == "" || e.Status == "" {
		return Entry{}, errForm
	}
	e.Time = t.UTC()
	var space [1024]byte
	if !bytes.Equal(e.spell(space[:0]), r.json) {
		return Entry{}, errForm
	}
	return e, nil
}

// cursor walks over canonical JSON.
type cursor struct {
	rest  []byte
	later bool // a member was read, so a comma comes before the next
	ok    bool
}

func (c *cursor) literal(s string) {
	if len(c.rest) < len(s) || string(c.rest[:len(s)]) != s {
		c.ok = false
		return
	}
	c.rest = c.rest[len(s):]
}

// name steps over a member's name, if it is the next one.
func (c *cursor) name(name string) bool {
	at := 0
	if c.later {
		if len(c.rest) == 0 || c.rest[0] != ',' {
			return false
		}
		at = 1
	}
	end := at + len(name) + 3
	if !c.ok || len(c.rest) < end || c.rest[at] != '"' || string(c.rest[at+1:end-2]) != name ||
		c.rest[end-2] != '"' || c.rest[end-1] != ':' {
		return false
	}
	c.rest, c.later = c.rest[end:], true
	return true
}

func (c *cursor) member(name string) string {
	if !c.name(name) {
		return ""
	}
	return c.text()
}

func (c *cursor) list(name string) moothall.Lineage {
	if !c.name(name) {
		return nil
	}
	var out moothall.Lineage
	c.literal("[")
	for c.ok {
		out = append(out, moothall.AgentID(c.text()))
		if len(c.rest) == 0 || c.rest[0] != ',' {
			break
		}
		c.rest = c.rest[1:]
	}
	c.literal("]")
	return out
}

// text reads a string.
func (c *cursor) text() string {
	c.literal(`"`)
	if !c.ok {
		return ""
	}
	end := bytes.IndexByte(c.rest, '"')
	if end >= 0 && bytes.IndexByte(c.rest[:end], '\\') < 0 {
		s := string(c.rest[:end])
		c.rest = c.rest[end+1:]
		return s
	}
	return c.escaped()
}

// escaped reads on where a string holds a backslash.
func (c *cursor) escaped() string {
	var out strings.Builder
	for i := 0; i < len(c.rest); i++ {
		switch b := c.rest[i]; {
		case b == '"':
			c.rest = c.rest[i+1:]
			return out.String()
		case b != '\\':
			out.WriteByte(b)
		case i+1 < len(c.rest) && c.rest[i+1] != 'u':
			i++
			out.WriteByte(c.rest[i])
		case i+5 < len(c.rest):
			out.WriteByte(hexDigit(c.rest[i+4])<<4 | hexDigit(c.rest[i+5]))
			i += 5
		}
	}
	c.ok = false
	return ""
}

// hexDigit need not judge: a wrong digit does not survive the comparison.
func hexDigit(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// spell writes the canonical JSON of an entry.
func (e *Entry) spell(dst []byte) []byte {
	dst = append(dst, '{')
	member := func(name, value string) {
		if value == "" {
			return
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), '"', ':')
		dst = quote(dst, value)
	}
	var when [40]byte
	member("time", string(e.Time.AppendFormat(when[:0], time.RFC3339Nano)))
	member("by", string(e.By))
	member("agent", string(e.Agent))
	member("type", string(e.Type))
	if len(e.Lineage) > 0 {
		dst = append(dst, `,"lineage":`...)
		for i, a := range e.Lineage {
			dst = quote(append(dst, "[,"[min(i, 1)]), string(a))
		}
		dst = append(dst, ']')
	}
	member("action", string(e.Action))
	member("tool", string(e.Tool))
	member("params", e.Params)
	member("status", string(e.Status))
	member("session", string(e.Session))
	member("query", string(e.Query))
	member("run", string(e.Run))
	member("call", string(e.Call))
	member("rule", e.Rule)
	member("note", e.Note)
	return append(dst, '}')
}

// quote writes a JSON string.
func quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	if plain(s) {
		return append(append(dst, s...), '"')
	}
	for _, r := range s { // bad UTF-8 comes out as U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// plain reports whether a string needs no escapes.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
