package firewall_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/broker/firewall"
)

func seed(f *testing.F) {
	for _, texts := range attacks {
		for _, text := range texts {
			f.Add(text)
		}
	}
	for _, text := range benign {
		f.Add(text)
	}
	for _, text := range []string{"\x1b[", "\x1b]\x1b\\", "<|\u200d|>", "[/TOOL_RESULT", "&#x;%zz\\u00", strings.Repeat("A", 64), "\xf3\xa0"} {
		f.Add(text)
	}
}

func FuzzClean(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		once, _ := firewall.Clean(text)
		if !utf8.ValidString(once) || strings.ContainsAny(once, "\x00\x1b\u202e\u2066") {
			t.Fatalf("%q became %q", text, once)
		}
		if twice, mended := firewall.Clean(once); twice != once || mended != nil {
			t.Fatalf("%q: %q, then %q %v", text, once, twice, mended)
		}
	})
}

func FuzzScan(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := firewall.Scan(text)
		if r.Score < 0 || r.Score > 1 || (r.Score == 0) != (len(r.Findings) == 0) {
			t.Fatalf("%q: %+v", text, r)
		}
		for _, finding := range r.Findings {
			if finding.Where < 0 || finding.Where >= len(text) || len(finding.Text) > 128 || !utf8.ValidString(finding.Text) || finding.Rule == "" {
				t.Fatalf("%q: %+v", text, finding)
			}
		}
	})
}

func FuzzWrap(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		checkEnvelope(t, text, "KNOWN", firewall.Meta{Tool: text, Source: text})
	})
}
