package firewall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of repair that Clean reports.
const (
	mendedEncoding  = "encoding"  // bytes that are not UTF-8
	mendedControl   = "control"   // control characters
	mendedANSI      = "ansi"      // terminal escape sequences
	mendedInvisible = "invisible" // characters that nobody sees
	mendedBidi      = "bidi"      // direction overrides and isolates
	mendedTags      = "tags"      // the Unicode tags block
	mendedToken     = "token"     // special tokens and tags of chat templates
	mendedEnvelope  = "envelope"  // marks of our own envelope
)

// clarity is the first pass of Clean: it writes what a person can see.
// Whether a joiner is kept depends only on what was written before it, so a
// second pass over the output changes nothing.
type clarity struct {
	out    strings.Builder
	prev   rune // the last rune written
	mended mendings
}

// mendings is a set of repairs in order of first sight.
type mendings []string

func (m *mendings) add(kind string) {
	for _, k := range *m {
		if k == kind {
			return
		}
	}
	*m = append(*m, kind)
}

// strip removes what cannot be seen and returns what is left.
func strip(text string, m *mendings) string {
	first := firstOdd(text)
	if first == len(text) {
		return text
	}
	c := clarity{mended: *m}
	c.out.Grow(len(text))
	c.out.WriteString(text[:first])
	c.prev, _ = utf8.DecodeLastRuneInString(text[:first])
	for i := first; i < len(text); {
		i += c.step(text[i:])
	}
	*m = c.mended
	return c.out.String()
}

// firstOdd is the index of the first byte that is not plain printable ASCII.
func firstOdd(text string) int {
	for i := range len(text) {
		if b := text[i]; (b < ' ' && b != '\n' && b != '\t') || b >= 0x7F {
			return i
		}
	}
	return len(text)
}

// step handles the rune or sequence that rest starts with and returns its
// length.
func (c *clarity) step(rest string) int {
	if b := rest[0]; b >= ' ' && b < 0x7F || b == '\n' || b == '\t' {
		c.out.WriteByte(b)
		c.prev = rune(b)
		return 1
	}
	r, n := utf8.DecodeRuneInString(rest)
	switch {
	case r == utf8.RuneError && n == 1:
		c.mended.add(mendedEncoding)
		c.write(utf8.RuneError)
	case r == 0x1B || r == 0x9B:
		return c.escape(rest, n)
	case r == '\r' && strings.HasPrefix(rest[n:], "\n"):
		c.write(r)
	case isLineEnd(r):
		c.mended.add(mendedControl)
		c.write('\n')
	case unicode.IsControl(r):
		c.mended.add(mendedControl)
	case r == 0x1F3F4:
		return c.flag(rest, n)
	case !c.keeps(r):
		c.mended.add(kindOf(r))
	default:
		c.write(r)
	}
	return n
}

func (c *clarity) write(r rune) {
	c.out.WriteRune(r)
	c.prev = r
}

// isLineEnd reports the rarer characters that end a line; a lone carriage
// return is one of them, since a terminal would overwrite the line with it.
func isLineEnd(r rune) bool {
	return r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// escape drops a terminal sequence. An unfinished one loses only its
// introducer, which makes the rest plain text.
func (c *clarity) escape(rest string, n int) int {
	c.mended.add(mendedANSI)
	if rest[0] != 0x1B { // the eight-bit CSI
		return n + csi(rest[n:])
	}
	if n == len(rest) {
		return n
	}
	switch next := rest[n]; {
	case next == '[':
		if k := csi(rest[n+1:]); k > 0 {
			return n + 1 + k
		}
	case strings.IndexByte("]PX^_", next) >= 0:
		if k := controlString(rest[n+1:]); k > 0 {
			return n + 1 + k
		}
	case strings.IndexByte("()*+#%78=>cDEHMNOZ", next) >= 0:
		return n + 1
	}
	return n
}

// csi is the length of the parameters and final byte of a control sequence,
// or 0.
func csi(s string) int {
	for i := range min(len(s), 64) {
		switch b := s[i]; {
		case b >= 0x40 && b <= 0x7E:
			return i + 1
		case b < 0x20 || b > 0x3F:
			return 0
		}
	}
	return 0
}

// controlString is the length of a control string with its terminator, or 0
// when another escape comes first: that keeps hostile input linear.
func controlString(s string) int {
	i := strings.IndexAny(s[:min(len(s), 4096)], "\x07\x1b")
	switch {
	case i < 0:
		return 0
	case s[i] == 0x07:
		return i + 1
	case strings.HasPrefix(s[i:], "\x1b\\"):
		return i + 2
	}
	return 0
}

// regionFlags are the three flags that are written with tag characters.
var regionFlags = []string{
	"\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
	"\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
	"\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",
}

// flag writes a black flag, and with it the tags of a region that has one.
func (c *clarity) flag(rest string, n int) int {
	c.write(0x1F3F4)
	for _, tags := range regionFlags {
		if strings.HasPrefix(rest[n:], tags) {
			c.out.WriteString(tags)
			return n + len(tags)
		}
	}
	return n
}
