package schema_test

import (
	"encoding/json"
	"testing"

	"moothall/internal/schema"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	const want = `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer"},"answer":{"type":"array","items":{"type":"string"}}}}`
	for value, text := range map[string]string{
		`{"a":1}`: "", `{"a":"x"}`: "a: must be integer, is string", `{"b":1}`: "b is not expected", `[]`: "must be object, is array",
		`{"answer":[1],"a":true}`: "a: must be integer, is boolean; answer[0]: must be string, is integer", `{`: "the value is not JSON",
	} {
		if got := schema.Explain(json.RawMessage(want), json.RawMessage(value)); got != text {
			t.Errorf("%s: got %q, want %q", value, got, text)
		}
	}
	if got := schema.Explain(json.RawMessage(`{"items":{"type":"string"}}`), json.RawMessage(`[1]`)); got != "[0]: must be string, is integer" {
		t.Errorf("got %q", got)
	}
}
