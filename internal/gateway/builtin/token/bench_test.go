package token_test

import (
	"strings"
	"testing"

	"moothall/internal/gateway/builtin/token"
)

func BenchmarkOpen(b *testing.B) {
	file := learn(150).file()
	for b.Loop() {
		if _, err := token.Open(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for name, text := range map[string]string{
		"prose":   strings.Repeat(sample, 200),
		"hostile": strings.Repeat("aab", 1<<20/3),
	} {
		b.Run(name, func(b *testing.B) {
			k := open(b, learn(150))
			b.SetBytes(int64(len(text)))
			var ids []int32
			for b.Loop() {
				ids = k.Encode(ids[:0], text)
			}
		})
	}
}
