package toolcall_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine/toolcall"
)

const orderSchema = `{
	"type": "object",
	"properties": {
		"title": {"type": "string"},
		"count": {"type": "integer", "minimum": 1, "maximum": 9},
		"price": {"type": "number"},
		"fast": {"type": "boolean"},
		"tags": {"type": "array", "items": {"type": "string"}},
		"numbers": {"type": "array", "items": {"type": "integer"}},
		"address": {"type": "object", "properties": {"street": {"type": "string"}, "house": {"type": "integer"}}, "required": ["street"]},
		"unit": {"enum": ["day", "week"]},
		"when": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
		"either": {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
		"both": {"allOf": [{"type": "integer"}, {"minimum": 5}]},
		"kept": {"type": ["string", "null"]},
		"place": {"$ref": "#/$defs/place"},
		"timeout": {"type": "int"}
	},
	"required": ["title"],
	"$defs": {"place": {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": false}}
}`

func orderSpec() moothall.ToolSpec {
	return moothall.ToolSpec{Name: "order", Parameters: json.RawMessage(orderSchema)}
}

func TestCoerceMends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, want string
		mends    int
	}{
		{`{"title":"a"}`, `{"title":"a"}`, 0},
		{`{"title":"a","count":3,"price":2.5,"fast":true,"tags":["x"]}`, `{"title":"a","count":3,"price":2.5,"fast":true,"tags":["x"]}`, 0},
		{`{"title":7}`, `{"title":"7"}`, 1},
		{`{"title":true}`, `{"title":"true"}`, 1},
		{`{"title":"a","count":"3"}`, `{"title":"a","count":3}`, 1},
		{`{"title":"a","count":3.0}`, `{"title":"a","count":3.0}`, 0},
		{`{"title":"a","timeout":"30000"}`, `{"title":"a","timeout":30000}`, 1},
		{`{"title":"a","price":"2.50"}`, `{"title":"a","price":2.50}`, 1},
		{`{"title":"a","fast":"true"}`, `{"title":"a","fast":true}`, 1},
		{`{"title":"a","fast":"No"}`, `{"title":"a","fast":false}`, 1},
		{`{"title":"a","fast":1}`, `{"title":"a","fast":true}`, 1},
		{`{"title":"a","tags":"x"}`, `{"title":"a","tags":["x"]}`, 1},
		{`{"title":"a","tags":"[\"x\",\"y\"]"}`, `{"title":"a","tags":["x","y"]}`, 1},
		{`{"title":"a","tags":[1]}`, `{"title":"a","tags":["1"]}`, 1},
		{`{"title":"a","address":"{\"street\":\"s\",\"house\":\"4\"}"}`, `{"title":"a","address":{"street":"s","house":4}}`, 2},
		{`{"title":"a","address":"{'street': 's'}"}`, `{"title":"a","address":{"street":"s"}}`, 1},
		{`{"title":"a","unit":"Day"}`, `{"title":"a","unit":"day"}`, 1},
		{`{"title":"a","when":null}`, `{"title":"a","when":null}`, 0},
		{`{"title":"a","when":"5"}`, `{"title":"a","when":5}`, 1},
		{`{"title":"a","either":"5"}`, `{"title":"a","either":5}`, 1},
		{`{"title":"a","either":["5"]}`, `{"title":"a","either":[5]}`, 1},
		{`{"title":"a","both":"6"}`, `{"title":"a","both":6}`, 1},
		{`{"title":"a","kept":null}`, `{"title":"a","kept":null}`, 0},
		{`{"title":"a","count":null}`, `{"title":"a"}`, 1},
		{`{"title":"a","place":{"x":"1"}}`, `{"title":"a","place":{"x":1}}`, 1},
		{`{"title":"a","other":1}`, `{"title":"a","other":1}`, 0},
		{`"{\"title\":\"a\"}"`, `{"title":"a"}`, 1},
	} {
		got, mends, err := toolcall.Coerce(orderSpec(), json.RawMessage(c.in))
		if err != nil || string(got) != c.want || len(mends) != c.mends {
			t.Errorf("%s: got %s, mends %q, error %v; want %s with %d mends", c.in, got, mends, err, c.want, c.mends)
		}
	}
}

func TestCoerceRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, says string }{
		{`{}`, "title is missing (string)"},
		{``, "title is missing"},
		{`null`, "title is missing"},
		{`{"title":null}`, "title must be string, not null"},
		{`{"title":"a","count":"many"}`, `count must be integer, not "many"`},
		{`{"title":"a","count":2.5}`, "count must be integer, not 2.5"},
		{`{"title":"a","count":0}`, "count must be at least 1, not 0"},
		{`{"title":"a","count":10}`, "count must be at most 9, not 10"},
		{`{"title":"a","fast":"perhaps"}`, `fast must be boolean, not "perhaps"`},
		{`{"title":"a","unit":"year"}`, `unit must be one of "day","week", not "year"`},
		{`{"title":"a","numbers":["x"]}`, `numbers[0] must be integer, not "x"`},
		{`{"title":"a","numbers":"x"}`, `numbers must be a list, and must be integer, not "x"`},
		{`{"title":"a","address":{"house":1}}`, "address.street is missing"},
		{`{"title":"a","address":5}`, "address must be object, not 5"},
		{`{"title":"a","place":{"y":1}}`, "place.y is not an argument; the arguments are: x"},
		{`{"title":"a","when":"soon"}`, "when fits none of the 2 ways"},
		{`{"title":"a","both":2}`, "both must be at least 5"},
		{`[1]`, "the arguments must be an object"},
		{`{"title":`, "the arguments are not valid JSON"},
	} {
		_, _, err := toolcall.Coerce(orderSpec(), json.RawMessage(c.in))
		var e *moothall.Error
		if !errors.As(err, &e) || e.Code != moothall.CodeInvalid || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: got %v, want %q", c.in, err, c.says)
		}
	}
}

func TestCoerceWithoutSchema(t *testing.T) {
	t.Parallel()
	got, mends, err := toolcall.Coerce(moothall.ToolSpec{Name: "any"}, json.RawMessage(`{"a": [1, "b"]}`))
	if err != nil || string(got) != `{"a":[1,"b"]}` || len(mends) > 0 {
		t.Errorf("got %s, %q, %v", got, mends, err)
	}
}

// TestCoerceRecursiveSchema checks that a schema that refers to itself in
// alternatives does not run away.
func TestCoerceRecursiveSchema(t *testing.T) {
	t.Parallel()
	spec := moothall.ToolSpec{Name: "tree", Parameters: json.RawMessage(
		`{"type":"object","properties":{"t":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[{"$ref":"#/$defs/t"},{"$ref":"#/$defs/t"},{"type":"integer"}]}}}`)}
	args := `{"t":{"t":{"t":"x"}}}`
	if got, _, err := toolcall.Coerce(spec, json.RawMessage(args)); err != nil || string(got) != args {
		t.Errorf("got %s, %v; want the arguments left to the tool", got, err)
	}
}

func FuzzCoerce(f *testing.F) {
	f.Add(orderSchema, `{"title":7,"count":"3","address":"{}"}`)
	f.Add(`{"type":"array"}`, `{"a":1}`)
	f.Add(`{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`, `{"a":1}`)
	f.Add(`{`, `{"a":`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		got, _, err := toolcall.Coerce(moothall.ToolSpec{Name: "x", Parameters: json.RawMessage(schema)}, json.RawMessage(args))
		if err == nil && !json.Valid(got) {
			t.Fatalf("%q is no JSON", got)
		}
	})
}
