package tape_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/engine/tape"
)

type seqOf = iter.Seq2[moothall.Chunk, error]

type errorText string

func (e errorText) Error() string { return string(e) }

// TestEveryFieldOfARequest is on the tape, or is what a replay puts in.
func TestEveryFieldOfARequest(t *testing.T) {
	t.Parallel()
	wired := []string{"Model", "Handle", "Meter", "Now", "Ended"}
	given := reflect.TypeFor[tape.Given]()
	for f := range reflect.TypeFor[engine.Request]().Fields() {
		if _, ok := given.FieldByName(f.Name); !ok && !slices.Contains(wired, f.Name) {
			t.Errorf("the field %s of a request is not on the tape", f.Name)
		}
	}
}

// fill sets every field of a value to something of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(float64(*n) / 7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes(fmt.Appendf(nil, `{"n": %d, "x":"<"}`, *n))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	}
}

// TestTheSameRequest comes off a tape that went on it: the model is asked
// just what it was asked, and the engine is given all fields.
func TestTheSameRequest(t *testing.T) {
	t.Parallel()
	var req engine.Request
	v, n := reflect.ValueOf(&req).Elem(), 0
	for i := range v.NumField() {
		switch v.Field(i).Kind() {
		case reflect.Func, reflect.Interface:
		default:
			if v.Type().Field(i).Name != "Meter" {
				fill(v.Field(i), &n)
			}
		}
	}
	req.Input, req.Window = user("q"), 32000
	req.Limits.Time, req.Limits.Tokens = time.Hour, 100_000
	req.Now = clock()
	req.Meter = new(history.Meter)
	req.Meter.Observe(req.Provider+"/"+req.ModelName, 4321, 1000)
	req.Broker = &broker{}
	first := &spy{Model: script(says("a"), says("b"))}
	req.Model = first
	final, rec := record(t, t.Context(), req)
	second := &spy{Model: script(says("a"), says("b"))}
	if _, _, err := tape.Play(t.Context(), rec, tape.Changes{Model: second}); err != nil {
		t.Fatal(err)
	}
	if len(first.requests) == 0 {
		t.Fatalf("the model was not asked: %s", dump(final))
	}
	if d := cmp.Diff(first.requests, second.requests); d != "" {
		t.Error(d)
	}
	if rec.Given.Ratio != 4.321 || rec.Given.Limits != req.Limits || rec.Given.Abilities != req.Abilities || rec.Given.Hedge != req.Hedge {
		t.Errorf("given: %s", dump(rec.Given))
	}
}

// TestTheMeterLearns although a run is recorded with one of its own.
func TestTheMeterLearns(t *testing.T) {
	t.Parallel()
	shared := new(history.Meter)
	reply := says("a")
	reply.usage = moothall.Usage{PromptTokens: 40, OutputTokens: 1}
	req := engine.Request{Model: script(reply), Input: user(words(20)), Meter: shared}
	_, rec := record(t, t.Context(), req)
	if shared.Ratio("/") == 0 {
		t.Error("the shared meter learned nothing")
	}
	if rec.Given.Ratio != 0 {
		t.Errorf("the tape has the ratio %v that was known only after the run", rec.Given.Ratio)
	}
}

// TestOtherRunsDoNotMatter: what they teach the shared meter meanwhile is not
// on the tape, and not in the run.
func TestOtherRunsDoNotMatter(t *testing.T) {
	t.Parallel()
	shared := new(history.Meter)
	answer := says("Done.")
	answer.before = func() { shared.Observe("/", 8000, 1000) }
	req := engine.Request{Model: script(calls("memory_write", `{"text":"x"}`), answer), Broker: &broker{}, Tools: bothTools, Input: user("q"), Meter: shared}
	_, rec := record(t, t.Context(), req)
	if _, report := played(t, rec, tape.Changes{}); !report.Same {
		t.Errorf("differences: %q", report.Differences)
	}
}

// TestAnAbandonedRun has no result, and says so when it is played.
func TestAnAbandonedRun(t *testing.T) {
	t.Parallel()
	req, recorder := tape.Record(twoTools())
	for e := range engine.Run(t.Context(), req) {
		if e.Kind == engine.KindResult {
			break
		}
	}
	rec := trip(t, recorder.Tape(nil))
	if len(rec.Model) != 1 || len(rec.Tools) != 1 {
		t.Errorf("%d model calls and %d tool calls are on the tape", len(rec.Model), len(rec.Tools))
	}
	if _, _, err := tape.Play(context.Background(), rec, tape.Changes{}); moothall.ErrorCode(err) != moothall.CodeUnsupported {
		t.Errorf("played: %v", err)
	}
}
