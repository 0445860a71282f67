package toolcall

import (
	"strings"
	"unicode/utf8"
)

// mode is where in a reply the reader is.
type mode uint8

const (
	inContent mode = iota
	inThinking
	inFence // a code fence of the content: nothing in it counts
)

// Reader reads a reply as it streams. It is not safe for concurrent use.
type Reader struct {
	cat   *catalog
	quiet bool // no pieces wanted
	buf   []byte
	pos   int  // what stands before it is decided
	final bool // the reply is over

	mode      mode
	begun     bool   // something was read
	bol       bool   // at the start of a line of content, not yet looked at
	plain     bool   // at a word that may announce calls and does not
	afterCall bool   // nothing but white space since a call
	otherJSON bool   // a JSON value that is no call stood in the content
	message   bool   // in a harmony message to the user
	noMarks   bool   // at the end: no marker is left that a broken call could end at
	wrapper   string // the tag around the answer
	fenceLen  int    // backticks of the open fence, in content or thinking

	thought        bool            // thinking was read, or cannot come any more
	thinkID        string          // which marker closes the thinking; empty: any
	noEnd          map[string]bool // by thinkID: no closing marker is left in the reply
	thinkFrom      int             // length of the thinking when it opened
	headFirst      bool            // the prompt ends within a header in this family
	recipientFirst bool            // the prompt ends with ">>>" in this family
	strayEnds      bool            // a lone closing tag is text in this family

	content, thinking sink
	res               Result
	pieces            []Piece
	pieceFrom         int

	work   int // bytes looked at, for the proof of linear time
	credit int // work that the bytes received allow
	cost   int // work of the attempt that had to wait
}

// keep is how many decided bytes stay in the buffer for looking back, and
// workPerByte bounds how often an undecided call may be read again.
const (
	keep        = 256
	workPerByte = 64
)

// NewReader returns a reader for one reply. It keeps o's tools and does not
// change them.
func NewReader(o *Options) *Reader {
	if o == nil {
		o = &Options{}
	}
	r := &Reader{cat: newCatalog(o.Tools), bol: true}
	family := strings.ToLower(o.Family)
	// These families switch thinking by what the prompt prefills, so that a
	// closing tag without an opening one is text of theirs.
	r.strayEnds = strings.HasPrefix(family, "cogito") || strings.HasPrefix(family, "deepseek-v3")
	r.headFirst = strings.HasPrefix(family, "muse")
	r.recipientFirst = strings.HasPrefix(family, "functionary")
	if o.ThinkingPrefilled {
		r.mode, r.begun = inThinking, true
	}
	return r
}

// Parse reads a whole reply.
func Parse(text string, o *Options) Result {
	r := NewReader(o)
	r.quiet = true
	r.buf = []byte(text)
	return r.Close()
}

// Write takes the next part of the reply, cut anywhere, and returns what is
// certain by now.
func (r *Reader) Write(chunk string) []Piece {
	r.compact()
	r.buf = append(r.buf, chunk...)
	r.credit += workPerByte * len(chunk)
	if r.credit < r.cost {
		return nil
	}
	r.credit -= r.cost
	r.run()
	return r.take()
}

// Close ends the reply. The pieces that only its end made certain are in
// [Reader.Rest].
func (r *Reader) Close() Result {
	r.final = true
	r.run()
	r.res.Content, r.res.Thinking = r.content.text(), r.thinking.text()
	return r.res
}

// Rest returns, after Close, the pieces that no Write returned.
func (r *Reader) Rest() []Piece { return r.take() }

// run decides as much as the buffer allows.
func (r *Reader) run() {
	for r.pos < len(r.buf) && r.step() {
	}
	r.cost = len(r.buf) - r.pos
}

// step decides something at pos. It reports false when it must wait.
func (r *Reader) step() bool {
	switch r.mode {
	case inThinking:
		return r.thinkStep()
	case inFence:
		return r.fenceStep()
	}
	return r.contentStep()
}

// compact drops decided bytes, all but the last few.
func (r *Reader) compact() {
	if r.pos > 4096 && r.pos > len(r.buf)/2 {
		n := copy(r.buf, r.buf[r.pos-keep:])
		r.buf, r.pos = r.buf[:n], keep
	}
}

// text decides that the next n bytes are content.
func (r *Reader) text(n int) bool {
	r.emit(&r.content, Text, n)
	return true
}

// thoughts decides that the next n bytes are thinking.
func (r *Reader) thoughts(n int) bool {
	r.emit(&r.thinking, Thinking, n)
	return true
}

func (r *Reader) emit(s *sink, k Kind, n int) {
	from := s.b.Len()
	if s.add(r.buf[r.pos : r.pos+n]) {
		r.afterCall = false
		r.piece(k, s, from)
	}
	r.begun, r.plain = true, false
	r.pos += n
}

// drop decides that the next n bytes are markup.
func (r *Reader) drop(n int) bool {
	r.pos += n
	r.begun = true
	return true
}

// piece notes that s grew.
func (r *Reader) piece(k Kind, s *sink, from int) {
	if r.quiet {
		return
	}
	if n := len(r.pieces); n == 0 || r.pieces[n-1].Kind != k {
		r.pieces = append(r.pieces, Piece{Kind: k})
		r.pieceFrom = from
	}
	r.pieces[len(r.pieces)-1].Text = s.text()[r.pieceFrom:]
}

func (r *Reader) take() []Piece {
	p := r.pieces
	r.pieces = nil
	return p
}

// rethink decides that all content so far was thinking.
func (r *Reader) rethink() {
	if !r.content.empty() {
		if !r.quiet {
			r.pieces = append(r.pieces, Piece{Kind: Rethink})
		}
		r.content.move(&r.thinking)
	}
	r.thought, r.otherJSON = true, false
}

// whole shortens end so that no UTF-8 sequence is cut by the end of the buffer.
func (r *Reader) whole(end int) int {
	if end < len(r.buf) || r.final {
		return end
	}
	for i := max(r.pos, end-utf8.UTFMax+1); i < end; i++ {
		if utf8.RuneStart(r.buf[i]) && !utf8.FullRune(r.buf[i:end]) {
			return i
		}
	}
	return end
}

// blankBefore reports whether only blanks stand between the line's start and
// pos.
func (r *Reader) blankBefore() bool {
	for i := r.pos - 1; i >= 0; i-- {
		switch {
		case r.buf[i] == '\n':
			return true
		case r.buf[i] != ' ' && r.buf[i] != '\t' || r.pos-i >= keep/2:
			return false
		}
	}
	return true
}

// before is the byte before pos; a line break at the start.
func (r *Reader) before() byte {
	if r.pos == 0 {
		return '\n'
	}
	return r.buf[r.pos-1]
}

// fresh reports whether no content was read yet.
func (r *Reader) fresh() bool { return r.content.empty() }
