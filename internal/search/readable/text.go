package readable

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// render writes the visible text of a tree, one block a line.
func render(n *html.Node) string {
	var w writer
	w.node(n, false)
	return clean(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) node(n *html.Node, pre bool) {
	switch {
	case n.Type == html.TextNode && pre:
		w.WriteString(n.Data)
		return
	case n.Type == html.TextNode:
		w.words(n.Data)
		return
	case n.Type == html.ElementNode && silent(n.DataAtom):
		return
	}
	lines := n.Type == html.ElementNode && breaks(n.DataAtom)
	if lines {
		w.WriteByte('\n')
	}
	if n.DataAtom == atom.Li {
		w.WriteString("- ")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, pre || n.DataAtom == atom.Pre)
	}
	switch {
	case lines:
		w.WriteByte('\n')
	case n.DataAtom == atom.Td, n.DataAtom == atom.Th:
		w.WriteString(" | ")
	}
}

// words writes text with its white space collapsed, as a browser would.
func (w *writer) words(s string) {
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			w.WriteByte(' ')
			space = false
		}
		w.WriteRune(r)
	}
	if space {
		w.WriteByte(' ')
	}
}

func silent(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Head, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Object, atom.Select, atom.Textarea, atom.Button:
		return true
	}
	return false
}

func breaks(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Br, atom.Caption, atom.Dd, atom.Details, atom.Div, atom.Dl, atom.Dt,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr,
		atom.Li, atom.Main, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tr, atom.Ul:
		return true
	}
	return false
}

// clean drops empty lines, trailing space and control characters.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.Lines(s) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		if t := strings.TrimSpace(line); t == "" || t == "-" || t == "|" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimSuffix(strings.TrimPrefix(line, " "), " |"))
	}
	return b.String()
}

// visible reads a page token by token: the way that no nesting can hurt.
func visible(body []byte) string {
	var w writer
	z := html.NewTokenizer(bytes.NewReader(body))
	skip := atom.Atom(0)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return clean(w.String())
		case html.TextToken:
			if skip == 0 {
				w.words(string(z.Text()))
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			if skip == 0 && (a == atom.Script || a == atom.Style || a == atom.Head) {
				skip = a
			}
			if breaks(a) {
				w.WriteByte('\n')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			if a == skip {
				skip = 0
			}
			if breaks(a) {
				w.WriteByte('\n')
			}
		}
	}
}

// fromXML lists the text of a feed or another XML document, one element a
// line; text that is itself HTML, as in feeds, is read as such.
func fromXML(body []byte) Article {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now, whatever it says
	var (
		b    strings.Builder
		a    Article
		name string
	)
	for {
		t, err := d.RawToken()
		if err != nil { // the end, or where it stops making sense
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			name = t.Name.Local
		case xml.EndElement:
			name = ""
		case xml.CharData:
			text := strings.TrimSpace(string(t))
			if strings.Contains(text, "<") {
				text = visible([]byte(text))
			}
			if text == "" {
				continue
			}
			if name == "title" && a.Title == "" {
				a.Title = shorten(oneLine(clean(text)), maxTitle)
			}
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	a.Text, a.Whole = clean(b.String()), true
	return a
}
