package readable

import (
	"cmp"
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"time"
)

// facts are what a page says of itself.
type facts struct {
	title    string
	language string
	date     time.Time
	nodes    int
}

// read walks the page once. Of several dates the one in the surest place is
// taken: what is made for programs before what is made for people.
func read(root *html.Node) facts {
	r := reader{}
	r.walk(root)
	r.facts.title = oneLine(cmp.Or(r.metaTitle, r.facts.title, r.heading))
	r.facts.date = cmp.Or(r.data, r.meta, r.clock)
	return r.facts
}

type reader struct {
	facts
	metaTitle, heading string
	data, meta, clock  time.Time // JSON-LD, <meta>, <time>
}

func (r *reader) walk(n *html.Node) {
	r.nodes++
	switch n.DataAtom {
	case atom.Html:
		r.language = languageTag(attr(n, "lang"))
	case atom.Title:
		if r.title == "" && (n.Parent == nil || n.Parent.DataAtom != atom.Svg) {
			r.title = oneLine(innerText(n))
		}
	case atom.H1:
		if r.heading == "" {
			r.heading = oneLine(innerText(n))
		}
	case atom.Meta:
		r.readMeta(n)
	case atom.Time:
		if t := parseDate(cmp.Or(attr(n, "datetime"), innerText(n))); r.clock.IsZero() && !inComments(n) {
			r.clock = t
		}
	case atom.Script:
		if r.data.IsZero() && strings.EqualFold(attr(n, "type"), "application/ld+json") {
			r.data = linkedDate(innerText(n))
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.walk(c)
	}
}

// metaDates are the names under which pages give the day of publication.
var metaDates = map[string]bool{
	"article:published_time": true, "og:published_time": true, "datepublished": true, "date": true, "dc.date": true,
	"dc.date.issued": true, "dcterms.date": true, "dcterms.created": true, "dcterms.issued": true, "dc.date.created": true,
	"pubdate": true, "publishdate": true, "publish-date": true, "publish_date": true, "publication_date": true, "citation_publication_date": true,
	"citation_date": true, "sailthru.date": true, "parsely-pub-date": true, "article.published": true, "article:published": true,
	"cxenseparse:recs:publishtime": true, "datecreated": true, "originalpublicationdate": true, "bt:pubdate": true, "release_date": true,
	"published-date": true, "article_date_original": true, "og:article:published_time": true, "timestamp": true, "created": true,
}

func (r *reader) readMeta(n *html.Node) {
	name := strings.ToLower(cmp.Or(attr(n, "property"), attr(n, "name"), attr(n, "itemprop")))
	content := attr(n, "content")
	switch {
	case r.meta.IsZero() && metaDates[name]:
		r.meta = parseDate(content)
	case name == "og:title" && r.metaTitle == "":
		r.metaTitle = content
	case r.language == "" && (name == "og:locale" || name == "dc.language" || strings.EqualFold(attr(n, "http-equiv"), "content-language")):
		r.language = languageTag(content)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// innerText joins the text directly below a node; enough for titles, times
// and scripts.
func innerText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		} else if c.FirstChild != nil && c.FirstChild.Type == html.TextNode {
			b.WriteString(c.FirstChild.Data)
		}
	}
	return b.String()
}

// inComments keeps the time of a reader's remark from being the article's.
func inComments(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Aside || strings.Contains(strings.ToLower(attr(p, "id")+" "+attr(p, "class")), "comment") {
			return true
		}
	}
	return false
}

// languageTag returns the language of a tag like en-GB or de_DE, or "".
func languageTag(s string) string {
	s, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(s)), "_")
	s, _, _ = strings.Cut(s, "-")
	if len(s) < 2 || len(s) > 3 || strings.ContainsFunc(s, func(c rune) bool { return c < 'a' || c > 'z' }) {
		return ""
	}
	return s
}

// linkedDate finds the date of publication in linked data, at any depth that
// people use.
func linkedDate(text string) time.Time {
	var v any
	if json.Unmarshal([]byte(strings.TrimSpace(text)), &v) != nil {
		return time.Time{}
	}
	var found time.Time
	for _, key := range []string{"datePublished", "dateCreated", "uploadDate"} {
		if find(v, key, 0, &found) {
			break
		}
	}
	return found
}

func find(v any, key string, depth int, out *time.Time) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if find(e, key, depth+1, out) {
				return true
			}
		}
	case map[string]any:
		if s, ok := v[key].(string); ok {
			if *out = parseDate(s); !out.IsZero() {
				return true
			}
		}
		for _, sub := range []string{"@graph", "mainEntity", "mainEntityOfPage", "itemListElement"} {
			if find(v[sub], key, depth+1, out) {
				return true
			}
		}
	}
	return false
}
