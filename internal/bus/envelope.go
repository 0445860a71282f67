package bus

import (
	"bytes"
	"encoding/json"
	"strings"

	"moothall"
)

// maxEnvelope bounds what Decode looks at: the largest payload that Options
// allow, and the envelope around it.
const maxEnvelope = 7<<20 + envelopeSlack

// Encode returns the envelope of an event as it crosses the wire. The place
// in the record is left out: the server knows it better.
func Encode(e moothall.Event) ([]byte, error) {
	e.Seq = 0
	if err := e.Validate(); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // escaping would make a payload up to six times as long
	if err := enc.Encode(e); err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "encode event", Err: err}
	}
	b := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	if len(b)-len(e.Payload) > envelopeSlack {
		return nil, moothall.Fail(moothall.CodeTooLarge, "encode event", "the envelope without its payload is above 64 KiB")
	}
	return b, nil
}

// Decode reads an envelope that arrived on a wire subject. Fields that it
// does not know are ignored, so that a newer sender is understood. A field
// given twice or in another spelling, an envelope that names another subject
// or sender than the wire subject, and a sender that may not say this are
// refused with CodeInvalid. The event's Seq is 0.
func Decode(wire string, data []byte) (moothall.Event, error) {
	if len(data) > maxEnvelope {
		return moothall.Event{}, moothall.Fail(moothall.CodeTooLarge, "decode event", "the envelope is above the limit")
	}
	var e moothall.Event
	if err := json.Unmarshal(data, &e); err != nil {
		return moothall.Event{}, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "decode event", Message: "the envelope is not readable", Err: err,
		}
	}
	e.Seq = 0
	if err := checkKeys(data); err != nil {
		return moothall.Event{}, err
	}
	subject, sender := splitWire(wire)
	switch {
	case e.Subject != subject:
		return moothall.Event{}, refused("the envelope names another subject than the one it arrived on")
	case e.Sender != sender:
		return moothall.Event{}, refused("the envelope names another sender than the one that published it")
	}
	if err := e.Validate(); err != nil {
		return moothall.Event{}, err
	}
	if !mayCarry(subject, sender) {
		return moothall.Event{}, refused("the sender may not publish this subject")
	}
	return e, nil
}

func refused(message string) error {
	return moothall.Fail(moothall.CodeInvalid, "decode event", message)
}

// envelopeKeys are the fields of an envelope.
var envelopeKeys = [...]string{
	"id", "subject", "type", "time", "session_id", "query_id", "correlation_id",
	"respondent_id", "sender", "agent_lineage", "trace", "payload", "seq",
}

// checkKeys refuses what encoding/json lets pass and another reader may read
// otherwise: a field twice, a field in another case, a field's name escaped.
// The data is known to be one valid JSON value.
func checkKeys(data []byte) error {
	var seen uint32
	depth, wantKey := 0, false
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
			wantKey = depth == 1 && data[i] == '{'
		case '}', ']':
			depth--
		case ',':
			wantKey = depth == 1
		case '"':
			end := stringEnd(data, i)
			if wantKey {
				if err := noteKey(string(data[i+1:end]), &seen); err != nil {
					return err
				}
				wantKey = false
			}
			i = end
		}
	}
	return nil
}

// stringEnd returns where the string that opens at i closes.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return min(i, len(data))
}

func noteKey(key string, seen *uint32) error {
	if strings.ContainsRune(key, '\\') {
		return refused("a field's name is escaped")
	}
	for i, known := range envelopeKeys {
		if !strings.EqualFold(key, known) {
			continue
		}
		if key != known {
			return refused("a field's name is spelled otherwise: " + known)
		}
		if *seen&(1<<i) != 0 {
			return refused("a field is given twice: " + known)
		}
		*seen |= 1 << i
	}
	return nil
}
