package search_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall/internal/search"
)

func urls(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.URL)
	}
	return out
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	var hits []search.Hit
	for _, u := range []string{
		"https://www.example.org/a/", "http://example.org/a#part", "https://EXAMPLE.org:443/a?utm_source=x", "https://example.org/a?id=1", "https://example.org/a?id=2",
		"ftp://example.org/a", "javascript:alert(1)", "", "https://example.org:8080/a", "%zz",
	} {
		hits = append(hits, search.Hit{URL: u})
	}
	got := search.Distinct(hits)
	want := []string{"https://www.example.org/a/", "https://example.org/a?id=1", "https://example.org/a?id=2", "https://example.org:8080/a"}
	if d := cmp.Diff(want, urls(got)); d != "" {
		t.Error(d)
	}
	if got[0].Title != got[0].URL {
		t.Errorf("a hit without a title has %q", got[0].Title)
	}
}

func TestRelevant(t *testing.T) {
	t.Parallel()
	hit := func(name, title, snippet string) search.Hit {
		return search.Hit{URL: "https://x.example/" + name, Title: title, Snippet: snippet}
	}
	junk := hit("j", "Win a prize", "Click here to claim your reward now")
	for name, test := range map[string]struct {
		query string
		hits  []search.Hit
		want  string
	}{
		"junk is dropped": {
			"price of copper 2026",
			[]search.Hit{junk, hit("a", "Copper price today", "The price of copper rose"), hit("b", "Metals", "copper, tin and zinc in 2026")},
			"a b",
		},
		"equal hits keep their order": {"copper", []search.Hit{hit("a", "Copper", "x"), hit("b", "Copper", "x"), hit("c", "Copper", "x")}, "a b c"},
		"words lift a good hit": {
			"height of mount kenya",
			[]search.Hit{hit("a", "Kenya travel", "safari and beaches"), hit("b", "Mountains", "of Africa, in Kenya"), hit("c", "Mount Kenya", "height of 5,199 m; the height was measured")},
			"a c b",
		},
		"a long query needs a share": {
			"annual rainfall statistics bergen norway meteorological institute records",
			[]search.Hit{hit("a", "Bergen rainfall records", "Norway"), hit("b", "Vinyl records", "shop")},
			"a",
		},
		"forms of a word":         {"elections", []search.Hit{hit("a", "Election day", "vote"), junk}, "a"},
		"not every prefix":        {"cars", []search.Hit{hit("a", "Carsick", "care"), hit("b", "Cars", "x")}, "b"},
		"no words to judge by":    {"the who", []search.Hit{junk, hit("a", "x", "y")}, "j a"},
		"nothing to compare with": {"qwertz", []search.Hit{junk, hit("a", "x", "y")}, "j a"},
		"scripts without spaces":  {"東京の天気", []search.Hit{junk, hit("a", "天気予報 東京", "明日")}, "a"},
		"words in the address":    {"golang", []search.Hit{{URL: "https://golang.example/x", Title: "Home"}, junk}, "x"},
		"none":                    {"x", nil, ""},
	} {
		var got []string
		for _, h := range search.Relevant(test.query, test.hits) {
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(h.URL, "https://x.example/"), "https://golang.example/"))
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("%s: got %q, want %q", name, g, test.want)
		}
	}
}

func TestRelevantIsASelection(t *testing.T) {
	t.Parallel()
	hits := manyHits()
	seen := map[string]bool{}
	for _, h := range search.Relevant("harbour wall ferry timetable", hits) {
		if seen[h.URL] {
			t.Errorf("%s twice", h.URL)
		}
		seen[h.URL] = true
	}
	if len(seen) == 0 || len(seen) == len(hits) {
		t.Errorf("%d of %d hits kept", len(seen), len(hits))
	}
}

func manyHits() []search.Hit {
	words := strings.Fields("harbour wall storm ferry council stone boat divers insurers timetable kettle prize walk tax sport cloud")
	var hits []search.Hit
	for i := range 20 {
		var s []string
		for j := range 25 {
			s = append(s, words[(i*7+j*j)%len(words)])
		}
		title := words[i%len(words)]
		if i%4 == 3 {
			title, s = "prize", []string{"kettle", "tax", "sport"}
		}
		hits = append(hits, search.Hit{URL: "https://x.example/" + string(rune('a'+i)), Title: title, Snippet: strings.Join(s, " ")})
	}
	return hits
}

func BenchmarkRelevant(b *testing.B) {
	hits := manyHits()
	b.ReportAllocs()
	for b.Loop() {
		search.Relevant("harbour wall ferry timetable", search.Distinct(hits))
	}
}
