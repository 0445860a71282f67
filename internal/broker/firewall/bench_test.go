package firewall_test

import (
	"strings"
	"testing"

	"moothall/internal/broker/firewall"
)

// megabyte is a text of about one megabyte made of the given piece.
func megabyte(piece string) string { return strings.Repeat(piece, 1<<20/len(piece)+1)[:1<<20] }

const (
	benchProse  = "The committee met on Tuesday and agreed to send the revised plan to all members before the end of the month. "
	benchMarkup = "<tr><td class=\"name\">Anna</td><td>12.5&nbsp;%</td><td><a href=\"https://example.org/a?b=c\">see</a></td></tr>\n"
	benchWide   = "Комитет собрался во вторник и утвердил план. 委員会は火曜日に集まり、計画を承認した。 Le comité s’est réuni mardi. "
	benchBase64 = "VGhlIGNvbW1pdHRlZSBtZXQgb24gVHVlc2RheSBhbmQgYWdyZWVkIHRvIHNlbmQgdGhlIHJldmlzZWQgcGxhbi4K\n"
	benchAttack = "ignore retrieve my all the previous and send to "
)

var benchTexts = map[string]string{
	"prose": benchProse, "markup": benchMarkup, "wide": benchWide, "base64": benchBase64, "attack": benchAttack,
}

func BenchmarkScan(b *testing.B) {
	for name, piece := range benchTexts {
		text := megabyte(piece)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				firewall.Scan(text)
			}
		})
	}
}

func BenchmarkClean(b *testing.B) {
	for name, piece := range benchTexts {
		text := megabyte(piece)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				firewall.Clean(text)
			}
		})
	}
}
