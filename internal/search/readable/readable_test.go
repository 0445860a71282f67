package readable_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moothall/internal/search/readable"
)

func page(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fromHTML(html, url string) readable.Article {
	return readable.Extract(readable.Source{URL: url, Kind: readable.HTML, Body: []byte(html)})
}

func TestNews(t *testing.T) {
	t.Parallel()
	a := fromHTML(string(page(t, "news.html")), "https://courier.example/news/1")
	if a.Title != "Harbour reopens after storm" || a.Language != "en" || a.Whole {
		t.Errorf("title %q, language %q, whole %v", a.Title, a.Language, a.Whole)
	}
	if want := time.Date(2026, 3, 14, 8, 30, 0, 0, time.UTC); !a.Date.Equal(want) {
		t.Errorf("date %v, want %v", a.Date, want)
	}
	for _, want := range []string{"opened again to ferries", "1,200 tonnes of stone", "said the harbour master", "- The slipway stays closed.", "half a metre higher"} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("the text lacks %q:\n%s", want, a.Text)
		}
	}
	for _, not := range []string{"cookies", "Sport", "Ten walks", "praise my boat", "Copyright", "track(", "Subscribe"} {
		if strings.Contains(a.Text, not) {
			t.Errorf("the text has %q:\n%s", not, a.Text)
		}
	}
}

func TestWholePage(t *testing.T) {
	t.Parallel()
	a := fromHTML("<title>Short</title><body><p>Open 9 to 5.<script>x()</script><style>y</style><table><tr><td>Mon<td>closed</table>", "https://shop.example/")
	if !a.Whole || a.Title != "Short" || a.Text != "Open 9 to 5.\nMon | closed" {
		t.Errorf("got %+v", a)
	}
	if a := fromHTML("", ""); a.Text != "" || a.Title != "" {
		t.Errorf("nothing became %+v", a)
	}
}

func TestOtherKinds(t *testing.T) {
	t.Parallel()
	feed := `<?xml version="1.0"?><rss><channel><title>News &amp; more</title><item><title>One</title><description><![CDATA[<p>First <b>item</b></p>]]></description>` +
		`<pubDate>Sat, 14 Mar 2026 08:30:00 GMT</pubDate></item></channel></rss>`
	a := readable.Extract(readable.Source{Kind: readable.XML, Body: []byte(feed)})
	if a.Title != "News & more" || a.Text != "News & more\nOne\nFirst item\nSat, 14 Mar 2026 08:30:00 GMT" {
		t.Errorf("feed: got %+v", a)
	}
	a = readable.Extract(readable.Source{Kind: readable.Text, Body: []byte("one\r\n\r\n\x1b[31mtwo\x00  \n")})
	if a.Text != "one\n[31mtwo" {
		t.Errorf("text: got %q", a.Text)
	}
	a = readable.Extract(readable.Source{Kind: readable.JSON, Body: []byte(`{"a": 1}`)})
	if a.Text != `{"a": 1}` {
		t.Errorf("JSON: got %q", a.Text)
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		`<meta name="date" content="2024-02-29">`:                                                      "2024-02-29",
		`<meta property="article:published_time" content="2024-02-03T23:30:00+0200">`:                  "2024-02-03",
		`<meta itemprop="datePublished" content="2024-02-03 10:00:00 UTC">`:                            "2024-02-03",
		`<script type="application/ld+json">[{"@type":"X"},{"datePublished":"2023-05-06"}]</script>`:   "2023-05-06",
		`<script type="application/ld+json">{broken</script><meta name=pubdate content="Jan 5, 2020">`: "2020-01-05",
		`<time datetime="2022-07-08T09:00">Friday</time>`:                                              "2022-07-08",
		`<time>8 July 2022</time>`: "2022-07-08",
		`<div class="comment-box"><time datetime="2022-07-08">x</time></div>`: "0001-01-01",
		`<meta name="date" content="03/04/2024">`:                             "0001-01-01",
		`<meta name="date" content="0001-01-01">`:                             "0001-01-01",
		`<meta name="date" content="9999-01-01">`:                             "0001-01-01",
		`<p>nothing`: "0001-01-01",
	} {
		if got := fromHTML(html, "https://x.example/a").Date.Format(time.DateOnly); got != want {
			t.Errorf("%s: got %s, want %s", html, got, want)
		}
	}
	for url, want := range map[string]string{
		"https://x.example/2021/03/09/title":  "2021-03-09",
		"https://x.example/a-2021-03-09.html": "2021-03-09",
		"https://x.example/2021/13/09/":       "0001-01-01",
		"https://x.example/2021/02/31/":       "0001-01-01",
		"https://x.example/id/20210309/":      "0001-01-01",
		"https://x.example/?d=2021-03-09":     "0001-01-01",
	} {
		if got := fromHTML("<p>x", url).Date.Format(time.DateOnly); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}

// What a feed says of its charset is about the bytes that came, and they are
// UTF-8 by now.
func TestFeedOfAnotherCharset(t *testing.T) {
	t.Parallel()
	feed := `<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><title>Grüße</title><item><title>Eins</title></item></channel></rss>`
	a := readable.Extract(readable.Source{Kind: readable.XML, Body: []byte(feed)})
	if a.Title != "Grüße" || a.Text != "Grüße\nEins" {
		t.Errorf("got %+v", a)
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		`<html lang="de-AT">`: "de", `<html lang="EN_us">`: "en", `<html><meta property="og:locale" content="fr_FR">`: "fr",
		`<html lang="x">`: "", `<html lang="<script>">`: "", `<html>`: "",
	} {
		if got := fromHTML(html, "").Language; got != want {
			t.Errorf("%s: got %q, want %q", html, got, want)
		}
	}
}

// Pages that are made to hurt cost no more than long ones do.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"deep":       strings.Repeat("<div>", 200_000) + "deep words",
		"wide":       strings.Repeat("<p>words ", 200_000),
		"unclosed":   strings.Repeat("<b><i><a href=x>", 50_000) + "words",
		"tables":     strings.Repeat("<table><tr><td>words", 2_000),
		"attributes": "<p " + strings.Repeat(`a="b" `, 100_000) + ">words",
		"entities":   strings.Repeat("&lt;", 300_000) + "words",
		"commas":     "<p>" + strings.Repeat("words,", 200_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if a := fromHTML(body, "https://x.example/"); !strings.Contains(a.Text, "words") {
				t.Errorf("the words are gone: %.100q", a.Text)
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(page(f, "news.html")), "https://x.example/2021/03/09/", 0)
	for _, s := range []string{"<html lang=x><time datetime=2024-01-01T>", "<rss><title>x<![CDATA[<", "<svg><title>x</title><foreignObject><p>", "<script type=application/ld+json>{\"@graph\":[[[", "<table><p><td>"} {
		f.Add([]byte(s), "http://[::1", 1)
	}
	kinds := []readable.Kind{readable.HTML, readable.XML, readable.Text, readable.JSON}
	f.Fuzz(func(t *testing.T, body []byte, url string, kind int) {
		a := readable.Extract(readable.Source{URL: url, Kind: kinds[uint(kind)%4], Body: body})
		if !utf8.ValidString(a.Text) || strings.ContainsRune(a.Text, 0) || len(a.Title) > 300 || !utf8.ValidString(a.Title) || strings.ContainsAny(a.Title, "\x00\x1b\n") {
			t.Fatalf("not clean: %q %q", a.Title, a.Text)
		}
		// A character that is no UTF-8 becomes one of three bytes; list marks
		// and cell marks add a few for each tag of three bytes or more.
		if len(a.Text) > 4*len(body)+16 {
			t.Fatalf("%d bytes became %d", len(body), len(a.Text))
		}
	})
}
