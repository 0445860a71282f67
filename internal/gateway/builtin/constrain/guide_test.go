package constrain_test

import (
	"encoding/json"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
)

// may lists which of the specials a guide lets come, and "text" where a letter
// may.
func may(g *constrain.Guide) string {
	m := g.Mask()
	out := ""
	for s := range prompt.Specials {
		if m.Has(int32(s)) {
			out += s.String()
		}
	}
	if m.Has(int32(prompt.Specials) + 'q') {
		out += "text"
	}
	return out
}

func TestGuide(t *testing.T) {
	t.Parallel()
	k := newTokens(100)
	tools := constrain.Calls(k.v, []moothall.ToolSpec{{Name: "now", Parameters: json.RawMessage(`{"type":"object"}`)}})
	form := answer(t, k, `{"type":"integer"}`)
	const shut, open, call, called, end = "</think>", "<think>", "<tool_call>", "</tool_call>", "<|im_end|>"
	type turn struct{ add, may string }
	for name, c := range map[string]struct {
		o     constrain.Options
		start string
		turns []turn
	}{
		"text":            {constrain.Options{Think: true}, open, []turn{{open, shut + "text"}, {"q", shut + "text"}, {shut, ""}, {"\n", "text"}, {"q", end + "text"}, {end, ""}}},
		"bounded thought": {constrain.Options{Think: true, Tokens: 2}, open, []turn{{open, shut + "text"}, {"q", shut + "text"}, {"q", shut}}},
		"no thought":      {constrain.Options{Calls: tools}, call + "text", []turn{{"q", end + call + "text"}}},
		"calls": {constrain.Options{Calls: tools}, call + "text", []turn{
			{call, ""}, {`{"`, ""}, {"name", ""}, {`": "`, ""}, {"now", ""}, {`", "`, ""}, {"arguments", ""}, {`": `, ""}, {"{}", ""}, {"}", called}, {called, end}, {"\n", call}, {call, ""},
		}},
		"schema":           {constrain.Options{Answer: form}, "", []turn{{"4", end}, {"2", end}, {end, ""}}},
		"schema and tools": {constrain.Options{Answer: form, Calls: tools}, call, []turn{{"4", end}}},
	} {
		g := constrain.NewGuide(k.v, c.o)
		if got := may(g); got != c.start {
			t.Errorf("%s: at the start %q may come", name, got)
		}
		for i, step := range c.turns {
			for _, id := range idsOf(step.add) {
				if err := g.Add(id); err != nil {
					t.Fatalf("%s, turn %d: %v", name, i, err)
				}
			}
			if got := may(g); !g.Ended() && got != step.may {
				t.Errorf("%s: after %q %q may come, want %q", name, step.add, got, step.may)
			}
		}
	}
}

// idsOf are a special, or the bytes of a text.
func idsOf(s string) []int32 {
	for id := range prompt.Specials {
		if id.String() == s {
			return []int32{int32(id)}
		}
	}
	var out []int32
	for _, b := range []byte(s) {
		out = append(out, int32(prompt.Specials)+int32(b))
	}
	return out
}

// TestGuideRefuses what the mask does not have.
func TestGuideRefuses(t *testing.T) {
	t.Parallel()
	k := newTokens(0)
	for _, id := range []int32{int32(prompt.End), int32(prompt.CallOpen), int32(prompt.BOS), -1, 1 << 20, int32(prompt.ThinkClose)} {
		if err := constrain.NewGuide(k.v, constrain.Options{}).Add(id); moothall.ErrorCode(err) != moothall.CodeInternal {
			t.Errorf("%d: %v", id, err)
		}
	}
	if _, err := constrain.Answer(k.v, []byte(`{`)); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Error(err)
	}
}

// TestManyCalls end some time.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	k := newTokens(0)
	g := constrain.NewGuide(k.v, constrain.Options{Calls: constrain.Calls(k.v, []moothall.ToolSpec{{Name: "now"}})})
	n := 0
	for !g.Ended() {
		m := g.Mask()
		id := int32(prompt.CallOpen)
		if !m.Has(id) && g.Place() == constrain.Called {
			id = int32(prompt.Specials) + '\n'
			n++
		}
		if !m.Has(id) {
			for id = 0; !m.Has(id); id++ {
			}
		}
		if err := g.Add(id); err != nil {
			t.Fatal(err)
		}
	}
	if n < 2 || n > 20 {
		t.Errorf("%d calls", n)
	}
}
