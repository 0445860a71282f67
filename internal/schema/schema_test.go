package schema_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"moothall/internal/schema"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const tree = `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"v":{"type":"integer"}},"required":["v"]}}}`
	tests := []struct {
		name, schema, value string
		want                string // all problems in order, or empty
	}{
		{"object", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":"x","b":1}`, ""},
		{"missing", `{"type":"object","required":["a","b"]}`, `{"a":1}`, "answer: b is missing"},
		{"wrong type", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":1}`, "answer.a: must be string, is integer"},
		{"surplus", `{"type":"object","additionalProperties":false}`, `{"a":1}`, "answer: a is not expected"},
		{"surplus of a kind", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"x"}`, "answer.a: must be integer, is string"},
		{"types", `{"type":["string","null"]}`, `null`, ""},
		{"none of the types", `{"type":["string","null"]}`, `true`, "answer: must be string or null, is boolean"},
		{"whole number", `{"type":"integer"}`, `3.0`, ""},
		{"part number", `{"type":"integer"}`, `3.5`, "answer: must be integer, is number"},
		{"number", `{"type":"number"}`, `3`, ""},
		{"list", `{"type":"array","items":{"type":"boolean"},"maxItems":1}`, `[true,1]`, "answer: must have at most 1 items; answer[1]: must be boolean, is integer"},
		{"tuple", `{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, `["a","b"]`, "answer[1]: must be integer, is string"},
		{"enum", `{"enum":["a",1]}`, `1.0`, ""},
		{"not in enum", `{"enum":["a","b"]}`, `"c"`, `answer: must be one of ["a","b"]`},
		{"const", `{"const":{"a":1}}`, `{"a":2}`, `answer: must be {"a":1}`},
		{"bounds", `{"minimum":1,"exclusiveMaximum":5}`, `5`, "answer: must be under 5"},
		{"too small", `{"minimum":1,"exclusiveMinimum":0}`, `0`, "answer: must be at least 1; answer: must be over 0"},
		{"length", `{"minLength":2}`, `"é"`, "answer: must have at least 2 characters"},
		{"pattern", `{"pattern":"^[a-z]+$"}`, `"A"`, "answer: must match ^[a-z]+$"},
		{"foreign pattern", `{"pattern":"(?<=x)y"}`, `"A"`, ""},
		{"any of", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "answer: fits 0 of the forms in anyOf"},
		{"one of", `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`, "answer: fits 2 of the forms in oneOf"},
		{"all of", `{"allOf":[{"minimum":1},{"maximum":0}]}`, `0`, "answer: must be at least 1"},
		{"reference", tree, `{"v":1,"next":{"v":"x"}}`, "answer.next.v: must be integer, is string"},
		{"endless reference", `{"$ref":"#"}`, `1`, "answer: nested too deeply"},
		{"broken reference", `{"$ref":"#/nowhere"}`, `1`, ""},
		{"nothing allowed", `false`, `1`, "answer: nothing is allowed here"},
		{"anything allowed", `true`, `1`, ""},
		{"bad schema", `{`, `1`, "the schema is not JSON"},
		{"bad value", `{}`, `{`, "the value is not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(schema.Check(json.RawMessage(tt.schema), json.RawMessage(tt.value)), "; ")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	const all = `{"properties":{"n":{"type":"integer"},"m":{"type":["integer","null"]},"o":{"anyOf":[{"type":"string"},{"type":"integer"}]},` +
		`"l":{"prefixItems":[{"type":"number"}],"items":{"type":"integer"}},"f":{"type":"number"},"r":{"$ref":"#"},"a":{"allOf":[{"type":"integer"}]}},` +
		`"additionalProperties":{"type":"integer"}}`
	for value, want := range map[string]string{
		`{"n":5.0}`:                        `{"n":5}`,
		`{"n":1e1,"m":-2.50e1}`:            `{"m":-25,"n":10}`,
		`{"n":-0.0,"m":null}`:              `{"m":null,"n":0}`,
		`{"o":3.0,"a":4.0,"other":6.0}`:    `{"a":4,"o":3,"other":6}`,
		`{"l":[1.0,2.0,3],"r":{"n":7.0}}`:  `{"l":[1.0,2,3],"r":{"n":7}}`,
		`{"f":5.0}`:                        `{"f":5.0}`,
		`{"n":9007199254740993}`:           `{"n":9007199254740993}`,
		`{"n":9007199254740993.0}`:         `{"n":9007199254740993.0}`,
		`{"n":5.5}`:                        `{"n":5.5}`,
		`{"n":1e400}`:                      `{"n":1e400}`,
		` { "o" : "5.0", "b" : 1, "f":2 }`: `{"b":1,"f":2,"o":"5.0"}`,
		`{`:                                `{`,
	} {
		got, problems := schema.Fit(json.RawMessage(all), json.RawMessage(value))
		if string(got) != want {
			t.Errorf("%s became %s, want %s", value, got, want)
		}
		if check := schema.Check(json.RawMessage(all), json.RawMessage(value)); !slices.Equal(problems, check) {
			t.Errorf("%s: %q, and Check says %q", value, problems, check)
		}
	}
	if got, problems := schema.Fit(nil, json.RawMessage(`{"n":5.0}`)); string(got) != `{"n":5.0}` || len(problems) != 1 {
		t.Errorf("without a schema: %s, %q", got, problems)
	}
}

func TestExtract(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`:                             `{"a":1}`,
		"Sure:\n```json\n{\"a\":1}\n```\nBye": `{"a":1}`,
		`The answer is {"a":{"b":2}}, I say.`: `{"a":{"b":2}}`,
		`So: [1,2].`:                          `[1,2]`,
		` 42 `:                                `42`,
		`no`:                                  ``,
		``:                                    ``,
		`{"a":`:                               ``,
	} {
		got, err := schema.Extract(in)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("Extract(%q) = %s, %v", in, got, err)
		}
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	a, err := schema.Canonical([]byte(` { "b" : [1.50, "<"], "a" : null } `))
	if err != nil || string(a) != `{"a":null,"b":[1.50,"<"]}` {
		t.Errorf("%s, %v", a, err)
	}
	for _, bad := range []string{"", "{", "{} {}"} {
		if got, err := schema.Canonical([]byte(bad)); err == nil {
			t.Errorf("%q became %s", bad, got)
		}
	}
}

func TestExample(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"integer"},"on":{"type":"boolean"},"l":{"type":"array","items":{"type":"number"}},"e":{"enum":["x","y"]}},"required":["q","n","on","l","e"]}`: `{"e":"x","l":[1],"n":1,"on":true,"q":"the q"}`,
		`{"type":"object","properties":{"b":{},"a":{"type":"string"}}}`:       `{"a":"the a"}`,
		`{"type":"object","required":["d"],"properties":{"d":{"default":7}}}`: `{"d":7}`,
		`{"type":"object"}`: `{}`, ``: `{}`, `7`: `{}`, `{"enum":[1]}`: `{}`,
	} {
		if got := string(schema.Example(json.RawMessage(in))); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"properties":{"a":{"type":"string"},"query":{}},"required":["a"]}`:                     "query",
		`{"properties":{"n":{"type":"integer"},"url":{"type":"string"}},"required":["n","url"]}`: "url",
		`{"properties":{"a":{"type":"string"}}}`:                                                 "",
		``:                                                                                       "",
	} {
		if got, ok := schema.Query(json.RawMessage(in)); got != want || ok != (want != "") {
			t.Errorf("%s: got %q", in, got)
		}
	}
}

// FuzzCheck holds the checker to two things: whatever comes, it ends, and what
// was made to fit stays as it is.
func FuzzCheck(f *testing.F) {
	f.Add(`{"$ref":"#","anyOf":[{"$ref":"#"},{"$ref":"#"}]}`, `[[[1]]]`)
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{}}}`)
	f.Add(`{"allOf":[{"allOf":[{"minimum":1e400}]}],"pattern":"("}`, `1e999`)
	f.Fuzz(func(t *testing.T, want, value string) {
		once, problems := schema.Fit(json.RawMessage(want), json.RawMessage(value))
		if again, _ := schema.Fit(json.RawMessage(want), once); len(problems) == 0 && string(again) != string(once) {
			t.Fatalf("%s became %s, and then %s", value, once, again)
		}
		schema.Example(json.RawMessage(want))
		schema.Query(json.RawMessage(want))
		if got, err := schema.Extract(value); err == nil && !json.Valid(got) {
			t.Fatalf("extracted %q", got)
		}
	})
}
