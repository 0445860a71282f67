package otlp

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"
)

// TraceID and SpanID are those of W3C trace context, in lower-case hex.
type (
	TraceID string // 32 digits
	SpanID  string // 16 digits
)

// TraceOf derives a trace from a name, so that parts of the hall that know
// the same query speak of the same trace without being told.
func TraceOf(name string) TraceID {
	sum := sha256.Sum256([]byte("trace " + name))
	return TraceID(hex.EncodeToString(sum[:16]))
}

// SpanOf derives a span from a name.
func SpanOf(name string) SpanID {
	sum := sha256.Sum256([]byte("span " + name))
	return SpanID(hex.EncodeToString(sum[:8]))
}

// Kind says which side of a call a span is.
type Kind int

// The kinds, numbered as on the wire.
const (
	Internal Kind = 1
	Client   Kind = 3
)

// Span is one piece of work.
type Span struct {
	Trace      TraceID
	ID         SpanID
	Parent     SpanID
	Name       string
	Kind       Kind
	Start, End time.Time
	Attributes map[string]any // strings, bools, ints and floats
	Failed     string         // why; empty when it went well
}

// The wire. Numbers of 64 bits are text, as OTLP's JSON has them.
type (
	wireSpan struct {
		TraceID    TraceID     `json:"traceId"`
		SpanID     SpanID      `json:"spanId"`
		Parent     SpanID      `json:"parentSpanId,omitempty"`
		Name       string      `json:"name"`
		Kind       Kind        `json:"kind"`
		Start      string      `json:"startTimeUnixNano"`
		End        string      `json:"endTimeUnixNano"`
		Attributes []attribute `json:"attributes,omitempty"`
		Status     *wireStatus `json:"status,omitempty"`
	}
	wireStatus struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
	attribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// statusError is STATUS_CODE_ERROR.
const statusError = 2

func (s Span) wire() wireSpan {
	w := wireSpan{
		TraceID: s.Trace, SpanID: s.ID, Parent: s.Parent, Name: s.Name, Kind: max(s.Kind, Internal),
		Start: strconv.FormatInt(s.Start.UnixNano(), 10), End: strconv.FormatInt(s.End.UnixNano(), 10),
		Attributes: attributes(s.Attributes),
	}
	if s.Failed != "" {
		w.Status = &wireStatus{statusError, s.Failed}
	}
	return w
}

// attributes puts a map into the wire's form, in a stable order. Values of
// other types and empty texts are left out.
func attributes(m map[string]any) []attribute {
	var out []attribute
	for key, v := range m {
		var value map[string]any
		switch v := v.(type) {
		case string:
			if v == "" {
				continue
			}
			value = map[string]any{"stringValue": v}
		case bool:
			value = map[string]any{"boolValue": v}
		case int:
			value = map[string]any{"intValue": strconv.Itoa(v)}
		case int64:
			value = map[string]any{"intValue": strconv.FormatInt(v, 10)}
		case float64:
			value = map[string]any{"doubleValue": v}
		case []string:
			list := make([]map[string]any, len(v))
			for i, s := range v {
				list[i] = map[string]any{"stringValue": s}
			}
			value = map[string]any{"arrayValue": map[string]any{"values": list}}
		default:
			continue
		}
		out = append(out, attribute{key, value})
	}
	slices.SortFunc(out, func(a, b attribute) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return out
}
