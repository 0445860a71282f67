package firewall

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"

	"moothall"
)

// Meta is what the envelope says about its content.
type Meta struct {
	Tool   string  // the tool that fetched it
	Source string  // where it came from: an address, a path; may be empty
	Score  float64 // of Scan
}

const (
	envelopeOpen  = "[TOOL_RESULT: UNTRUSTED"
	envelopeClose = "[/TOOL_RESULT"
	maxMetaField  = 200
)

// NewNonce returns a nonce for one message: 128 bits from the system's
// random source, as text.
func NewNonce() string { return rand.Text() }

// Wrap puts text into the envelope that tells a model that this is data. The
// text is Cleaned first, which takes every mark of an envelope out of it; so
// the end stands exactly once, at the end, even when the nonce has leaked.
func Wrap(text, nonce string, meta Meta) string {
	clean, _ := Clean(text)
	nonce = plainNonce(nonce)
	var b strings.Builder
	b.Grow(len(clean) + 256)
	fmt.Fprintf(&b, "%s nonce=%s tool=%s", envelopeOpen, nonce, metaField(meta.Tool))
	if meta.Source != "" {
		fmt.Fprintf(&b, " source=%s", metaField(meta.Source))
	}
	fmt.Fprintf(&b, " score=%.2f]\n%s\n%s", meta.Score, clean, envelopeEnd(nonce))
	return b.String()
}

func envelopeEnd(nonce string) string { return envelopeClose + " nonce=" + nonce + "]" }

// plainNonce keeps letters and digits: a nonce is not a place for text.
func plainNonce(nonce string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, nonce)
}

// metaField quotes a value of the head. Names of tools and addresses may
// come from outside as well, so they are cleaned and kept short.
func metaField(s string) string {
	if len(s) > maxMetaField {
		s = strings.ToValidUTF8(s[:maxMetaField], "") + "…"
	}
	s, _ = Clean(s)
	return strconv.Quote(strings.NewReplacer("]", safeSquareClose, "[", safeSquareOpen).Replace(s))
}

// Unwrap returns the content of an envelope that Wrap made with nonce.
// Anything else is refused with [moothall.CodeInvalid].
func Unwrap(wrapped, nonce string) (string, error) {
	refuse := func(message string) (string, error) {
		return "", &moothall.Error{Code: moothall.CodeInvalid, Op: "unwrap tool result", Message: message}
	}
	nonce = plainNonce(nonce)
	head, rest, ok := strings.Cut(wrapped, "]\n")
	if !ok || !strings.HasPrefix(head, envelopeOpen+" nonce="+nonce+" ") {
		return refuse("the envelope does not begin as it should")
	}
	content, ok := strings.CutSuffix(rest, "\n"+envelopeEnd(nonce))
	if !ok || strings.Contains(content, envelopeClose) {
		return refuse("the envelope does not end as it should")
	}
	return content, nil
}
