package readable

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	readability "github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxBody  = 8 << 20
	maxNodes = 60_000 // of a document that the library is asked about
	maxTitle = 300    // bytes
	minText  = 80     // bytes of an article; less is a caption
)

// Kind says what a document is written in.
type Kind string

// The kinds.
const (
	HTML Kind = "html"
	Text Kind = "text"
	JSON Kind = "json"
	XML  Kind = "xml"
)

// Source is a document, in UTF-8.
type Source struct {
	URL  string
	Kind Kind
	Body []byte
}

// Article is the readable part of a document. Text is valid UTF-8 with one
// paragraph a line; all else may be empty.
type Article struct {
	Title    string
	Text     string
	Date     time.Time
	Language string
	Whole    bool // no article was found in the page: all its text is here
}

// Extract finds the readable part.
func Extract(s Source) Article {
	body := bytes.ToValidUTF8(s.Body[:min(len(s.Body), maxBody)], []byte("\uFFFD"))
	switch s.Kind {
	case HTML:
		return fromHTML(body, s.URL)
	case XML:
		return fromXML(body)
	}
	return Article{Text: clean(string(body)), Whole: true}
}

func fromHTML(body []byte, address string) Article {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil { // nested too deeply
		return Article{Text: visible(body), Whole: true}
	}
	at, err := url.Parse(address)
	if err != nil {
		at = &url.URL{}
	}
	facts := read(root)
	a := Article{Title: facts.title, Date: cmp.Or(facts.date, dateOfPath(at.Path)), Language: facts.language}
	whole := render(root) // before the library changes the tree
	if text, title := article(root, at, facts.nodes); len(text) >= minText {
		a.Text, a.Title = text, cmp.Or(title, a.Title)
	} else {
		a.Text, a.Whole = whole, true
	}
	a.Title = shorten(oneLine(clean(a.Title)), maxTitle)
	return a
}

// article asks the library. A fault of its own costs the article, not the
// program: what it reads is written by strangers.
func article(root *html.Node, at *url.URL, nodes int) (text, title string) {
	if nodes > maxNodes {
		return "", ""
	}
	defer func() {
		if recover() != nil {
			text, title = "", ""
		}
	}()
	prune(root)
	found, err := readability.FromDocument(root, at)
	if err != nil || found.Node == nil {
		return "", ""
	}
	return render(found.Node), found.Title
}

// prune takes away what is no article by its own words. The library goes by
// weights, and keeps a long cookie notice over a short article.
func prune(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && clutter(c) {
			n.RemoveChild(c)
		} else {
			prune(c)
		}
		c = next
	}
}

func clutter(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Dialog, atom.Form, atom.Noscript, atom.Iframe, atom.Template:
		return true
	case atom.Body, atom.Html, atom.Main, atom.Article:
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "role":
			return a.Val == "navigation" || a.Val == "banner" || a.Val == "contentinfo" || a.Val == "dialog" || a.Val == "search"
		case "id", "class":
			if named(a.Val) {
				return true
			}
		}
	}
	return false
}

// clutterNames are what pages call their comments, notices and link boxes.
var clutterNames = []string{
	"comments", "comment-list", "comment-form", "respond", "disqus_thread", "cookie-notice", "cookie-banner", "cookie-consent",
	"newsletter", "related-posts", "related-articles", "share-buttons", "social-share", "breadcrumb", "breadcrumbs", "site-footer", "site-header",
}

func named(value string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(value)) {
		for _, name := range clutterNames {
			if w == name {
				return true
			}
		}
	}
	return false
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// shorten cuts at a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
