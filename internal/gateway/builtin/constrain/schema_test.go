package constrain_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestAnswers says of texts whether a schema lets them be written whole.
func TestAnswers(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	for _, c := range []struct {
		name, schema string
		good, bad    []string
	}{
		{"text", `{"type":"string"}`, []string{`""`, `"a b"`, `"ü😀"`, `"\n\"\\"`}, []string{`"a`, `a`, `"\x"`, "\"\n\"", `"\u0041"`, "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", `""x`}},
		{"length", `{"type":"string","minLength":2,"maxLength":3}`, []string{`"ab"`, `"üüü"`, `"\n\n"`}, []string{`"a"`, `"abcd"`, `"ü"`, `"a\n\n\n"`}},
		{"pattern", `{"type":"string","pattern":"^[a-z]{2}(-[A-Z]{2})?$"}`, []string{`"de"`, `"de-AT"`}, []string{`"d"`, `"deu"`, `"de-"`, `"de-at"`, `"dé"`}},
		{"date", `{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, []string{`"2026-11-15"`}, []string{`"2026-1-15"`, `"2026-11-155"`, `"today"`}},
		{"beginning", `{"type":"string","minLength":8,"pattern":"^[hH][tT][tT][pP][sS]?://"}`, []string{`"http://a"`, `"HTTPS://ü"`}, []string{`"http://"`, `"ftp://abc"`, `" http://a"`}},
		{"found anywhere", `{"type":"string","pattern":"b+c"}`, []string{`"bc"`, `"aabbcd"`, `"bab\nbc"`}, []string{`"b"`, `"cb"`}},
		{"either end", `{"type":"string","pattern":"^a|b$"}`, []string{`"a"`, `"ax"`, `"xb"`}, []string{`"x"`, `"bx"`}},
		{"pattern and length", `{"type":"string","pattern":"^a+$","maxLength":3}`, []string{`"a"`, `"aaa"`}, []string{`"aaaa"`, `""`}},
		{"no such pattern", `{"type":"string","pattern":"(?<=x)y"}`, []string{`"z"`}, nil},
		{"pattern against length", `{"type":"string","pattern":"^aaaa$","maxLength":3}`, []string{`"zzz"`}, []string{`"zzzz"`}},
		{"letters of any script", `{"type":"string","pattern":"^\\p{Han}+$"}`, []string{`"日本"`}, []string{`"a"`, `"ü"`}},
		{"case folded", `{"type":"string","pattern":"^(?i)k$"}`, []string{`"k"`, `"K"`, "\"\u212a\""}, []string{`"l"`}},
		{"integer", `{"type":"integer"}`, []string{`0`, `12`, `-7`}, []string{`01`, `-0`, `1.5`, `1e3`, `-`, `1234567890123456789`}},
		{"bounds", `{"type":"integer","minimum":8,"maximum":120}`, []string{`8`, `9`, `10`, `99`, `120`}, []string{`7`, `0`, `-8`, `121`, `200`, `1000`}},
		{"negative bounds", `{"type":"integer","minimum":-120,"exclusiveMaximum":-8}`, []string{`-9`, `-120`, `-99`}, []string{`-8`, `-121`, `9`, `0`}},
		{"number", `{"type":"number"}`, []string{`1.5`, `-0.25`, `0`}, []string{`.5`, `1.`, `00.5`, `1.1234567890123`}},
		{"part", `{"type":"number","exclusiveMinimum":0,"maximum":1}`, []string{`0.5`, `1`, `1.0`, `0.001`}, []string{`0`, `0.0`, `1.1`, `2`, `-0.5`}},
		{"impossible bounds", `{"type":"integer","minimum":0.2,"maximum":0.8}`, []string{`5`}, nil},
		{"words", `{"type":"boolean"}`, []string{`true`, `false`}, []string{`null`, `truefalse`, `t`}},
		{"types", `{"type":["string","null"]}`, []string{`"x"`, `null`}, []string{`1`, `nul`}},
		{"enum", `{"enum":["a","ab",1,12,{"b":1,"a":[]},null]}`, []string{`"a"`, `"ab"`, `1`, `12`, `{"a": [], "b": 1}`, `null`}, []string{`"b"`, `2`, `123`, `{}`}},
		{"enum of a type", `{"type":"string","enum":["a",1]}`, []string{`"a"`}, []string{`1`}},
		{"const of an enum", `{"const":"b","enum":["a","b"]}`, []string{`"b"`}, []string{`"a"`}},
		{"const", `{"const":"a\"ü"}`, []string{`"a\"ü"`}, []string{`"a"`}},
		{"list", `{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":2}`, []string{`[1]`, `[1, 23]`}, []string{`[]`, `[1,2]`, `[1, 2, 3]`, `["a"]`, `[1, ]`, `[1`}},
		{"tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, []string{`[]`, `["a"]`, `["a", 1]`}, []string{`[1]`, `["a", 1, 2]`}},
		{"object", `{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"},"c":{"type":"string"}},"required":["c"]}`,
			[]string{`{"c": ""}`, `{"c": "", "a": "x"}`, `{"c": "", "b": 1}`, `{"c": "", "a": "x", "b": 1}`},
			[]string{`{}`, `{"a": "x", "c": ""}`, `{"c": "", "b": 1, "a": "x"}`, `{"c":""}`, `{"c": "", "d": 1}`, `{"c": "", }`, `{ "c": ""}`}},
		{"no keys", `{"type":"object","properties":{},"additionalProperties":false}`, []string{`{}`}, []string{`{"a": 1}`}},
		{"other keys", `{"type":"object","properties":{"ab":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}`,
			[]string{`{}`, `{"ab": 1}`, `{"a": true}`, `{"ab": 1, "abc": true, "x": false}`}, []string{`{"ab": true}`, `{"x": 1}`, `{"x": true, "ab": 1}`, `{"": true}`, `{"ü": true}`}},
		{"any object", `{"type":"object"}`, []string{`{}`, `{"a": [1, {"b": null}], "c": "d"}`}, []string{`{"a":1}`, `[]`}},
		{"anything", `{}`, []string{`1`, `"a"`, `[[[[1]]]]`, `{"a": {}}`}, []string{`[[[[[[1]]]]]]`, `x`}},
		{"any of", `{"anyOf":[{"type":"string","maxLength":1},{"type":"integer","maximum":5}]}`, []string{`"a"`, `5`}, []string{`"ab"`, `6`}},
		{"any of in a list", `{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"number"}]}}`, []string{`[1, 2.5, 3, 4, 5, 6, 7, 8, 9]`}, []string{`[1.]`}},
		{"one of the keys", `{"type":"object","properties":{"people":{"type":"string"},"locations":{"type":"string"}},"anyOf":[{"required":["people"]},{"required":["locations"]}],"additionalProperties":false}`,
			[]string{`{"people": ""}`, `{"locations": ""}`, `{"locations": "", "people": ""}`}, []string{`{}`, `{"people": "", "locations": ""}`}},
		{"all of", `{"allOf":[{"type":"integer","minimum":3},{"maximum":5},{"$ref":"#/$defs/four"}],"$defs":{"four":{"minimum":4}}}`, []string{`4`, `5`}, []string{`3`, `6`}},
		{"reference", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"},"v":{"type":"integer"}},"required":["v"]}}}`,
			[]string{`{"v": 1}`, `{"v": 1, "next": {"v": 2}}`}, []string{`{"v": 1, "next": {}}`, `{"next": {"v": 2}}`}},
		{"endless reference", `{"$ref":"#"}`, []string{`1`, `{}`}, nil},
		{"nothing", `false`, []string{`1`}, nil},
		{"no type", `{"properties":{"a":{"type":"integer"}},"required":["a"]}`, []string{`{"a": 1}`}, []string{`{}`, `1`}},
		{"required without a property", `{"type":"object","required":["a"]}`, []string{`{"a": [1]}`}, []string{`{}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := answer(t, k, c.schema)
			whole := func(s string) bool {
				end, ok := g.Start().Next([]byte(s))
				return ok && end.Done()
			}
			for _, s := range c.good {
				if !whole(s) {
					t.Errorf("%q cannot be written", s)
				}
			}
			for _, s := range c.bad {
				if whole(s) {
					t.Errorf("%q can be written", s)
				}
			}
		})
	}
}

// TestLongEnum checks that each value of a long list is looked at for itself
// and not beside all others: a schema that a server offers is read before
// anything is answered.
func TestLongEnum(t *testing.T) {
	k := newTokens(200)
	work := func(values int) float64 {
		var list []string
		for i := range values {
			list = append(list, fmt.Sprintf("v%d", i))
		}
		schema, err := json.Marshal(map[string]any{"type": "string", "enum": list})
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() { answer(t, k, string(schema)) })
	}
	if few, many := work(50), work(400); many > 16*few {
		t.Errorf("8 times as many values take %.0f times the work", many/few)
	}
}
