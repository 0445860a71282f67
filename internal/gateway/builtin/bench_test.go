package builtin_test

import (
	"encoding/json"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
)

// BenchmarkCall is a whole answer of a network of full size with random weights:
// a schema makes it as long as a call with its thought.
func BenchmarkCall(b *testing.B) {
	p := random(b, full)
	r := moothall.GenerateRequest{
		Messages: append([]moothall.Message{{Role: moothall.RoleSystem, Content: "You are the assistant of Moothall, a program that runs on the person's own machine."}}, user("Which port does config.yaml say?")...),
		Schema:   json.RawMessage(`{"type":"object","properties":{"name":{"enum":["fs_read"]},"path":{"type":"string","minLength":8,"maxLength":24},"limit":{"type":"integer","minimum":1,"maximum":5000}},"required":["name","path","limit"]}`),
		Think:    "off",
	}
	tokens := 0
	generate(b, p, r)
	for b.Loop() {
		tokens += generate(b, p, r)
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(float64(tokens)/float64(b.N), "tokens/call")
}

// BenchmarkText is 100 tokens of thought and plain text.
func BenchmarkText(b *testing.B) {
	p := random(b, full)
	warm, seed := 2.0, int64(1)
	r := moothall.GenerateRequest{Messages: user("hello"), MaxTokens: 100, Temperature: &warm, Seed: &seed}
	tokens := 0
	for b.Loop() {
		tokens += generate(b, p, r)
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}

// BenchmarkLoad is the first use: network, tokenizer and one token, of 22
// million random weights and of the network that ships.
func BenchmarkLoad(b *testing.B) {
	model, vocab := weightsFile(b, full), vocabFile(full.Vocab)
	b.Run("22M", func(b *testing.B) { first(b, func() (m, v []byte, ok bool) { return model, vocab, true }) })
	b.Run("shipped", func(b *testing.B) { first(b, nil) })
}

func first(b *testing.B, files func() (m, v []byte, ok bool)) {
	for b.Loop() {
		p, err := builtin.New(builtin.Options{Files: files})
		if err != nil {
			b.Fatal(err)
		}
		generate(b, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off", MaxTokens: 1})
		p.Close()
	}
}

func generate(b *testing.B, p *builtin.Provider, r moothall.GenerateRequest) int {
	for c, err := range p.Generate(b.Context(), r) {
		if err != nil {
			b.Fatal(err)
		}
		if c.Stop != "" {
			return c.Usage.OutputTokens
		}
	}
	b.Fatal("no end")
	return 0
}
