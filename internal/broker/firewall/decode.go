package firewall

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNesting is how many encodings around each other are undone.
const maxNesting = 2

// nested scans a text, decoded in part, that stands at offset at.
func (s *scanner) nested(text string, at int) {
	s.view(&view{text: text, at: at}, encoded)
}

// secret scans a text every letter of which was encoded.
func (s *scanner) secret(text string, at int) {
	v := &view{text: text, at: at}
	s.view(v, encoded)
	s.softer(v)
}

// decoded looks for encoded parts of text, which stands at offset at, and
// scans what they hold. Every decoding is shorter than its source, and parts
// of one encoding do not overlap, so the work stays linear.
func (s *scanner) decoded(text string, at, depth int) {
	if depth == 0 {
		return
	}
	inner := func(plain string, off int) {
		if depth < maxNesting {
			off = 0 // inside a decoding there are no offsets of their own
		}
		if !readable(plain) {
			return
		}
		s.secret(plain, at+off)
		s.decoded(plain, at+off, depth-1)
	}
	for off, run := range runs(text, isBase64Byte, 20) {
		if plain, ok := fromBase64(run); ok {
			inner(plain, off)
		}
	}
	for off, run := range runs(text, isHexRunByte, 24) {
		if plain, ok := fromHex(run); ok {
			inner(plain, off)
		}
	}
	for off, run := range runs(text, isBinaryByte, 64) {
		if plain, ok := fromBinary(strings.ReplaceAll(run, " ", "")); ok {
			inner(plain, off)
		}
	}
	for off, run := range runs(text, isMorseByte, 40) {
		if plain, ok := fromMorse(run); ok {
			inner(plain, off)
		}
	}
	if off := strings.IndexByte(text, '%'); off >= 0 && strings.Count(text, "%") >= 8 {
		if plain, err := url.PathUnescape(brokenPercents.Replace(text)); err == nil && plain != text {
			s.nested(plain, at+off)
		}
	}
	if off := strings.Index(text, "&#"); off >= 0 && strings.Count(text, "&#") >= 4 {
		s.nested(html.UnescapeString(text), at+off)
	}
	if off := strings.Index(text, `\u00`); off >= 0 && strings.Count(text, `\u00`) >= 4 {
		s.nested(unescapeUnicode(text), at+off)
	}
}

// brokenPercents keeps a percent sign of prose from spoiling the decoding.
var brokenPercents = strings.NewReplacer("% ", "%25 ", "%,", "%25,", "%.", "%25.", "%)", "%25)", "%\n", "%25\n", "%%", "%25%25")

var (
	base64Letters = strings.NewReplacer("-", "+", "_", "/", "=", "")
	hexDigits     = strings.NewReplacer(`\x`, "", "0x", "", `\`, "", ":", "", "x", "")
)

// runs yields the maximal parts of text made of bytes that in accepts, at
// least shortest long, with their offset.
func runs(text string, in func(byte) bool, shortest int) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(text); {
			if !in(text[i]) {
				i++
				continue
			}
			j := i + 1
			for j < len(text) && in(text[j]) {
				j++
			}
			if j-i >= shortest && !yield(i, text[i:j]) {
				return
			}
			i = j
		}
	}
}

func isBase64Byte(b byte) bool {
	return isWordByte(b) || b == '+' || b == '/' || b == '=' || b == '-' || b == '_'
}

func isHexRunByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F' || b == ' ' || b == 'x' || b == '\\' || b == ':' || b == '\n'
}

func isBinaryByte(b byte) bool { return b == '0' || b == '1' || b == ' ' }

func isMorseByte(b byte) bool { return b == '.' || b == '-' || b == ' ' || b == '/' }

// fromBase64 undoes either alphabet, with or without padding. A stray letter
// in front shifts everything by a few bits, so the other alignments are
// tried as well.
func fromBase64(run string) (string, bool) {
	run = base64Letters.Replace(run)
	for skip := range 4 {
		body := run[min(skip, len(run)):]
		if len(body)%4 == 1 {
			body = body[:len(body)-1]
		}
		b, err := base64.RawStdEncoding.DecodeString(body)
		if err == nil && readable(string(b)) {
			return string(b), true
		}
	}
	return "", false
}

// fromHex undoes hexadecimal digits, with or without separators. A part of
// odd length is a word of the text around, such as "a".
func fromHex(run string) (string, bool) {
	var digits strings.Builder
	for part := range strings.FieldsSeq(hexDigits.Replace(run)) {
		if len(part)%2 == 0 {
			digits.WriteString(part)
		}
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil || !readable(string(b)) {
		return "", false
	}
	return string(b), true
}

// fromBinary undoes groups of eight binary digits.
func fromBinary(digits string) (string, bool) {
	var b strings.Builder
	for i := 0; i+8 <= len(digits); i += 8 {
		var c byte
		for _, d := range []byte(digits[i : i+8]) {
			c = c<<1 | d&1
		}
		b.WriteByte(c)
	}
	return b.String(), readable(b.String())
}

// morse is the alphabet in its usual order.
var morse = strings.Fields(`.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..`)

func fromMorse(run string) (string, bool) {
	letters := make(map[string]byte, len(morse))
	for i, m := range morse {
		letters[m] = 'a' + byte(i)
	}
	var b strings.Builder
	known, all := 0, 0
	for field := range strings.FieldsSeq(strings.ReplaceAll(run, "/", " / ")) {
		if field == "/" {
			b.WriteByte(' ')
			continue
		}
		all++
		if c, ok := letters[field]; ok {
			known++
			b.WriteByte(c)
		}
	}
	return b.String(), all >= 10 && known*10 >= all*8
}

// unescapeUnicode undoes the escapes of JSON for ASCII letters.
func unescapeUnicode(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		i := strings.Index(text, `\u00`)
		if i < 0 || i+6 > len(text) {
			break
		}
		b.WriteString(text[:i])
		c, err := hex.DecodeString(text[i+4 : i+6])
		if err == nil {
			b.Write(c)
		}
		text = text[i+6:]
	}
	return b.String() + text
}

// readable reports text that somebody may have written: valid, nearly all of
// it letters, and with spaces or in a script without them.
func readable(s string) bool {
	if len(s) < 8 || !utf8.ValidString(s) {
		return false
	}
	letters, odd, spaces, all := 0, 0, 0, 0
	for _, r := range s {
		all++
		switch {
		case r == ' ' || r == '\n':
			spaces++
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		case unicode.IsControl(r) || r == utf8.RuneError:
			odd++
		}
	}
	return odd == 0 && letters*10 >= all*6 && (spaces > 0 || letters > 0 && len(s) >= 16)
}

// prose reports text made of words with spaces between them, and little else.
func prose(s string) bool {
	words, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ':
			words++
		case !strings.ContainsRune(".,:;!?'\"-\n", r):
			other++
		}
	}
	return other*12 < words && strings.Count(s, " ")*10 >= len(s)
}
