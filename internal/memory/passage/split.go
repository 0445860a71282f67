package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultPiece is the size of pieces when none is asked for.
const DefaultPiece = 1200

// minPiece is the least size that may be asked for.
const minPiece = 64

// Piece is a part of a longer text: Text is the bytes at Offset.
type Piece struct {
	Text    string
	Heading string // the headings above it, outermost first, joined by " > "
	Offset  int
}

// Split cuts a text along its structure into pieces of at most max bytes (0
// means DefaultPiece, fewer than 64 mean 64): at headings, then paragraphs,
// then sentences, then words. A fenced code block stays whole up to eight
// times max. The pieces are in order, do not overlap, and hold everything but
// the white space between them; a heading stands in the piece that it heads.
func Split(text string, max int) []Piece {
	if max <= 0 {
		max = DefaultPiece
	}
	p := packer{text: text, max: maxInt(max, minPiece), open: -1}
	for b := range blocks(text) {
		p.block(b)
	}
	p.flush()
	return p.pieces
}

// maxInt exists since Split's parameter hides the builtin.
func maxInt(a, b int) int { return max(a, b) }

// packer joins blocks into pieces.
type packer struct {
	text   string
	max    int
	open   int // where the open piece starts; -1 when there is none
	end    int
	bare   bool // the open piece is headings only
	path   [6]string
	pieces []Piece
}

func (p *packer) block(b block) {
	switch {
	case b.level > 0:
		if !p.bare {
			p.flush()
		}
		p.add(b.extent, p.max)
		p.bare = true
		p.path[b.level-1] = b.title
		clear(p.path[b.level:])
		return
	case b.code && b.end-b.start <= 8*p.max:
		p.add(b.extent, 8*p.max)
	case b.end-b.start <= p.max:
		p.add(b.extent, p.max)
	default:
		p.long(b)
	}
	p.bare = false
}

// long adds a block that fits no piece: by sentences, code by lines.
func (p *packer) long(b block) {
	parts := sentences(b.of(p.text))
	if b.code {
		parts = lineExtents(b.of(p.text))
	}
	for _, s := range parts {
		p.cut(extent{b.start + s.start, b.start + s.end})
	}
}

// cut adds a sentence, in pieces where it is too long for one.
func (p *packer) cut(e extent) {
	for e.end-e.start > p.max {
		at := wordEnd(e.of(p.text), p.max)
		p.add(extent{e.start, e.start + at}, p.max)
		e.start += at
	}
	p.add(e, p.max)
}

// wordEnd finds where to cut a text that is longer than limit: after the last
// space before it, or between two characters.
func wordEnd(s string, limit int) int {
	if at := strings.LastIndexAny(s[:limit], " \n\t"); at >= limit/2 {
		return at + 1
	}
	at := limit
	for at > limit-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// add puts an extent into the open piece when both together are at most limit
// long, else into a new one.
func (p *packer) add(e extent, limit int) {
	if strings.TrimSpace(e.of(p.text)) == "" {
		return
	}
	if p.open >= 0 && e.end-p.open > limit {
		p.flush()
	}
	if p.open < 0 {
		p.open = e.start
	}
	p.end = e.end
}

func (p *packer) flush() {
	if p.open < 0 {
		return
	}
	body := strings.TrimRightFunc(p.text[p.open:p.end], unicode.IsSpace)
	trimmed := strings.TrimLeftFunc(body, unicode.IsSpace)
	p.pieces = append(p.pieces, Piece{Text: trimmed, Heading: p.heading(), Offset: p.open + len(body) - len(trimmed)})
	p.open, p.bare = -1, false
}

func (p *packer) heading() string {
	var parts []string
	for _, h := range p.path {
		if h != "" {
			parts = append(parts, h)
		}
	}
	return strings.Join(parts, " > ")
}
