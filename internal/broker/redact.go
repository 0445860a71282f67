package broker

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"moothall"
)

// hidden stands where a secret stood.
const hidden = "[secret]"

// redact takes secrets out of a text, in the forms that programs give them.
// It is a net under tools that leak by accident; one that means to leak
// could write its secret in a form that nobody knows.
func redact(text string, secrets []moothall.Secret) string {
	if text == "" {
		return text
	}
	for _, s := range secrets {
		for _, form := range forms(string(s.Reveal())) {
			text = strings.ReplaceAll(text, form, hidden)
		}
	}
	return text
}

// minEncoded is the least length of an encoded form: shorter ones stand in
// many a harmless text.
const minEncoded = 6

// forms lists how a value may be written, the longest first.
func forms(v string) []string {
	if v == "" {
		return nil
	}
	quoted, _ := json.Marshal(v) // a string always marshals
	encoded := []string{
		string(quoted[1 : len(quoted)-1]), url.QueryEscape(v), url.PathEscape(v), percent(v, "%%%02X"), percent(v, "%%%02x"),
		hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))),
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			encoded = append(encoded, within(enc, v, shift))
		}
	}
	out := []string{v}
	for _, f := range encoded {
		if len(f) >= minEncoded && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

func percent(v, format string) string {
	var b strings.Builder
	for _, c := range []byte(v) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// within returns the characters that base64 gives a value wherever it stands
// in a longer text, shift bytes after a multiple of three: "user:password" is
// the case in point.
func within(enc *base64.Encoding, v string, shift int) string {
	whole := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + v))
	if (shift+len(v))%3 != 0 {
		whole = whole[:len(whole)-1] // shared with what follows
	}
	return whole[min(len(whole), []int{0, 2, 3}[shift]):]
}
