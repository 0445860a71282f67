package prompt

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"moothall"
)

// Piece is what became certain with a token. At most one field is set.
type Piece struct {
	Thinking string
	Text     string
	Call     *moothall.ToolCall // without an id
}

// Parser reads generated tokens back. The zero value stands where a prompt
// ends; with thinking off the thought is over already, which [Parser.Skip]
// says.
type Parser struct {
	in   place
	hold []byte // what is not certain yet: half a character, a line break, a call
}

// place is where the parser stands.
type place uint8

const (
	inStart   place = iota // before the thought
	inThought              // between its marks
	inBreak                // after the thought, before the line break that follows it
	inText
	inCall
	inEnd
)

// Skip says that there is no thought.
func (p *Parser) Skip() { p.in = inText }

// Add reads one token; bytes are its text, which a special has none of. An
// error says that a call is no JSON of the form of a call.
func (p *Parser) Add(id int32, text []byte) (Piece, error) {
	if id >= 0 && id < int32(Specials) {
		return p.special(Special(id))
	}
	switch p.in {
	case inEnd:
		return Piece{}, nil
	case inCall:
		p.hold = append(p.hold, text...)
		return Piece{}, nil
	case inBreak:
		text = bytes.TrimPrefix(text, []byte("\n"))
		p.in = inText
	case inStart: // a text without a thought
		p.in = inText
	}
	p.hold = append(p.hold, text...)
	return p.piece(p.certain()), nil
}

func (p *Parser) special(s Special) (Piece, error) {
	switch s {
	case ThinkOpen:
		p.in = inThought
	case ThinkClose:
		rest := p.piece(p.all())
		p.in = inBreak
		return rest, nil
	case CallOpen:
		p.hold = bytes.TrimRight(p.hold, "\r\n")
		rest := p.piece(p.all())
		p.in = inCall
		return rest, nil
	case CallClose:
		return p.call()
	case End:
		rest := p.End()
		p.in = inEnd
		return rest, nil
	}
	return Piece{}, nil
}

// End returns what was held back when nothing more comes. A call that is not
// finished is lost.
func (p *Parser) End() Piece {
	if p.in == inCall {
		p.hold = nil
		return Piece{}
	}
	return p.piece(p.all())
}

func (p *Parser) piece(s string) Piece {
	if p.in == inThought {
		return Piece{Thinking: s}
	}
	return Piece{Text: s}
}

// call reads the finished call.
func (p *Parser) call() (Piece, error) {
	raw := p.hold
	p.hold, p.in = nil, inText
	var c struct {
		Name      moothall.ToolName `json:"name"`
		Arguments json.RawMessage   `json:"arguments"`
	}
	if err := json.Unmarshal(raw, &c); err != nil || c.Name == "" || len(c.Arguments) == 0 || c.Arguments[0] != '{' {
		return Piece{}, &moothall.Error{Code: moothall.CodeInterrupted, Op: "read tool call", Message: "the model wrote a tool call that is none", Err: err}
	}
	return Piece{Call: &moothall.ToolCall{Name: c.Name, Arguments: c.Arguments}}, nil
}

// certain takes what later tokens cannot change: whole characters, up to a line
// break at the end, since one before a call is no text.
func (p *Parser) certain() string {
	n := len(p.hold) - halfRune(p.hold)
	if p.in == inText {
		n = len(bytes.TrimRight(p.hold[:n], "\r\n"))
	}
	s := strings.ToValidUTF8(string(p.hold[:n]), "\uFFFD")
	p.hold = append(p.hold[:0], p.hold[n:]...)
	return s
}

func (p *Parser) all() string {
	s := strings.ToValidUTF8(string(p.hold), "\uFFFD")
	p.hold = nil
	return s
}

// halfRune is how many bytes at the end begin a character and do not end it.
func halfRune(b []byte) int {
	for n := 1; n <= min(len(b), utf8.UTFMax-1); n++ {
		c := b[len(b)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
