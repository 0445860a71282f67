package nn_test

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"moothall/internal/gateway/builtin/nn"
)

// fullFile is a model of 22 million parameters, made once.
var fullFile = sync.OnceValue(func() []byte { return build(full, 1) })

// lengths are those of the prompts; plain Go takes long for the longest.
func lengths(kernel string) []int {
	if kernel == "plain" {
		return []int{128, 512}
	}
	return []int{128, 512, 2048}
}

func BenchmarkOpen(b *testing.B) {
	data := fullFile()
	for b.Loop() {
		if _, err := nn.Open(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPrefill feeds a whole prompt at once.
func BenchmarkPrefill(b *testing.B) {
	for _, k := range nn.Kernels() {
		m := open(b, k, fullFile())
		for _, n := range lengths(k) {
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) { prefill(b, m, n) })
		}
	}
}

// BenchmarkDecode feeds one token at a time after a prompt.
func BenchmarkDecode(b *testing.B) {
	for _, k := range nn.Kernels() {
		m := open(b, k, fullFile())
		for _, n := range lengths(k) {
			c := ready(m, n)
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) { decode(b, c(b)) })
		}
	}
}

// BenchmarkFollowUp takes a prompt from the cache and feeds what is new.
func BenchmarkFollowUp(b *testing.B) {
	for _, k := range nn.Kernels() {
		m := open(b, k, fullFile())
		kept := ready(m, before)
		b.Run(k, func(b *testing.B) { followUp(b, m, kept(b)) })
	}
}

// BenchmarkShipped is the same for the network inside the program, and what
// opening it takes.
func BenchmarkShipped(b *testing.B) {
	data, err := os.ReadFile(weightsFile)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := nn.Open(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, k := range nn.Kernels() {
		m := open(b, k, data)
		c, kept := ready(m, 512), ready(m, before)
		b.Run(k+"/prefill", func(b *testing.B) { prefill(b, m, 512) })
		b.Run(k+"/decode", func(b *testing.B) { decode(b, c(b)) })
		b.Run(k+"/follow-up", func(b *testing.B) { followUp(b, m, kept(b)) })
	}
}

// prefill feeds n tokens at once.
func prefill(b *testing.B, m *nn.Model, n int) {
	c, ids := m.NewContext(), prompt(full, n, 1)
	for b.Loop() {
		c.Truncate(0)
		feed(b, c, ids)
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// decode feeds one token after those that are there.
func decode(b *testing.B, c *nn.Context) {
	n, one := c.Len(), prompt(full, 1, 2)
	for b.Loop() {
		feed(b, c, one)
		c.Truncate(n)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// ready returns a function that returns a sequence of n tokens, made at the
// first call.
func ready(m *nn.Model, n int) func(b *testing.B) *nn.Context {
	var c *nn.Context
	return func(b *testing.B) *nn.Context {
		if c == nil {
			c = filled(b, m, prompt(full, n, 1))
		}
		return c
	}
}

// before is how long the prompt is that a follow-up finds.
const before = 2000

// followUp takes a prompt from a cache and feeds 60 tokens more.
func followUp(b *testing.B, m *nn.Model, known *nn.Context) {
	kept := nn.NewCache(m, nn.CacheOptions{})
	kept.Put(known.Fork())
	ids := slices.Concat(known.Tokens(), prompt(full, 60, 2))
	for b.Loop() {
		c := kept.Get(ids)
		if c.Len() != before {
			b.Fatalf("%d tokens are known", c.Len())
		}
		feed(b, c, ids[before:])
	}
}
