package builtin

import (
	"encoding/json"
	"maps"
	"slices"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
)

// preference is what a token gains that goes on copying a word, a number or a
// name as it was said, in the measure of logits. On 300 held-out calls 4 mended
// more than 2 did, and neither spoilt any.
const preference = 4

// source is what the calls of a request may take their names from: what people
// said, what tools gave back, and what earlier calls were about. The model's own
// sentences are none, since a name in them may be made up. Agents are told in
// their system prompts where they work; a person's chat has nothing of the kind.
// Numbers may come from its sentences: they are results.
func source(r moothall.GenerateRequest, last string) *constrain.Source {
	var o constrain.SourceOptions
	for _, m := range r.Messages {
		if m.Role == moothall.RoleSystem && r.Role == moothall.ModelChat {
			continue
		}
		if m.Role != moothall.RoleAssistant {
			o.Texts = append(o.Texts, m.Content)
		}
		o.Numbers = append(o.Numbers, m.Content)
		for _, c := range m.ToolCalls {
			said := stringsIn(c.Arguments)
			o.Texts, o.Numbers = append(o.Texts, said...), append(o.Numbers, said...)
		}
	}
	o.New = len(files(last)) == 0
	return constrain.NewSource(o)
}

// stringsIn are the texts in a call's arguments.
func stringsIn(raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(v)
	return out
}

// facts are what an answer from material is held to.
func facts(r moothall.GenerateRequest) *constrain.Facts {
	var texts []string
	for _, m := range r.Messages {
		texts = append(texts, m.Content)
		for _, c := range m.ToolCalls {
			texts = append(texts, stringsIn(c.Arguments)...)
		}
	}
	for _, t := range r.Tools {
		texts = append(texts, string(t.Name))
	}
	return constrain.NewFacts(texts...)
}
