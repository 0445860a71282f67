package rpc

import (
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"moothall"
)

// The helpers of all translations. Functions named xTo make the wire's form,
// those named xFrom the hall's. All take and give zero for nothing: an absent
// time is the zero time, an empty list is nil.

// text makes s fit a string of the wire, which must be UTF-8. Content can
// come from anywhere; identifiers are the hall's own and are not passed
// through it, since a changed identifier would be another one.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func namesTo[T ~string](in []T) []string {
	return mapped(in, func(v T) string { return string(v) })
}

func namesFrom[T ~string](in []string) []T {
	return mapped(in, func(v string) T { return T(v) })
}

func textsTo(in []string) []string { return mapped(in, text) }

func mapped[A, B any](in []A, f func(A) B) []B {
	if len(in) == 0 {
		return nil
	}
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

func mappedMap[K1, K2 ~string, A, B any](in map[K1]A, f func(A) B) map[K2]B {
	if len(in) == 0 {
		return nil
	}
	out := make(map[K2]B, len(in))
	for k, v := range in {
		out[K2(k)] = f(v)
	}
	return out
}

// optional translates what may be absent.
func optional[A, B any](in *A, f func(A) *B) *B {
	if in == nil {
		return nil
	}
	return f(*in)
}

// optionalFrom is optional for the way back.
func optionalFrom[A, B any](in *A, f func(*A) B) *B {
	if in == nil {
		return nil
	}
	out := f(in)
	return &out
}

func timeTo(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func timeFrom(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}

func durationTo(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

func durationFrom(d *durationpb.Duration) time.Duration { return d.AsDuration() }

func labelTo(l moothall.Label) string { return l.String() }

// labelFrom takes a label that it does not know for all labels: a newer peer
// means some restriction by it, and labels must never get lost.
func labelFrom(s string) moothall.Label {
	l, err := moothall.ParseLabel(s)
	if err != nil {
		return moothall.Untrusted | moothall.Private
	}
	return l
}

// small fits a count into the wire's 32 bits; beyond them a limit is none.
func small(n int) int32 { return int32(min(max(n, math.MinInt32), math.MaxInt32)) }

// scopeFrom reads the two fields that every request has.
func scopeFrom(r interface {
	GetSessionId() string
	GetAgentLineage() []string
}) moothall.Scope {
	return moothall.Scope{Session: moothall.SessionID(r.GetSessionId()), Lineage: namesFrom[moothall.AgentID](r.GetAgentLineage())}
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }
