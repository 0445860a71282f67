package firewall

import (
	"strings"
	"unicode/utf8"
)

// minRun is the number of tags or selectors in a row that are no accident.
const minRun = 4

// hidden finds text that is written in characters nobody sees: tags, and
// variation selectors used as bytes. The longest legitimate run of tags is
// that of a regional flag.
func (s *scanner) hidden() {
	if !strings.Contains(s.text, "\xf3\xa0") && !strings.Contains(s.text, "\xef\xb8") { // how tags and selectors begin
		return
	}
	for i := 0; i < len(s.text); {
		n, plain, runes := hiddenRun(s.text[i:])
		if runes >= minRun && !isRegionFlag(s.text[:i], s.text[i:]) {
			s.add("", "hidden-text", 0.9, i, plain)
			s.secret(plain, i)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s.text[i:])
		}
		i += n
	}
}

// hiddenRun reads a run of tags or selectors: its length, what it spells and
// the number of its characters.
func hiddenRun(text string) (n int, plain string, runes int) {
	if text[0] != 0xF3 && text[0] != 0xEF {
		return 0, "", 0
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case isTag(r):
			if c := byte(r - 0xE0000); c >= ' ' && c < 0x7F {
				b.WriteByte(c)
			}
		case 0xE0100 <= r && r <= 0xE01EF:
			b.WriteByte(byte(r - 0xE0100 + 16))
		case 0xFE00 <= r && r <= 0xFE0F:
			b.WriteByte(byte(r - 0xFE00))
		default:
			return i, b.String(), runes
		}
		runes++
	}
	return len(text), b.String(), runes
}

func isRegionFlag(before, run string) bool {
	if !strings.HasSuffix(before, "\U0001F3F4") {
		return false
	}
	for _, tags := range regionFlags {
		if rest, ok := strings.CutPrefix(run, tags); ok {
			n, _, _ := hiddenRun(rest + " ")
			return n == 0
		}
	}
	return false
}

// forged finds frames of conversation turns in the notation of a chat
// template. In backquotes they are talked about.
func (s *scanner) forged() {
	for i := 0; i < len(s.text); {
		t, step := tokenAt(s.text, i)
		if t.length == 0 {
			i += step
			continue
		}
		if t.forged && !(i > 0 && strings.IndexByte("`'\"", s.text[i-1]) >= 0) {
			s.add("", "forged-turn", 0.6, i, s.text[i:min(len(s.text), i+t.length+24)])
		}
		i += t.length
	}
}
