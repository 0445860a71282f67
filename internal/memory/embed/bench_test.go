package embed_test

import (
	"strings"
	"testing"

	"moothall/internal/memory/embed"
)

const short = "I went to the harbour with Ana yesterday, and we saw the old lighthouse that her uncle repaired in 1998."

func BenchmarkEmbed(b *testing.B) {
	e := embed.New(embed.Options{})
	for name, text := range map[string]string{"short": short, "4KiB": strings.Repeat(short+" ", 39), "han": strings.Repeat("我昨天在上海买了一台新电脑", 3)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e.Embed(text)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

func BenchmarkEmbedQuery(b *testing.B) {
	e := embed.New(embed.Options{})
	e.Observe(short)
	for b.Loop() {
		e.EmbedQuery("When did Ana see the lighthouse?")
	}
}

func BenchmarkObserve(b *testing.B) {
	e := embed.New(embed.Options{})
	for b.Loop() {
		e.Observe(short)
	}
}
