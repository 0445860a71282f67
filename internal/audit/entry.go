package audit

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
	"unicode/utf8"

	"moothall"
)

// actionGenesis marks the first record of every log.
const actionGenesis moothall.AuditAction = "audit.genesis"

// reserved reports whether an action speaks of the log itself, so that only
// the log may record it.
func reserved(a moothall.AuditAction) bool {
	return a == actionGenesis || a == moothall.ActionRecovered
}

// appendEntry appends the canonical JSON of an entry whose time is set.
// params is the hash of its parameters, or "".
func appendEntry(dst []byte, by moothall.Identity, e *moothall.AuditEntry, params string) []byte {
	dst = append(dst, `{"time":"`...)
	dst = e.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, `","by":`...)
	dst = appendString(dst, string(by))
	dst = appendMember(dst, `,"agent":`, string(e.Agent))
	dst = appendMember(dst, `,"type":`, string(e.AgentType))
	for i, a := range e.Lineage {
		if i == 0 {
			dst = append(dst, `,"lineage":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(dst, string(a))
	}
	if len(e.Lineage) > 0 {
		dst = append(dst, ']')
	}
	dst = appendMember(dst, `,"action":`, string(e.Action))
	dst = appendMember(dst, `,"tool":`, string(e.Tool))
	dst = appendMember(dst, `,"params":`, params)
	dst = appendMember(dst, `,"status":`, string(e.Status))
	dst = appendMember(dst, `,"session":`, string(e.Session))
	dst = appendMember(dst, `,"query":`, string(e.Query))
	dst = appendMember(dst, `,"run":`, string(e.Run))
	dst = appendMember(dst, `,"call":`, string(e.Call))
	dst = appendMember(dst, `,"rule":`, e.Rule)
	dst = appendMember(dst, `,"note":`, e.Note)
	return append(dst, '}')
}

func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return appendString(append(dst, name...), value)
}

// appendString appends a JSON string in the one spelling that the format
// allows.
func appendString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < 0x7f {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		switch {
		case c >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// hashParams returns the keyed hash of a call's parameters: equal calls can
// be recognised, and guessing the parameters needs the directory's key.
func hashParams(key, params []byte) string {
	if params == nil {
		return ""
	}
	m := hmac.New(sha256.New, key)
	m.Write(params)
	var sum [sha256.Size]byte
	out := make([]byte, 0, 12+2*len(sum))
	return string(hex.AppendEncode(append(out, "hmac-sha256:"...), m.Sum(sum[:0])))
}

// wire is the JSON of a record for decoding. Only recovery reads records.
type wire struct {
	Time    time.Time            `json:"time"`
	By      moothall.Identity    `json:"by"`
	Agent   moothall.AgentID     `json:"agent"`
	Type    moothall.AgentType   `json:"type"`
	Lineage moothall.Lineage     `json:"lineage"`
	Action  moothall.AuditAction `json:"action"`
	Tool    moothall.ToolName    `json:"tool"`
	Params  string               `json:"params"`
	Status  moothall.AuditStatus `json:"status"`
	Session moothall.SessionID   `json:"session"`
	Query   moothall.QueryID     `json:"query"`
	Run     moothall.RunID       `json:"run"`
	Call    moothall.CallID      `json:"call"`
	Rule    string               `json:"rule"`
	Note    string               `json:"note"`
}

// decode parses canonical JSON; ok is false for any other spelling.
func decode(b []byte) (w wire, ok bool) {
	if json.Unmarshal(b, &w) != nil || w.By == "" {
		return wire{}, false
	}
	e := moothall.AuditEntry{
		Scope: moothall.Scope{Session: w.Session, Lineage: w.Lineage}, Time: w.Time,
		Agent: w.Agent, AgentType: w.Type, Action: w.Action, Tool: w.Tool, Status: w.Status,
		Call: w.Call, Query: w.Query, Run: w.Run, Rule: w.Rule, Note: w.Note,
	}
	if e.Action == "" || e.Status == "" {
		return wire{}, false
	}
	return w, bytes.Equal(b, appendEntry(nil, w.By, &e, w.Params))
}
