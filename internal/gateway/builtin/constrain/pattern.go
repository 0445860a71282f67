package constrain

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Bounds on patterns; those beyond are ignored.
const (
	maxProgram = 2000
	maxStates  = 4096
)

// pattern follows a regular expression character by character. A text matches
// when the expression is found anywhere in it, as JSON schema says.
type pattern struct {
	prog   *syntax.Prog
	reach  []lengths // by instruction: how many more characters can lead to a match
	states map[string]*matching
	start  *matching
}

// lengths is a set of counts; the last bit stands for itself and all above.
type lengths uint64

const topLength = 63

// within reports whether a count from low to high is in the set; high may be
// none.
func (l lengths) within(low, high int) bool {
	if high != none && high < low {
		return false
	}
	low = min(max(low, 0), topLength)
	l >>= low
	if high == none || high >= topLength {
		return l != 0
	}
	return l&(1<<(high-low+1)-1) != 0
}

// plus is the set with one more character.
func (l lengths) plus() lengths { return l<<1 | l&(1<<topLength) }

// matching is a state: the instructions that wait for a character.
type matching struct {
	id    int
	waits []uint32
	ends  bool    // the text may end here
	free  bool    // it was found: anything may follow
	reach lengths // how many more characters can lead to a match
	next  map[rune]*matching
}

// newPattern reads an expression, nil when it is of a kind that is ignored.
func newPattern(expr string) *pattern {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > maxProgram {
		return nil
	}
	for _, in := range prog.Inst {
		if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return nil
		}
	}
	p := &pattern{prog: prog, states: map[string]*matching{}}
	p.measure()
	p.start = p.state([]uint32{uint32(prog.Start)}, true)
	return p
}

// measure computes reach to its fixed point. What needs the beginning of the
// text leads nowhere: at the beginning it is passed at once.
func (p *pattern) measure() {
	p.reach = make([]lengths, len(p.prog.Inst))
	for changed := true; changed; {
		changed = false
		for i := range p.prog.Inst {
			if l := p.reach[i] | p.one(i); l != p.reach[i] {
				p.reach[i], changed = l, true
			}
		}
	}
}

func (p *pattern) one(i int) lengths {
	in := &p.prog.Inst[i]
	switch in.Op {
	case syntax.InstMatch:
		return ^lengths(0)
	case syntax.InstAlt, syntax.InstAltMatch:
		return p.reach[in.Out] | p.reach[in.Arg]
	case syntax.InstCapture, syntax.InstNop:
		return p.reach[in.Out]
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(in.Arg)&syntax.EmptyBeginText != 0 {
			return 0
		}
		return p.reach[in.Out] & 1
	case syntax.InstFail:
		return 0
	}
	if !p.hits(uint32(i), 0x20, unicode.MaxRune) && !slices.ContainsFunc(escaped, in.MatchRune) {
		return 0
	}
	return p.reach[in.Out].plus()
}

// closure collects what waits for a character after pcs.
type closure struct {
	p     *pattern
	begin bool
	seen  map[uint64]bool
	out   matching
}

func (c *closure) add(pc uint32, atEnd bool) {
	key := uint64(pc) << 1
	if atEnd {
		key |= 1
	}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	in := &c.p.prog.Inst[pc]
	switch in.Op {
	case syntax.InstMatch:
		c.out.ends = true
		c.out.free = c.out.free || !atEnd
	case syntax.InstAlt, syntax.InstAltMatch:
		c.add(in.Out, atEnd)
		c.add(in.Arg, atEnd)
	case syntax.InstCapture, syntax.InstNop:
		c.add(in.Out, atEnd)
	case syntax.InstEmptyWidth:
		op := syntax.EmptyOp(in.Arg)
		if op&syntax.EmptyBeginText != 0 && !c.begin {
			return
		}
		c.add(in.Out, atEnd || op&syntax.EmptyEndText != 0)
	case syntax.InstFail:
	default:
		if !atEnd {
			c.out.waits = append(c.out.waits, pc)
			c.out.reach |= c.p.reach[pc]
		}
	}
}

// state is the one after pcs were reached, with a new search begun at every
// place. It is nil when no match can come any more.
func (p *pattern) state(pcs []uint32, begin bool) *matching {
	c := closure{p: p, begin: begin, seen: map[uint64]bool{}}
	for _, pc := range pcs {
		c.add(pc, false)
	}
	c.add(uint32(p.prog.Start), false)
	s := &c.out
	if s.ends {
		s.reach |= 1
	}
	if later := p.reach[p.prog.Start]; later != 0 { // skip any number of characters, then match
		s.reach |= -(later & -later)
	}
	if s.reach == 0 {
		return nil
	}
	slices.Sort(s.waits)
	key := make([]byte, 0, 4*len(s.waits)+1)
	key = append(key, flag(s.ends)|flag(s.free)<<1)
	for _, pc := range s.waits {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	if known := p.states[string(key)]; known != nil {
		return known
	}
	s.id, s.next = len(p.states), map[rune]*matching{}
	s.free = s.free || len(p.states) >= maxStates // too many to follow: looser
	p.states[string(key)] = s
	return s
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// step is the state after one more character.
func (p *pattern) step(s *matching, r rune) *matching {
	if next, known := s.next[r]; known {
		return next
	}
	var out []uint32
	for _, pc := range s.waits {
		if in := &p.prog.Inst[pc]; in.MatchRune(r) {
			out = append(out, in.Out)
		}
	}
	next := p.state(out, false)
	if len(s.next) < maxStates {
		s.next[r] = next
	}
	return next
}

// some reports whether a character from low to high leads on to a match with as
// many more characters as the bounds allow.
func (p *pattern) some(s *matching, low, high rune, least, most int) bool {
	later := p.reach[p.prog.Start]
	if later != 0 && (-(later & -later)).within(least, most) {
		return true
	}
	for _, pc := range s.waits {
		if p.hits(pc, low, high) && p.after(pc).within(least, most) {
			return true
		}
	}
	return false
}

// after is how many characters can follow the one that an instruction takes.
func (p *pattern) after(pc uint32) lengths {
	c := closure{p: p, seen: map[uint64]bool{}}
	c.add(p.prog.Inst[pc].Out, false)
	if c.out.free {
		return ^lengths(0)
	}
	return c.out.reach | lengths(flag(c.out.ends))
}

// hits reports whether an instruction takes a character from low to high.
func (p *pattern) hits(pc uint32, low, high rune) bool {
	in := &p.prog.Inst[pc]
	overlap := func(a, b rune) bool { return a <= high && b >= low }
	switch in.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return low != high || in.MatchRune(low)
	case syntax.InstRune, syntax.InstRune1:
	default:
		return false
	}
	if len(in.Rune) == 1 {
		if overlap(in.Rune[0], in.Rune[0]) {
			return true
		}
		fold := syntax.Flags(in.Arg)&syntax.FoldCase != 0
		for r := unicode.SimpleFold(in.Rune[0]); fold && r != in.Rune[0]; r = unicode.SimpleFold(r) {
			if overlap(r, r) {
				return true
			}
		}
		return false
	}
	for i := 0; i+1 < len(in.Rune); i += 2 {
		if overlap(in.Rune[i], in.Rune[i+1]) && (in.Rune[i] < 0xD800 || in.Rune[i+1] > 0xDFFF || in.Rune[i] < utf8.RuneSelf) {
			return true
		}
	}
	return false
}
