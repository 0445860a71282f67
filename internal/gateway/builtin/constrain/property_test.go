package constrain_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
	"moothall/internal/schema"
)

// maker makes schemas at random.
type maker struct{ r *rand.Rand }

func (m maker) one(list ...string) string { return list[m.r.IntN(len(list))] }

func (m maker) schema(depth int) string {
	kinds := 9
	if depth <= 0 {
		kinds = 6
	}
	switch m.r.IntN(kinds) {
	case 0:
		return m.one(`{"type":"string"}`, `{"type":"string","minLength":1,"maxLength":4}`, `{"type":"string","maxLength":200}`, `{"type":"string","pattern":"^[a-z]{2}$"}`,
			`{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, `{"type":"string","pattern":"[äö]x","minLength":5,"maxLength":9}`, `{"type":"string","pattern":"^(a|bc)*$","minLength":3,"maxLength":5}`)
	case 1:
		low := m.r.IntN(400) - 200
		return fmt.Sprintf(`{"type":%q,"minimum":%d,"maximum":%d}`, m.one("integer", "number"), low, low+m.r.IntN(50))
	case 2:
		return m.one(`{"type":"integer"}`, `{"type":"number"}`, `{"type":"number","exclusiveMinimum":0}`, `{"type":"integer","exclusiveMaximum":-3}`, `{"type":"number","exclusiveMinimum":-0.5,"exclusiveMaximum":0.25}`)
	case 3:
		return m.one(`{"type":"boolean"}`, `{"type":"null"}`, `{"type":["string","null"]}`, `{"type":["integer","boolean"]}`, `{"const":{"a":[1,"ü"]}}`)
	case 4:
		return m.one(`{"enum":["a","b c","\"q\""]}`, `{"type":"string","enum":["low","lower","lowest"]}`, `{"enum":[1,10,100,null]}`)
	case 5:
		return m.one(`{}`, `{"type":"object"}`, `{"type":"array"}`)
	case 6:
		low := m.r.IntN(3)
		return fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"maxItems":%d}`, m.schema(depth-1), low, low+m.r.IntN(3))
	case 7:
		return fmt.Sprintf(`{"anyOf":[%s,%s]}`, m.schema(depth-1), m.schema(depth-1))
	}
	return m.object(depth)
}

func (m maker) object(depth int) string {
	props, required := map[string]json.RawMessage{}, []string{}
	for _, name := range []string{"b", "path", "a", "pathname", "ö \"x\"", "c"}[:m.r.IntN(6)] {
		props[name] = json.RawMessage(m.schema(depth - 1))
		if m.r.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": props, "required": required}
	switch m.r.IntN(3) {
	case 0:
		s["additionalProperties"] = false
	case 1:
		s["additionalProperties"] = json.RawMessage(m.schema(0))
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestAnswersFit generates by chance alone: whatever comes is JSON and fits.
func TestAnswersFit(t *testing.T) {
	t.Parallel()
	k := newTokens(600)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := maker{r}.schema(3)
		fits(t, k, r, want)
	}
}

func fits(t *testing.T, k *tokens, r *rand.Rand, want string) {
	t.Helper()
	g := constrain.NewGuide(k.v, constrain.Options{Answer: answer(t, k, want)})
	ids := k.write(t, r, g, 30+r.IntN(60))
	got := k.text(ids[:len(ids)-1])
	if problems := schema.Check(json.RawMessage(want), json.RawMessage(got)); len(problems) > 0 {
		t.Fatalf("%s\n%q: %v", want, got, problems)
	}
}

// TestCallsFit generates messages by chance alone: the calls that come have
// offered names and arguments that fit, and all marks stand where they belong.
func TestCallsFit(t *testing.T) {
	t.Parallel()
	k := newTokens(600)
	called, texts := 0, 0
	for seed := range uint64(180) {
		r := rand.New(rand.NewPCG(seed, 2))
		var tools []moothall.ToolSpec
		for i := range 1 + r.IntN(6) {
			tools = append(tools, moothall.ToolSpec{Name: moothall.ToolName(fmt.Sprintf("tool_%d", i*7)), Parameters: json.RawMessage(maker{r}.object(2))})
		}
		g := constrain.NewGuide(k.v, constrain.Options{Think: true, Tokens: 12, Calls: constrain.Calls(k.v, tools)})
		if seed%3 > 0 {
			push(t, k, g)
		}
		ids := k.write(t, r, g, 80)
		var p prompt.Parser
		if seed%3 > 0 {
			ids = append(start(), ids...)
		}
		for _, id := range ids {
			piece, err := p.Add(id, k.pieces[id])
			if err != nil {
				t.Fatalf("%q: %v", k.text(ids), err)
			}
			if piece.Text != "" {
				texts++
			}
			if piece.Call != nil {
				called++
				checkCall(t, tools, piece.Call)
			}
		}
	}
	if called < 100 || texts < 100 {
		t.Errorf("%d calls and %d pieces of text: too few to tell", called, texts)
	}
}

// start is an empty thought and the mark of a call.
func start() []int32 {
	return []int32{int32(prompt.ThinkOpen), int32(prompt.ThinkClose), int32(prompt.Specials) + '\n', int32(prompt.CallOpen)}
}

// push brings a guide to a call, which chance seldom does.
func push(t *testing.T, k *tokens, g *constrain.Guide) {
	t.Helper()
	for _, id := range start() {
		if !g.Mask().Has(id) {
			t.Fatalf("%q may not come", k.text([]int32{id}))
		}
		if err := g.Add(id); err != nil {
			t.Fatal(err)
		}
	}
}

func checkCall(t *testing.T, tools []moothall.ToolSpec, c *moothall.ToolCall) {
	t.Helper()
	for _, s := range tools {
		if s.Name != c.Name {
			continue
		}
		if problems := schema.Check(s.Parameters, c.Arguments); len(problems) > 0 {
			t.Fatalf("%s\n%s: %v", s.Parameters, c.Arguments, problems)
		}
		return
	}
	t.Fatalf("%q is not offered", c.Name)
}

// TestHall writes arguments for every tool of the hall, and answers for every
// schema that it asks with.
func TestHall(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "train", "hall.json"))
	if err != nil {
		t.Fatal(err)
	}
	var hall struct {
		Tools  []moothall.ToolSpec        `json:"tools"`
		Schema map[string]json.RawMessage `json:"schema"`
	}
	if err := json.Unmarshal(raw, &hall); err != nil || len(hall.Tools) < 10 || len(hall.Schema) < 3 {
		t.Fatalf("%d tools, %d schemas, %v", len(hall.Tools), len(hall.Schema), err)
	}
	k := newTokens(600)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5))
		for _, want := range hall.Schema {
			fits(t, k, r, string(want))
		}
		for _, tool := range hall.Tools {
			fits(t, k, r, string(tool.Parameters))
		}
	}
}

// TestMasksAgree compares masks with the automaton itself, token by token.
func TestMasksAgree(t *testing.T) {
	t.Parallel()
	k := newTokens(300)
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		want := maker{r}.schema(2)
		s := answer(t, k, want).Start()
		for range 25 {
			m := s.Mask()
			var can []int32
			for id := int32(prompt.Specials); int(id) < len(k.pieces); id++ {
				_, ok := s.Next(k.pieces[id])
				if ok != m.Has(id) {
					t.Fatalf("%s: mask says %v of %q", want, m.Has(id), k.pieces[id])
				}
				if ok {
					can = append(can, id)
				}
			}
			if len(can) == 0 {
				break
			}
			s, _ = s.Next(k.pieces[can[r.IntN(len(can))]])
		}
	}
}

// TestShared has several goroutines write by one grammar.
func TestShared(t *testing.T) {
	t.Parallel()
	k := newTokens(300)
	const want = `{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]{2,9}$"},"b":{"type":"array","items":{"type":["integer","string"]}}},"required":["a","b"]}`
	g := answer(t, k, want)
	var wg sync.WaitGroup
	for seed := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 6))
			s := g.Start()
			for n := 0; n < 40; n++ {
				var can []int32
				m := s.Mask()
				for id := int32(prompt.Specials); int(id) < len(k.pieces); id++ {
					if m.Has(id) {
						can = append(can, id)
					}
				}
				if len(can) == 0 {
					return
				}
				var ok bool
				if s, ok = s.Next(k.pieces[can[r.IntN(len(can))]]); !ok {
					t.Error("the mask had what does not fit")
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzSchema feeds schemas from anybody: compiling ends, something can always
// follow until the value is whole, and what is written is JSON.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{`{"$ref":"#"}`, `{"anyOf":[{"$ref":"#","a":1},{"$ref":"#","b":2}]}`, `{"properties":{"a":{"$ref":"#","x":1},"b":{"$ref":"#","y":1}}}`, `{"type":"string","pattern":"(a*)*$","minLength":70}`,
		`{"type":"number","minimum":1e300}`, `{"enum":[]}`, `{"type":"array","minItems":1e9}`, `{"allOf":[true,false,{"type":"null"}]}`, `[]`, `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`} {
		f.Add(s, uint64(1))
	}
	k := newTokens(100)
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		a, err := constrain.Answer(k.v, []byte(s))
		if err != nil {
			return
		}
		g := constrain.NewGuide(k.v, constrain.Options{Answer: a})
		r := rand.New(rand.NewPCG(seed, 4))
		var ids []int32
		for n := 0; !g.Ended() && n < 300; n++ {
			id, ok := g.Shut()
			if !ok || n < 20 {
				id = k.pick(t, r, g.Mask(), n > 20, ids...)
			}
			if err := g.Add(id); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			ids = append(ids, id)
		}
		if got := k.text(ids); g.Ended() && !json.Valid([]byte(got[:len(got)-len(prompt.End.String())])) {
			t.Fatalf("%s: %q", s, got)
		}
	})
}
