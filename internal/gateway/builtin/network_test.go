package builtin_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
	"moothall/internal/gateway/builtin/prompt"
	"moothall/internal/schema"
)

// shape is the configuration of a network.
type shape struct {
	Dim       int     `json:"dim"`
	Layers    int     `json:"layers"`
	Heads     int     `json:"heads"`
	KVHeads   int     `json:"kv_heads"`
	HeadDim   int     `json:"head_dim"`
	FFN       int     `json:"ffn"`
	Vocab     int     `json:"vocab"`
	Window    int     `json:"window"`
	RopeTheta float64 `json:"rope_theta"`
	NormEps   float64 `json:"norm_eps"`
}

var (
	tiny = shape{64, 2, 2, 1, 32, 64, 1024, 4096, 10000, 1e-6}
	full = shape{384, 12, 6, 3, 64, 1024, 8192, 4096, 10000, 1e-6}
)

// weightsFile writes a network of random weights.
func weightsFile(tb testing.TB, s shape) []byte {
	tb.Helper()
	type tensor struct {
		Name   string `json:"name"`
		Shape  []int  `json:"shape"`
		Type   string `json:"type"`
		Offset int    `json:"offset"`
	}
	r := rand.New(rand.NewPCG(7, 7))
	var list []tensor
	var data []byte
	pad := func() { data = append(data, make([]byte, (64-len(data)%64)%64)...) }
	q8 := func(name string, rows, cols int) {
		pad()
		list = append(list, tensor{name, []int{rows, cols}, "q8", len(data)})
		for range rows * cols {
			data = append(data, byte(int8(r.IntN(255)-127)))
		}
		pad()
		for range rows * cols / 32 {
			data = binary.LittleEndian.AppendUint16(data, 0x1400) // 2^-10
		}
	}
	ones := func(name string, n int) {
		pad()
		list = append(list, tensor{name, []int{n}, "f32", len(data)})
		for range n {
			data = binary.LittleEndian.AppendUint32(data, 0x3f800000)
		}
	}
	q8("emb.weight", s.Vocab, s.Dim)
	for i := range s.Layers {
		at := fmt.Sprintf("blocks.%d.", i)
		ones(at+"n1.w", s.Dim)
		ones(at+"n2.w", s.Dim)
		ones(at+"qn.w", s.HeadDim)
		ones(at+"kn.w", s.HeadDim)
		q8(at+"wq.weight", s.Heads*s.HeadDim, s.Dim)
		q8(at+"wk.weight", s.KVHeads*s.HeadDim, s.Dim)
		q8(at+"wv.weight", s.KVHeads*s.HeadDim, s.Dim)
		q8(at+"wo.weight", s.Dim, s.Heads*s.HeadDim)
		q8(at+"w1.weight", s.FFN, s.Dim)
		q8(at+"w3.weight", s.FFN, s.Dim)
		q8(at+"w2.weight", s.Dim, s.FFN)
	}
	ones("nf.w", s.Dim)
	head, err := json.Marshal(map[string]any{"config": s, "tensors": list})
	if err != nil {
		tb.Fatal(err)
	}
	out := append([]byte("MOOTNN01"), binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...)
	out = append(out, head...)
	out = append(out, make([]byte, (64-len(out)%64)%64)...)
	return append(out, data...)
}

// vocabFile writes a vocabulary of so many entries: the specials, all bytes, and
// merges of letters that are frequent.
func vocabFile(size int) []byte {
	var entries [][]byte
	for s := range prompt.Specials {
		entries = append(entries, []byte(s.String()))
	}
	index := map[string]uint32{}
	for b := range 256 {
		index[string([]byte{byte(b)})] = uint32(len(entries))
		entries = append(entries, []byte{byte(b)})
	}
	var merges []byte
	n := uint32(0)
	r := rand.New(rand.NewPCG(8, 8))
	words := slices.Collect(func(yield func(string) bool) {
		for _, c := range strings.Split(` etaoinshrdlucmfwypvbgkjqxzETAOI{}":,._/-0123456789`, "") {
			if !yield(c) {
				return
			}
		}
	})
	for len(entries) < size {
		a, b := words[r.IntN(len(words))], words[r.IntN(len(words))]
		if _, known := index[a+b]; known || len(a+b) > 12 {
			continue
		}
		merges = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(merges, index[a]), index[b])
		n++
		index[a+b] = uint32(len(entries))
		entries = append(entries, []byte(a+b))
		words = append(words, a+b)
	}
	out := append([]byte("MOOTBPE1"), binary.LittleEndian.AppendUint32(nil, uint32(len(entries)))...)
	for _, e := range entries {
		out = append(binary.LittleEndian.AppendUint16(out, uint16(len(e))), e...)
	}
	return append(binary.LittleEndian.AppendUint32(out, n), merges...)
}

// random is a provider over a network of random weights.
func random(tb testing.TB, s shape) *builtin.Provider {
	tb.Helper()
	model, vocab := weightsFile(tb, s), vocabFile(s.Vocab)
	p, err := builtin.New(builtin.Options{Files: func() (m, v []byte, ok bool) { return model, vocab, true }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { p.Close() })
	return p
}

// TestRandomNetwork lets a network that knows nothing speak: all that it says
// is well formed all the same.
func TestRandomNetwork(t *testing.T) {
	t.Parallel()
	p := random(t, tiny)
	answerSchema := json.RawMessage(`{"type":"object","properties":{"direct":{"type":"string","maxLength":20},"steps":{"type":"array","maxItems":3,"items":{"type":"object","properties":{"id":{"type":"integer","minimum":1,"maximum":9},"kind":{"enum":["a","b"]}},"required":["kind","id"]}}},"required":["steps"]}`)
	warm := 1.5
	answers := 0
	for seed := range int64(16) {
		r := moothall.GenerateRequest{Messages: user(fmt.Sprint("Weather in Köln on day ", seed, "?")), Tools: weather(), Temperature: &warm, Seed: &seed, MaxTokens: 300}
		if seed%2 == 0 {
			r.Tools, r.Schema = nil, answerSchema
		}
		a := must(t, p, r)
		for _, c := range a.calls {
			if problems := schema.Check(weather()[0].Parameters, c.Arguments); c.Name != "weather" || len(problems) > 0 {
				t.Errorf("%s %s: %v", c.Name, c.Arguments, problems)
			}
		}
		if r.Schema != nil && a.last.Stop == moothall.StopDone {
			answers++
			if problems := schema.Check(r.Schema, json.RawMessage(a.text)); len(problems) > 0 {
				t.Errorf("%s: %v", a.text, problems)
			}
		}
	}
	if answers < 3 {
		t.Errorf("%d answers were complete: too few to tell", answers)
	}
}

// TestPrefixChangesNothing asks the same twice: from the cache it is the same.
func TestPrefixChangesNothing(t *testing.T) {
	t.Parallel()
	p := random(t, tiny)
	r := moothall.GenerateRequest{Messages: user("Tell me something about rivers."), Tools: weather(), MaxTokens: 60}
	first := must(t, p, r)
	second := must(t, p, r)
	if first.thinking != second.thinking || first.text != second.text {
		t.Errorf("%q, then %q", first.thinking+first.text, second.thinking+second.text)
	}
	other := random(t, tiny)
	if third := must(t, other, r); third.thinking != first.thinking {
		t.Errorf("another provider says %q", third.thinking)
	}
}

// TestDamagedFiles are errors, not panics.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	model, vocab := weightsFile(t, tiny), vocabFile(tiny.Vocab)
	for name, files := range map[string][2][]byte{
		"no model": {nil, vocab}, "no vocabulary": {model, nil}, "half a model": {model[:len(model)/2], vocab}, "another vocabulary": {bytes.Clone(model), vocabFile(600)},
	} {
		p, err := builtin.New(builtin.Options{Files: func() (m, v []byte, ok bool) { return files[0], files[1], true }})
		if err != nil {
			t.Fatal(err)
		}
		if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("hello")}); a.err == nil {
			t.Errorf("%s: no error", name)
		}
		p.Close()
	}
}
