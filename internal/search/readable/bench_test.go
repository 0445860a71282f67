package readable_test

import (
	"strings"
	"testing"

	"moothall/internal/search/readable"
)

func BenchmarkExtract(b *testing.B) {
	news := page(b, "news.html")
	// An article of the usual length with the clutter of a large site.
	long := strings.Replace(string(news), "</article>", strings.Repeat("<p>The council met again on the matter, and after two hours, it put the vote off once more.</p>", 60)+"</article>", 1)
	long = strings.Replace(long, "</nav>", strings.Repeat(`<ul><li><a href="/x">Link</a></li></ul>`, 400)+"</nav>", 1)
	for name, body := range map[string][]byte{"short": news, "long": []byte(long)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if a := readable.Extract(readable.Source{URL: "https://x.example/", Kind: readable.HTML, Body: body}); a.Whole {
					b.Fatal("no article")
				}
			}
		})
	}
}
