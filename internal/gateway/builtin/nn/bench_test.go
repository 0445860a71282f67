package nn_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"moothall/internal/gateway/builtin/nn"
)

// fullFile is a model of the size that ships, made once.
var fullFile = sync.OnceValue(func() []byte { return build(full, 1) })

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
		for _, n := range []int{128, 512, 2048} {
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) {
				c := open(b, k, fullFile()).NewContext()
				ids := prompt(full, n, 1)
				for b.Loop() {
					c.Truncate(0)
					feed(b, c, ids)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}

// BenchmarkDecode feeds one token at a time after a prompt.
func BenchmarkDecode(b *testing.B) {
	for _, k := range nn.Kernels() {
		for _, n := range []int{128, 512, 2048} {
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) {
				c := open(b, k, fullFile()).NewContext()
				feed(b, c, prompt(full, n, 1))
				one := prompt(full, 1, 2)
				for b.Loop() {
					feed(b, c, one)
					c.Truncate(n)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}

// BenchmarkFollowUp takes a prompt from the cache and feeds what is new.
func BenchmarkFollowUp(b *testing.B) {
	m, err := nn.Open(fullFile())
	if err != nil {
		b.Fatal(err)
	}
	k := nn.NewCache(m, nn.CacheOptions{})
	c := m.NewContext()
	feed(b, c, prompt(full, 2000, 1))
	k.Put(c)
	ids := append(prompt(full, 2000, 1), prompt(full, 60, 2)...)
	for b.Loop() {
		c := k.Get(ids)
		feed(b, c, ids[c.Len():])
	}
}

// BenchmarkShipped is the same for the network inside the program.
func BenchmarkShipped(b *testing.B) {
	data, err := os.ReadFile("../weights/model.bin")
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range nn.Kernels() {
		c := open(b, k, data).NewContext()
		ids := prompt(full, 512, 1)
		b.Run(k+"/prefill", func(b *testing.B) {
			for b.Loop() {
				c.Truncate(0)
				feed(b, c, ids)
			}
			b.ReportMetric(512*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
		b.Run(k+"/decode", func(b *testing.B) {
			for b.Loop() {
				feed(b, c, ids[:1])
				c.Truncate(512)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
