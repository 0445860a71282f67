package firewall

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a view.
type word struct {
	off, end int32 // in the view's text
	set      int32 // what it is in the lexicon
	flags    wordFlags
}

type wordFlags uint8

const (
	afterStop   wordFlags = 1 << iota // a sentence begins here
	afterClause                       // a comma, colon, quotation mark or bullet comes before
	afterQuote                        // an opening quotation mark comes directly before
	beforeQuote                       // a quotation mark comes directly after
	oneLetter                         // a letter standing alone
)

// view is a text cut into words. at says where it stands in the text that
// was given to Scan: the offset of its first byte, and whether its bytes
// map one to one.
type view struct {
	text   string
	words  []word
	at     int
	direct bool
	shift  byte // Caesar shift undone while reading, 0 for none
	budget int  // steps left for the pattern being matched
	loose  bool // no punctuation to tell where a command begins
}

// cutter reads a view.
type cutter struct {
	*view
	lex     *lexicon
	buf     []byte // the folded word
	alike   []byte // scratch
	pending wordFlags
	mixed   scripts
}

type scripts uint8

const (
	hasLatin scripts = 1 << iota
	hasAlike
	hasDigit
)

func cut(v *view, lex *lexicon) {
	c := cutter{view: v, lex: lex, pending: afterStop, buf: make([]byte, 0, 64)}
	v.words = make([]word, 0, len(v.text)/6+8)
	for i := 0; i < len(v.text); {
		i = c.next(i)
	}
}

// next reads the word or the mark at i and returns where it ends.
func (c *cutter) next(i int) int {
	b := c.text[i]
	if b < utf8.RuneSelf {
		if isWordByte(b) {
			return c.word(i)
		}
		c.mark(rune(b), i, 1)
		return i + 1
	}
	r, n := utf8.DecodeRuneInString(c.text[i:])
	switch {
	case hidden(r):
	case isIdeograph(r):
		c.buf = utf8.AppendRune(c.buf[:0], r)
		c.emit(i, i+n)
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || fold(r) < utf8.RuneSelf && isWordByte(byte(fold(r))):
		return c.word(i)
	default:
		c.mark(r, i, n)
	}
	return i + n
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// maxWord bounds a word of the lexicon; the rest of a longer one is skipped.
const maxWord = 48

// word reads the word that begins at i.
func (c *cutter) word(i int) int {
	if n := addressLength(c.text[i:]); n > 0 {
		c.buf = append(c.buf[:0], "@url"...)
		c.emit(i, i+n)
		return i + n
	}
	c.buf, c.mixed = c.buf[:0], 0
	j := i
	for j < len(c.text) {
		n := c.letter(j)
		if n == 0 {
			break
		}
		j += n
	}
	if j < len(c.text) && c.text[j] == '@' {
		if n := mailLength(c.text[j:]); n > 0 {
			c.buf = append(c.buf[:0], "@email"...)
			c.emit(i, j+n)
			return j + n
		}
	}
	c.emit(i, j)
	return j
}

// letter adds the letter at j to the word and returns its length, 0 when the
// word ends.
func (c *cutter) letter(j int) int {
	b := c.text[j]
	if b < utf8.RuneSelf {
		return c.ascii(b, j)
	}
	r, n := utf8.DecodeRuneInString(c.text[j:])
	if hidden(r) || 0x0300 <= r && r <= 0x036F {
		return n
	}
	if r == '’' && j+n < len(c.text) && isWordByte(c.text[j+n]) {
		return n
	}
	f := fold(r)
	if f < utf8.RuneSelf {
		if !isWordByte(byte(f)) {
			return 0
		}
		c.mixed |= hasLatin
	} else if isIdeograph(r) || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
		return 0
	} else if _, ok := alike.get(f); ok {
		c.mixed |= hasAlike
	}
	if f == 'ß' {
		c.buf = append(c.buf, 's')
		f = 's'
	}
	c.add(f)
	return n
}

// ascii is letter for the common case. An apostrophe inside a word is
// skipped, so that "don't" is "dont" and "user's" is "users".
func (c *cutter) ascii(b byte, j int) int {
	switch {
	case 'a' <= b && b <= 'z':
		c.mixed |= hasLatin
	case 'A' <= b && b <= 'Z':
		c.mixed |= hasLatin
		b += 'a' - 'A'
	case '0' <= b && b <= '9':
		c.mixed |= hasDigit
	case (b == '\'' || b == '@' || b == '$') && len(c.buf) > 0 && j+1 < len(c.text) && isWordByte(c.text[j+1]):
		if b == '\'' {
			return 1
		}
		if b == '@' && mailLength(c.text[j:]) > 0 {
			return 0
		}
		c.mixed |= hasDigit
	default:
		return 0
	}
	if c.shift != 0 && 'a' <= b && b <= 'z' {
		b = 'a' + (b-'a'+26-c.shift)%26
	}
	c.add(rune(b))
	return 1
}

func (c *cutter) add(r rune) {
	if len(c.buf) < maxWord {
		c.buf = utf8.AppendRune(c.buf, r)
	}
}

// emit ends a word.
func (c *cutter) emit(i, j int) {
	w := word{off: int32(i), end: int32(j), flags: c.pending, set: c.lex.lookup(c.buf)}
	if w.set == 0 && c.mixed&hasLatin != 0 && c.mixed&(hasAlike|hasDigit) != 0 {
		w.set = c.lex.lookup(c.plain())
	}
	if len(c.buf) == 1 && c.mixed&hasLatin != 0 {
		w.flags |= oneLetter
	}
	c.pending, c.mixed = 0, 0
	c.words = append(c.words, w)
}

// plain is the word with letters of other scripts and digits taken for the
// Latin letters that they stand for.
func (c *cutter) plain() []byte {
	c.alike = c.alike[:0]
	for rest := c.buf; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		r = skeleton(r)
		if k := strings.IndexRune("0134578@$", r); k >= 0 {
			r = rune("oieastbas"[k])
		}
		c.alike = utf8.AppendRune(c.alike, r)
	}
	return c.alike
}

// mark notes what stands between words.
func (c *cutter) mark(r rune, i, n int) {
	last := len(c.words) - 1
	switch r {
	case '.', '!', '?':
		if i+n >= len(c.text) || strings.IndexByte(" \n\r\t\"')]}<*_`|\\", c.text[i+n]) >= 0 || c.text[i+n] >= utf8.RuneSelf {
			c.pending |= afterStop
		}
	case '。', '！', '？', '｡', '؟', '।', '|', '…':
		c.pending |= afterStop
	case '\n':
		if rest := strings.TrimLeft(c.text[i+n:min(len(c.text), i+n+16)], " \t\r"); rest != "" && strings.IndexByte("\n-*#>", rest[0]) >= 0 {
			c.pending |= afterStop
		}
		c.pending &^= afterQuote
		c.pending |= afterClause
	case '"', '“', '”', '„', '«', '»', '「', '」', '『', '`', '\'', '‘', '’':
		c.pending |= afterClause | afterQuote
		if last >= 0 && int(c.words[last].end) >= i-1 {
			c.words[last].flags |= beforeQuote
		}
	case ' ', '\t', '\r':
		c.pending &^= afterQuote
	case '-', '_', '/':
		if i > 0 && c.text[i-1] == ' ' {
			c.pending |= afterClause
		}
	default:
		c.pending |= afterClause
	}
}

// addressLength is the length of a web address at the start of s, or 0.
func addressLength(s string) int {
	if s[0]|0x20 != 'h' && s[0]|0x20 != 'w' {
		return 0
	}
	head := strings.ToLower(s[:min(len(s), 8)])
	if !strings.HasPrefix(head, "http://") && !strings.HasPrefix(head, "https://") && !strings.HasPrefix(head, "www.") {
		return 0
	}
	n := strings.IndexAny(s[:min(len(s), 2048)], " \t\r\n\"'<>)]}|`")
	if n < 0 {
		n = min(len(s), 2048)
	}
	return len(strings.TrimRight(s[:n], ".,;:!?"))
}

// mailLength is the length of the part of a mail address from its @ on, or
// 0: a host with a dot.
func mailLength(s string) int {
	n, dot := 1, false
	for n < len(s) && n < 255 && (isWordByte(s[n]) || s[n] == '-' || s[n] == '.' && n+1 < len(s) && isWordByte(s[n+1])) {
		dot = dot || s[n] == '.'
		n++
	}
	if !dot {
		return 0
	}
	return n
}

// spelled returns the runs of letters that stand alone ("i g n o r e"),
// joined and cut into words of the lexicon, each as a view of its own.
func (v *view) spelled(lex *lexicon) []*view {
	var out []*view
	for i := 0; i < len(v.words); {
		j := i
		for j < len(v.words) && v.words[j].flags&oneLetter != 0 && (j == i || v.words[j].off-v.words[j-1].end <= 3) {
			j++
		}
		if j-i >= 8 {
			out = append(out, v.joined(lex, i, j))
		}
		i = max(j, i+1)
	}
	return out
}

// joined reads the letters of words i to j as words of the lexicon, longest
// first; letters that fit none are passed over.
func (v *view) joined(lex *lexicon, i, j int) *view {
	var letters []byte
	for _, w := range v.words[i:j] {
		letters = append(letters, bytes.ToLower([]byte(v.text[w.off:w.end]))...)
	}
	var b strings.Builder
	for p := 0; p < len(letters); {
		n := lex.longest(letters[p:])
		if n > 0 {
			b.Write(letters[p : p+n])
			b.WriteByte(' ')
		}
		p += max(n, 1)
	}
	return &view{text: b.String(), at: v.origin(int(v.words[i].off)), loose: true}
}

// longest is the length of the longest word or stem of two letters or more
// that s begins with, or 0.
func (l *lexicon) longest(s []byte) int {
	at, best := int32(0), 0
	for i, b := range s[:min(len(s), maxWord)] {
		k := bytes.IndexByte(l.nodes[at].keys, b)
		if k < 0 {
			break
		}
		at = l.nodes[at].kids[k]
		if i > 0 && len(l.nodes[at].exact)+len(l.nodes[at].stems) > 0 {
			best = i + 1
		}
	}
	return best
}

// origin is where byte i of the view stands in the text given to Scan.
func (v *view) origin(i int) int {
	if v.direct {
		return v.at + i
	}
	return v.at
}
