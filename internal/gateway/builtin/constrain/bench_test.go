package constrain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
)

// benchTools are as many and as large as a chat offers.
func benchTools() []moothall.ToolSpec {
	params := `{"type":"object","additionalProperties":false,"required":["path"],"properties":{"path":{"type":"string","minLength":1,"maxLength":4096},"offset":{"type":"integer","minimum":1},"limit":{"type":"integer","minimum":1,"maximum":5000},"mode":{"type":"string","enum":["overwrite","append","create"]},"url":{"type":"string","minLength":8,"maxLength":2048,"pattern":"^[hH][tT][tT][pP][sS]?://"}}}`
	var out []moothall.ToolSpec
	for _, name := range []string{"calculate", "calendar_read", "fs_list", "fs_read", "fs_search", "fs_write", "graph_search", "memory_read", "memory_write", "notes_search", "now", "run_code", "web_fetch", "web_search"} {
		out = append(out, moothall.ToolSpec{Name: moothall.ToolName(name), Parameters: json.RawMessage(params)})
	}
	return out
}

const benchCall = `{"name": "fs_write", "arguments": {"path": "notes/shopping list.txt", "limit": 120, "mode": "append", "url": "https://example.org/a/long/address?q=1"}}`

// greedy cuts the call into tokens, the longest that the vocabulary has first.
func greedy(k *tokens) []int32 {
	byPiece := map[string]int32{}
	for id, p := range k.pieces {
		if id >= int(prompt.Specials) {
			byPiece[string(p)] = int32(id)
		}
	}
	var ids []int32
	for s := benchCall; s != ""; {
		for n := min(16, len(s)); n > 0; n-- {
			if id, ok := byPiece[s[:n]]; ok {
				ids, s = append(ids, id), s[n:]
				break
			}
		}
	}
	return ids
}

func run(b *testing.B, k *tokens, g *constrain.Grammar, ids []int32) {
	guide := constrain.NewGuide(k.v, constrain.Options{Calls: g})
	for _, id := range append([]int32{int32(prompt.CallOpen)}, ids...) {
		if !guide.Mask().Has(id) {
			b.Fatalf("%q is refused", k.pieces[id])
		}
		if err := guide.Add(id); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMaskCold makes every mask anew: the first call of a set of tools.
func BenchmarkMaskCold(b *testing.B) {
	k := newTokens(8192 - 256 - int(prompt.Specials))
	ids := greedy(k)
	tools := benchTools()
	for b.Loop() {
		run(b, k, constrain.Calls(k.v, tools), ids)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(ids)), "µs/token")
}

// BenchmarkMaskWarm is every call after the first.
func BenchmarkMaskWarm(b *testing.B) {
	k := newTokens(8192 - 256 - int(prompt.Specials))
	ids := greedy(k)
	g := constrain.Calls(k.v, benchTools())
	run(b, k, g, ids)
	for b.Loop() {
		run(b, k, g, ids)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(ids)), "µs/token")
}

// BenchmarkMaskPattern is the worst kind: a pattern that takes nearly all
// tokens but is never done with.
func BenchmarkMaskPattern(b *testing.B) {
	k := newTokens(8192 - 256 - int(prompt.Specials))
	for b.Loop() {
		g, err := constrain.Answer(k.v, []byte(`{"type":"string","pattern":"^[a-z _-]*$"}`))
		if err != nil {
			b.Fatal(err)
		}
		s, _ := g.Start().Next([]byte(`"a`))
		s.Mask()
	}
}

func BenchmarkNewVocab(b *testing.B) {
	pieces := vocabulary(8192 - 256 - int(prompt.Specials))
	for b.Loop() {
		constrain.NewVocab(len(pieces), func(id int32) []byte { return pieces[id] })
	}
}

// BenchmarkCopy makes the masks of a call that copies a path and words from a
// conversation of 12 kB.
func BenchmarkCopy(b *testing.B) {
	k := newTokens(8192 - 256 - int(prompt.Specials))
	ids := append([]int32{int32(prompt.CallOpen)}, greedy(k)...)
	text := strings.Repeat("Put it into notes/shopping list.txt and see https://example.org/a/long/address?q=1 for 120 more. ", 120)
	g := constrain.Calls(k.v, benchTools())
	for b.Loop() {
		s := constrain.NewSource(constrain.SourceOptions{Texts: []string{text}, Numbers: []string{text}})
		guide := constrain.NewGuide(k.v, constrain.Options{Calls: g, Source: s})
		for _, id := range ids {
			guide.Preferred()
			if !guide.Mask().Has(id) {
				b.Fatalf("%q is refused", k.pieces[id])
			}
			if err := guide.Add(id); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(ids)), "µs/token")
}

// BenchmarkFacts makes the masks of a plain answer that is held to a text of
// 12 kB, a byte a token, which is the worst case.
func BenchmarkFacts(b *testing.B) {
	k := newTokens(8192 - 256 - int(prompt.Specials))
	text := strings.Repeat("The Eiffel Tower was built by the firm of Gustave Eiffel for the World's Fair of 1889 in Paris. ", 120)
	answer := "The Eiffel Tower was built in 1889, by the firm of Gustave Eiffel."
	for b.Loop() {
		guide := constrain.NewGuide(k.v, constrain.Options{Facts: constrain.NewFacts(text)})
		for i := range len(answer) {
			guide.Mask()
			if err := guide.Add(int32(answer[i]) + int32(prompt.Specials)); err != nil {
				b.Fatal(answer[:i], err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(answer)), "µs/token")
}
