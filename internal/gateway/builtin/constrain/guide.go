package constrain

import (
	"moothall"
	"moothall/internal/gateway/builtin/prompt"
)

// Options say what a generation may hold.
type Options struct {
	Think  bool     // begin with a thought; otherwise the prompt has an empty one
	Tokens int      // of the thought at most; 0 means DefaultThought
	Calls  *Grammar // nil: no tools
	Source *Source  // what calls copy from; nil: from nothing
	Facts  *Facts   // what a plain answer is held to; nil: to nothing
	Answer *Grammar // nil: plain text
}

// Bounds on a generation.
const (
	DefaultThought = 256 // tokens: more than the longest that training shows
	maxCalls       = 8   // in one message
)

// Place is where a generation stands.
type Place uint8

// The places, in their order.
const (
	Opening  Place = iota // before the thought
	Thought               // inside it
	Break                 // after it, before the line break
	Choosing              // before the first token of the answer
	Text                  // inside a plain answer
	JSON                  // inside an answer with a schema
	Call                  // inside a call
	Called                // after a call
	Another               // after the line break that follows a call
	Ended
)

// Guide follows a generation token by token.
type Guide struct {
	o       Options
	v       *Vocab
	place   Place
	state   State // of JSON and Call
	tokens  int   // of the thought
	calls   int
	closing bool  // the thought is to end
	fact    *fact // of a plain answer that is held to facts
	scratch Mask
}

// NewGuide stands where the prompt ends.
func NewGuide(v *Vocab, o Options) *Guide {
	if o.Tokens <= 0 {
		o.Tokens = DefaultThought
	}
	g := &Guide{o: o, v: v, place: Choosing, scratch: v.empty()}
	if o.Think {
		g.place = Opening
	}
	if o.Facts != nil {
		g.fact = o.Facts.begin
	}
	return g
}

// Place is where the generation stands.
func (g *Guide) Place() Place { return g.place }

// Ended reports whether the message is complete.
func (g *Guide) Ended() bool { return g.place == Ended }

// Facts reports whether what comes now is held to facts.
func (g *Guide) Facts() bool { return g.fact != nil && (g.place == Choosing || g.place == Text) }

// Only lets the calls that come be of this grammar.
func (g *Guide) Only(calls *Grammar) { g.o.Calls = calls }

// Close makes the thought end with the next token.
func (g *Guide) Close() { g.closing = true }

// Forced returns the token that must come now, where only one can and no mask
// is needed to see it.
func (g *Guide) Forced() (int32, bool) {
	switch {
	case g.place == Opening:
		return int32(prompt.ThinkOpen), true
	case g.place == Thought && (g.closing || g.tokens >= g.o.Tokens):
		return int32(prompt.ThinkClose), true
	case g.place == Break:
		return g.v.newline, true
	case g.place == Another:
		return int32(prompt.CallOpen), true
	case g.place == Called && (g.calls >= maxCalls || g.v.newline < 0):
		return int32(prompt.End), true
	}
	return 0, false
}

// Mask says which tokens may come now. It is valid until the next call.
func (g *Guide) Mask() Mask {
	clear(g.scratch)
	m := g.scratch
	if id, ok := g.Forced(); ok {
		m.set(id)
		return m
	}
	switch g.place {
	case Thought:
		copy(m, g.v.text)
		m.set(int32(prompt.ThinkClose))
	case Choosing, Text:
		g.answer(m)
	case JSON:
		copy(m, g.state.Mask())
		if g.state.Done() {
			m.set(int32(prompt.End))
		}
	case Call:
		copy(m, g.state.Mask())
		if g.state.Done() {
			m.set(int32(prompt.CallClose))
		}
	case Called:
		m.set(int32(prompt.End))
		m.set(g.v.newline)
	}
	return m
}

// Preferred says which tokens go on copying what was said, where a call takes
// something up; nil elsewhere. It is not to be changed.
func (g *Guide) Preferred() Mask {
	if g.place != Call || g.o.Source == nil {
		return nil
	}
	return g.state.Preferred()
}

// answer is for the start and the inside of an answer. An empty one is of no
// use to anybody: the end needs something before it.
func (g *Guide) answer(m Mask) {
	if g.o.Answer != nil {
		copy(m, g.o.Answer.Start().Mask())
	} else if g.fact != nil {
		copy(m, g.fact.mask(g.v))
	} else {
		copy(m, g.v.text)
	}
	if g.o.Calls != nil && g.whole() {
		m.set(int32(prompt.CallOpen))
	}
	if g.place == Text && g.whole() {
		m.set(int32(prompt.End))
	}
}

// Add takes the token that was chosen. One that the mask does not have is
// CodeInternal.
func (g *Guide) Add(id int32) error {
	ok := id >= 0 && int(id) < g.v.size
	if ok && id < int32(prompt.Specials) {
		ok = g.special(prompt.Special(id))
	} else if ok {
		ok = g.token(id)
	}
	if !ok {
		return moothall.Fail(moothall.CodeInternal, "follow grammar", "a token came that cannot stand there")
	}
	return nil
}

func (g *Guide) special(s prompt.Special) bool {
	switch {
	case s == prompt.ThinkOpen && g.place == Opening:
		g.place = Thought
	case s == prompt.ThinkClose && g.place == Thought:
		if g.place = Break; g.v.newline < 0 {
			g.place = Choosing
		}
	case s == prompt.CallOpen && g.o.Calls != nil && g.whole() && (g.place == Choosing || g.place == Text || g.place == Another):
		g.place, g.state = Call, g.o.Calls.From(g.o.Source)
	case s == prompt.CallClose && g.place == Call && g.state.Done():
		g.place = Called
		g.calls++
	case s == prompt.End && (g.place == Text && g.whole() || g.place == Called || g.place == JSON && g.state.Done()):
		g.place = Ended
	default:
		return false
	}
	return true
}

func (g *Guide) token(id int32) bool {
	if !g.v.text.Has(id) {
		return false
	}
	switch g.place {
	case Thought:
		g.tokens++
	case Break:
		g.place = Choosing
		return id == g.v.newline
	case Called:
		g.place = Another
		return id == g.v.newline
	case Choosing:
		if g.o.Answer == nil {
			g.place = Text
			return g.prose(id)
		}
		g.place, g.state = JSON, g.o.Answer.Start()
		return g.bytes(id)
	case Text:
		return g.prose(id)
	case JSON, Call:
		return g.bytes(id)
	default:
		return false
	}
	return true
}

// whole reports whether a plain answer may end here: not inside a name.
func (g *Guide) whole() bool { return g.fact == nil || g.fact.ends() }

// prose takes a token of a plain answer.
func (g *Guide) prose(id int32) bool {
	if g.fact == nil {
		return true
	}
	g.fact = g.fact.next(g.v.piece(id))
	return g.fact != nil
}

func (g *Guide) bytes(id int32) bool {
	next, ok := g.state.Next(g.v.piece(id))
	if ok {
		g.state = next
	}
	return ok
}

// Shut returns the token that brings JSON nearest to its end, for a model that
// goes in circles. False where none of the closing marks can stand.
func (g *Guide) Shut() (int32, bool) {
	if g.place != JSON && g.place != Call {
		return 0, false
	}
	if g.state.Done() {
		if g.place == JSON {
			return int32(prompt.End), true
		}
		return int32(prompt.CallClose), true
	}
	marks := "}]"
	if g.state.InText() {
		marks = `"`
	}
	m := g.state.Mask()
	for i := range len(marks) {
		if id := g.v.single[marks[i]]; id >= 0 && m.Has(id) {
			return id, true
		}
	}
	return 0, false
}
