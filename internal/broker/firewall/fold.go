package firewall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latin maps accented Latin letters to their base letter, so that a rule is
// written once for every way of typing a word. The pairs are "base: letters".
var latin = pairs(
	"aàáâãäåāăą", "cçćĉċč", "dďđ", "eèéêëēĕėęě", "gĝğġģ", "hĥħ", "iìíîïĩīĭįı",
	"jĵ", "kķ", "lĺļľŀł", "nñńņňŉ", "oòóôõöøōŏő", "rŕŗř", "sśŝşšſș", "tţťŧț",
	"uùúûüũūŭůűų", "wŵ", "yýÿŷ", "zźżž",
)

// alike maps letters of other scripts to the Latin letter they pass for.
// It is used only inside a word that mixes scripts and inside the names of
// special tokens: Russian and Greek words are left as they are.
var alike = pairs(
	"aаαɑ", "bьЬв", "cсϲᴄ", "dԁ", "eеєε", "gɡ", "hһнᏂ", "iіιӏɩӀ", "jј", "kкκ", "lⅼ", "mмᴍ", "nпηո",
	"oоοօσ", "pрρ", "qԛ", "sѕꜱ", "tтτᴛ", "uυцս", "vνѵᴠ", "wԝωшᴡ", "xхχ", "yуγү", "zᴢ",
)

// runeMap is a table for the low code points, where nearly all letters that
// are looked up live, and a map for the few others.
type runeMap struct {
	low  [0x600]rune
	high map[rune]rune
}

func (m *runeMap) get(r rune) (rune, bool) {
	if r < rune(len(m.low)) {
		return m.low[r], m.low[r] != 0
	}
	if r > 0xABFF || 0x2E80 <= r && r < 0xA700 { // Han, kana, Hangul and beyond
		return 0, false
	}
	b, ok := m.high[r]
	return b, ok
}

func pairs(groups ...string) *runeMap {
	m := &runeMap{high: make(map[rune]rune)}
	for _, g := range groups {
		base, n := utf8.DecodeRuneInString(g)
		for _, r := range g[n:] {
			if r < rune(len(m.low)) {
				m.low[r] = base
			} else {
				m.high[r] = base
			}
		}
	}
	return m
}

// fold returns the plain lower-case form of a letter: without accent, width
// or mathematical style. Letters of other scripts keep their script.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case 0xFF01 <= r && r <= 0xFF5E:
		return fold(r - 0xFF01 + '!')
	case 0x1D400 <= r && r <= 0x1D6A3:
		return 'a' + (r-0x1D400)%26
	case 0x1D7CE <= r && r <= 0x1D7FF:
		return '0' + (r-0x1D7CE)%10
	case 0x24B6 <= r && r <= 0x24E9:
		return 'a' + (r-0x24B6)%26
	case 0x1F130 <= r && r <= 0x1F149:
		return 'a' + (r - 0x1F130)
	case 0x1F150 <= r && r <= 0x1F169:
		return 'a' + (r - 0x1F150)
	case 0x1F170 <= r && r <= 0x1F189:
		return 'a' + (r - 0x1F170)
	}
	r = unicode.ToLower(r)
	if b, ok := latin.get(r); ok {
		return b
	}
	return r
}

// skeleton is fold with letters of other scripts taken for the Latin ones
// that they look like.
func skeleton(r rune) rune {
	if b, ok := alike.get(r); ok {
		return b
	}
	r = fold(r)
	if b, ok := alike.get(r); ok {
		return b
	}
	return r
}

// bracketKind tells apart the three brackets that special tokens use.
type bracketKind byte

const (
	noBracket bracketKind = iota
	angle
	square
	triangle
)

// The marks that stand in place of a defused bracket. No tokenizer has a
// special token with them, and bracketOf does not know them, which is what
// makes Clean idempotent.
const (
	safeAngleOpen   = "‹"
	safeAngleClose  = "›"
	safeSquareOpen  = "⟦"
	safeSquareClose = "⟧"
)

const (
	openAngles   = "<＜﹤ᐸ˂⟨〈〈❬❮❰⧼≺⋖"
	closeAngles  = ">＞﹥ᐳ˃⟩〉〉❭❯❱⧽≻⋗"
	openSquares  = "[［【〔⁅"
	closeSquares = "]］】〕⁆"
	bars         = "|｜│∣ǀ❘¦┃丨￨"
)

func openerOf(r rune) bracketKind {
	switch {
	case r == '<':
		return angle
	case r == '[':
		return square
	case r < 0x2000 && r != '˂' && r != 'ᐸ', 0x3040 <= r && r <= 0xFE00:
		return noBracket
	case r == '◁':
		return triangle
	case strings.ContainsRune(openAngles, r):
		return angle
	case strings.ContainsRune(openSquares, r):
		return square
	}
	return noBracket
}

// mayOpen is false for the bytes that begin no token.
func mayOpen(b byte) bool { return b == '<' || b == '[' || b == ']' || b >= utf8.RuneSelf }

// closer returns the length of the bracket of kind k that text starts with,
// or 0.
func closer(text string, k bracketKind) int {
	r, n := utf8.DecodeRuneInString(text)
	set := closeAngles
	switch k {
	case square:
		set = closeSquares
	case triangle:
		set = "▷"
	}
	if n == 0 || r == utf8.RuneError || !strings.ContainsRune(set, r) {
		return 0
	}
	return n
}

// bar returns the length of the vertical bar that text starts with, or 0.
func bar(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 || r == utf8.RuneError || !strings.ContainsRune(bars, r) {
		return 0
	}
	return n
}
