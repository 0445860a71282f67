package firewall

import (
	"strings"
	"unicode"
)

// keeps says whether a rune is written, given the one written before it.
func (c *clarity) keeps(r rune) bool {
	switch {
	case !hidden(r):
		return true
	case isBracket(c.prev): // it may be replaced, and nothing joins brackets
		return false
	case r == 0x200D:
		return isEmoji(c.prev) || c.prev == 0xFE0F || unicode.In(c.prev, joining...)
	case r == 0x200C:
		return unicode.In(c.prev, joining...)
	case r == 0x200E || r == 0x200F || r == 0x061C:
		return unicode.In(c.prev, rightToLeft...)
	case r == 0xFE0E || r == 0xFE0F:
		return isEmoji(c.prev) || isKeycap(c.prev)
	case 0xFE00 <= r && r <= 0xFE0D:
		return unicode.In(c.prev, unicode.Han, unicode.Sm, unicode.Myanmar)
	case 0xE0100 <= r && r <= 0xE01EF:
		return unicode.Is(unicode.Han, c.prev)
	case 0x180B <= r && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, c.prev) && (c.prev < 0x180B || c.prev > 0x180F)
	}
	return false
}

func isBracket(r rune) bool {
	return r == '◁' || r == '▷' || strings.ContainsRune(openAngles+closeAngles+openSquares+closeSquares, r)
}

// joining are the scripts whose spelling uses joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	unicode.Balinese, unicode.Javanese,
}

var rightToLeft = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko,
}

// isEmoji is generous: symbols that a joiner or selector may follow.
func isEmoji(r rune) bool {
	switch {
	case r == 0xA9 || r == 0xAE || r == 0x203C || r == 0x2049 || r == 0x2122 || r == 0x2139:
		return true
	case 0x2190 <= r && r <= 0x2BFF, 0x3030 <= r && r <= 0x303D, r == 0x3297, r == 0x3299:
		return true
	}
	return 0x1F000 <= r && r <= 0x1FAFF
}

func isKeycap(r rune) bool { return '0' <= r && r <= '9' || r == '#' || r == '*' }

// hidden reports characters that leave no mark on a screen. Signs of the
// format class that are drawn, such as the Arabic number signs, are not.
func hidden(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x034F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5:
		return true
	case 0x180B <= r && r <= 0x180F, 0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE0FFF:
		return true
	case 0x2060 <= r && r <= 0x206F, 0xFFF0 <= r && r <= 0xFFFB, 0xFDD0 <= r && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return true
	case 0x0600 <= r && r <= 0x0605, r == 0x06DD, r == 0x070F, r == 0x0890, r == 0x0891, r == 0x08E2:
		return false
	case r == 0x110BD, r == 0x110CD, 0x13430 <= r && r <= 0x1345F:
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

func isBidi(r rune) bool {
	return 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

func isTag(r rune) bool { return 0xE0000 <= r && r <= 0xE007F }

func kindOf(r rune) string {
	switch {
	case isBidi(r):
		return mendedBidi
	case isTag(r):
		return mendedTags
	}
	return mendedInvisible
}
