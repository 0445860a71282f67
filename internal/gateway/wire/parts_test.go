package wire_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway/wire"
)

func TestHabits(t *testing.T) {
	t.Parallel()
	warm := wire.Feature{Name: "temperature", Marks: []string{"temperature"}}
	seed := wire.Feature{Name: "seed", Marks: []string{"seed"}}
	refusals := []string{
		`{"error":{"message":"unknown field","param":"seed"}}`,
		`{"error":{"message":"temperature is not supported"}}`,
		`{"error":{"message":"temperature must be below 2"}}`,
	}
	var h wire.Habits
	tries := 0
	try := func(refused wire.Refused) ([]wire.Feature, error) {
		if tries++; tries > 3 {
			return nil, nil
		}
		var used []wire.Feature
		for _, f := range []wire.Feature{warm, seed} {
			if !refused[f.Name] {
				used = append(used, f)
			}
		}
		return used, refuse(t, 400, nil, refusals[tries-1])
	}
	wantCode(t, h.Adapt("m", try), moothall.CodeInvalid)
	if tries != 3 {
		t.Errorf("%d tries, want 3: two features were turned down, then the request", tries)
	}
	for model, want := range map[string]int{"m": 2, "other": 0} {
		err := h.Adapt(model, func(refused wire.Refused) ([]wire.Feature, error) {
			if len(refused) != want {
				t.Errorf("%s is known to turn down %v", model, refused)
			}
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestHabitsBlameNothingElse: a prompt that does not fit is no reason to
// leave out the limit that its refusal speaks of.
func TestHabitsBlameNothingElse(t *testing.T) {
	t.Parallel()
	limit := wire.Feature{Name: "limit", Marks: []string{"max_tokens"}}
	for status, body := range map[int]string{
		400: `{"error":{"message":"max_tokens is not supported beyond the maximum context length"}}`,
		429: `{"error":{"message":"max_tokens not allowed: rate limit"}}`,
		500: `{"error":{"message":"max_tokens: unexpected end"}}`,
	} {
		var h wire.Habits
		tries := 0
		err := h.Adapt("m", func(wire.Refused) ([]wire.Feature, error) {
			tries++
			return []wire.Feature{limit}, refuse(t, status, nil, body)
		})
		if err == nil || tries != 1 {
			t.Errorf("%d: %d tries, %v", status, tries, err)
		}
	}
}

func TestKeepForgetsTheOldest(t *testing.T) {
	t.Parallel()
	var k wire.Keep
	id := func(i int) moothall.ToolCall { return moothall.ToolCall{ID: moothall.CallID(fmt.Sprint(i))} }
	for i := range 5000 {
		k.Put("m", id(i), json.RawMessage(`1`))
	}
	if k.Get("m", id(0)) != nil || k.Get("m", id(4999)) == nil || k.Get("other", id(4999)) != nil {
		t.Error("the oldest is kept, the newest lost, or models are mixed up")
	}
	if k.Get("m", moothall.ToolCall{ID: "another", Origin: id(4999).ID}) == nil || k.Get("m", moothall.ToolCall{ID: id(4999).ID, Origin: "another"}) != nil {
		t.Error("a call that has got another id is not found by the one that it came with")
	}
	for i := range 40 {
		k.Put("m", id(i), make(json.RawMessage, 1<<20))
	}
	kept := 0
	for i := range 40 {
		kept += len(k.Get("m", id(i)))
	}
	if kept == 0 || kept > 16<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
	big := moothall.ToolCall{ID: "big"}
	k.Put("m", big, make(json.RawMessage, 17<<20))
	if k.Get("m", big) != nil || k.Get("m", id(39)) == nil {
		t.Error("a giant drove out the others")
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	var c wire.Calls
	c.Add(0, "a", "f", `{"x"`)
	c.Add(0, "", "", `:1}`)
	c.Add(0, "b", "g", "") // a new id at the same index
	c.Add(1, "a", "h", `{"cut`)
	c.Add(2, "", "", `{}`) // no name: no call
	got := c.List(false)
	if len(got) != 3 || got[2].ID == "a" || got[2].ID == "" {
		t.Fatalf("got %+v, want three calls with ids of their own", got)
	}
	got[2].ID = ""
	want := []moothall.ToolCall{
		{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)},
		{ID: "b", Name: "g", Arguments: json.RawMessage(`{}`)},
		{Name: "h", Arguments: json.RawMessage(`"{\"cut"`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if cut := c.List(true); len(cut) != 1 {
		t.Errorf("%d calls survive the cut, want the whole one", len(cut))
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, ``: `{}`, `[1]`: `{"value":[1]}`,
		`"text"`: `{"value":"text"}`, `nonsense`: `{"value":"nonsense"}`,
	} {
		if got := string(wire.Object(json.RawMessage(in))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in, closed string
		strict     bool
	}{
		{`{"type":"object","properties":{"b":{},"a":{}},"required":["b","a"],"additionalProperties":false}`, ``, true},
		{`{"type":"object","properties":{"b":{},"a":{}},"required":["b"],"additionalProperties":false}`, ``, false},
		{`{"type":"object","properties":{"b":{}},"additionalProperties":true}`, ``, false},
		{`{"type":"array","items":{"type":"object","properties":{"a":{}}}}`, `{"type":"array","items":{"type":"object","properties":{"a":{}},"additionalProperties":false}}`, false},
		{`{"$defs":{"x":{"properties":{"a":{}}}},"anyOf":[{"properties":{}},{"type":"null"}]}`,
			`{"$defs":{"x":{"properties":{"a":{}},"additionalProperties":false}},"anyOf":[{"properties":{},"additionalProperties":false},{"type":"null"}]}`, false},
		{`{"type":"object"}`, ``, false},
		{`{"type":"string"}`, ``, true},
		{`true`, ``, true},
		{`{"broken"`, ``, false},
	} {
		want := test.closed
		if want == "" {
			want = test.in
		}
		if got := string(wire.Closed(json.RawMessage(test.in))); got != want {
			t.Errorf("%s closes to %s", test.in, got)
		}
		if got := wire.Strict(json.RawMessage(test.in)); got != test.strict {
			t.Errorf("%s: strict %v", test.in, got)
		}
	}
}

func FuzzSchemas(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"items":{"properties":{}}}},"required":[]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := wire.Closed(in)
		wire.Strict(in)
		if json.Valid(in) && !json.Valid(out) {
			t.Fatalf("%s became %s", in, out)
		}
	})
}

// TestCallsWithoutIDs: calls that share an index and have no ids are told apart
// by their names and by where the arguments before them end.
func TestCallsWithoutIDs(t *testing.T) {
	t.Parallel()
	var c wire.Calls
	c.Add(0, "", "f", `{"x":`)
	c.Add(0, "", "f", `{}}`) // a server that says the name each time
	c.Add(0, "", "f", "")
	c.Add(0, "", "", "\n")
	c.Add(0, "", "f", `{"x":2}`)
	c.Add(0, "", "g", "")
	c.Add(0, "", "", `{"y":3}`)
	got := c.List(false)
	for i := range got {
		got[i].ID = ""
	}
	want := []moothall.ToolCall{
		{Name: "f", Arguments: json.RawMessage(`{"x":{}}`)}, {Name: "f", Arguments: json.RawMessage(`{"x":2}`)}, {Name: "g", Arguments: json.RawMessage(`{"y":3}`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCallsWithAnIDEach: some servers give each fragment an id of its own.
func TestCallsWithAnIDEach(t *testing.T) {
	t.Parallel()
	var c wire.Calls
	c.Add(0, "a", "f", "")
	c.Add(0, "b", "", `{"x":`)
	c.Add(0, "c", "", `{}}`)
	c.Add(0, "d", "", "\n")
	c.Add(0, "e", "f", `{"x":2}`)
	want := []moothall.ToolCall{
		{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":{}}`)}, {ID: "e", Name: "f", Arguments: json.RawMessage(`{"x":2}`)},
	}
	if diff := cmp.Diff(want, c.List(false)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
