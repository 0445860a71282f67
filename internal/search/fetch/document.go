package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"moothall"
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

// Document is a page as it came, in UTF-8.
type Document struct {
	URL      string // after redirects
	Kind     Kind
	Body     []byte
	Language string // what the server says, may be empty
	Cut      bool   // the page is longer than the limit
	Sent     []moothall.Egress
}

// read takes a successful answer apart.
func read(resp *http.Response, limit int) (Document, error) {
	declared := resp.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(declared)
	if media != "" {
		if _, err := kindOf(media); err != nil {
			return Document{}, err // before its bytes are fetched
		}
	}
	raw, err := decompressed(resp, limit)
	if err != nil {
		return Document{}, err
	}
	body, err := io.ReadAll(io.LimitReader(raw, int64(limit)+1))
	// An end that came too early is a page all the same: sites do that.
	if err != nil && (len(body) == 0 || !errors.Is(err, io.ErrUnexpectedEOF)) {
		return Document{}, unreadable(err)
	}
	doc := Document{URL: resp.Request.URL.String(), Cut: len(body) > limit || err != nil, Language: language(resp.Header)}
	body = body[:min(len(body), limit)]
	if media == "" { // nothing was said, or nothing that makes sense
		media, _, _ = mime.ParseMediaType(http.DetectContentType(body))
	}
	if doc.Kind, err = kindOf(media); err != nil {
		return Document{}, err
	}
	doc.Body, err = utf8Text(body, declared, doc.Kind, limit)
	return doc, err
}

// decompressed bounds the bytes on the wire; its reader is to be bounded too.
func decompressed(resp *http.Response, limit int) (io.Reader, error) {
	wire := bufio.NewReader(io.LimitReader(resp.Body, int64(limit)+1))
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return wire, nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(wire)
		if err != nil {
			return nil, unreadable(err)
		}
		return z, nil
	}
	return nil, moothall.Fail(moothall.CodeUnsupported, "fetch", "the page is compressed in a way that was not asked for")
}

func unreadable(err error) error {
	if _, ok := errors.AsType[*moothall.Error](err); ok || isTimeout(err) {
		return err
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "fetch", Message: "the page broke off or is damaged", Err: err}
}

// kindOf maps media types to kinds, and refuses the rest.
func kindOf(media string) (Kind, error) {
	switch {
	case media == "text/html", media == "application/xhtml+xml":
		return HTML, nil
	case media == "application/json", strings.HasSuffix(media, "+json"):
		return JSON, nil
	case media == "application/xml", media == "text/xml", strings.HasSuffix(media, "+xml") && media != "image/svg+xml":
		return XML, nil
	case strings.HasPrefix(media, "text/"), slices.Contains([]string{"application/yaml", "application/x-yaml", "application/toml"}, media):
		return Text, nil
	case media == "application/pdf":
		return "", moothall.Fail(moothall.CodeUnsupported, "fetch", "this is a PDF file, and only web pages and plain text can be read")
	}
	return "", moothall.Fail(moothall.CodeUnsupported, "fetch", fmt.Sprintf("this is %.60q, and only web pages and plain text can be read", media))
}

// utf8Text decodes a text.
func utf8Text(body []byte, declared string, kind Kind, limit int) ([]byte, error) {
	text := body
	if e := encodingOf(body, declared, kind, len(body) == limit); e != encoding.Nop {
		var err error
		r := e.NewDecoder().Reader(bytes.NewReader(body))
		if text, err = io.ReadAll(io.LimitReader(r, 4*int64(limit))); err != nil { // no charset makes more of a byte
			return nil, unreadable(err)
		}
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	return bytes.ToValidUTF8(bytes.ReplaceAll(text, []byte{0}, nil), []byte("\uFFFD")), nil
}

// encodingOf goes by a byte order mark, the declared charset, or what the page
// says of itself, in this order. What none of them tells is UTF-8 today, but
// for an old page: that is taken for Windows text, unless it is UTF-8
// throughout. Of a page only the first lines are asked, and many say it later.
func encodingOf(body []byte, declared string, kind Kind, cut bool) encoding.Encoding {
	e, name, certain := charset.DetermineEncoding(body, declared)
	if certain {
		return e
	}
	if m := xmlCharset.FindSubmatch(body); m != nil && (kind == XML || kind == HTML) {
		// A declaration that can be read is in no UTF-16, whatever it says.
		if said, to := charset.Lookup(string(m[1])); said != nil && !strings.HasPrefix(to, "utf-16") {
			return said
		}
	}
	if kind != HTML || name == "windows-1252" && allUTF8(body, cut) {
		return encoding.Nop
	}
	return e
}

// xmlCharset finds the charset in the declaration that XML begins with.
var xmlCharset = regexp.MustCompile(`^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// allUTF8 reports whether a text is nothing but UTF-8; when it was cut, the last
// character may be torn.
func allUTF8(b []byte, cut bool) bool {
	for range utf8.UTFMax - 1 {
		if r, n := utf8.DecodeLastRune(b); cut && r == utf8.RuneError && n == 1 {
			b = b[:len(b)-1]
		}
	}
	return utf8.Valid(b)
}

func language(h http.Header) string {
	first, _, _ := strings.Cut(h.Get("Content-Language"), ",")
	first = strings.TrimSpace(first)
	if len(first) > 35 { // the longest tag that makes sense
		return ""
	}
	return first
}

// refused makes an error of an answer that is no page, in words that a model
// can act on.
func refused(resp *http.Response) error {
	e := &moothall.Error{Code: moothall.CodeUnavailable, Op: "fetch"}
	switch s := resp.StatusCode; {
	case s == http.StatusNotFound, s == http.StatusGone:
		e.Code, e.Message, e.Remedy = moothall.CodeNotFound, "there is no such page", "try another address"
	case s == http.StatusTooManyRequests:
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "the site wants fewer requests", "try another source"
	case s == http.StatusUnauthorized, s == http.StatusForbidden, s == http.StatusPaymentRequired, s == http.StatusUnavailableForLegalReasons:
		e.Message, e.Remedy = "the site does not show this page to everybody", "try another source"
	case s >= 500:
		e.Message, e.Remedy = "the site has a fault", "try again later, or another source"
	case s >= 400:
		e.Message = "the site refused the request"
	default:
		e.Message = "the site answered with something that is not a page"
	}
	e.Message += fmt.Sprintf(" (status %d)", resp.StatusCode)
	return e
}
