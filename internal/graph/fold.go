package graph

import (
	"fmt"

	"moothall"
)

// rank orders the levels of trust; 0 is no level.
func rank(t moothall.Trust) int {
	switch t {
	case moothall.TrustExternal:
		return 1
	case moothall.TrustModel:
		return 2
	case moothall.TrustPerson:
		return 3
	}
	return 0
}

// start is when what a statement says begins.
func (s Statement) start() Instant {
	if s.From == Unknown {
		return s.Observed
	}
	return s.From
}

// ends reports a statement that only says when something was over.
func (s Statement) ends() bool { return s.From == Unknown && s.To != Forever }

// reach is the time in which a statement can touch facts.
func (s Statement) reach() span {
	if s.ends() {
		return span{s.To, s.To + 1}
	}
	return span{s.start(), s.To}
}

// fold adds one statement to the facts of its group that lie in its reach. It
// returns the fact that now carries the statement, and every fact that is new
// or changed, that one included. Nothing is ever taken away: a fact that
// loses all its time is kept without length.
func fold(near []Fact, s Statement) (Fact, []Fact) {
	i := latest(near, s)
	if s.ends() {
		return foldEnd(near, i, s)
	}
	target := newFact(s)
	if i >= 0 {
		target = refresh(near[i], s)
	}
	c := cutter{id: s.ID}
	var over, losers []Fact
	for j, f := range near {
		switch {
		case j == i || !f.span().overlaps(target.span()):
		case f.Object == target.Object:
			// Other levels keep their own; of its own level, a part of the
			// time that is already told stays with the fact that tells it.
			if f.Trust == target.Trust {
				over = append(over, f)
			}
		case beats(f, target):
			over = append(over, f)
		case beats(target, f) || tie(target, f):
			losers = append(losers, f)
		}
	}
	pieces := c.cut(target, without(target.span(), spans(over)))
	changed := pieces
	for _, f := range losers {
		left := without(f.span(), spans(pieces))
		if len(left) == 1 && left[0] == f.span() {
			continue
		}
		changed = append(changed, c.cut(f, left)...)
	}
	return pieces[0], changed
}

// beats reports whether a may cut b: it is newer and at least as trusted.
func beats(a, b Fact) bool { return rank(a.Trust) >= rank(b.Trust) && a.Observed > b.Observed }

// tie reports facts of one moment, of which the one told last wins.
func tie(last, f Fact) bool { return rank(last.Trust) >= rank(f.Trust) && last.Observed == f.Observed }

// foldEnd closes the fact that is over, or notes an end of something whose
// beginning nobody told.
func foldEnd(near []Fact, i int, s Statement) (Fact, []Fact) {
	if i < 0 {
		f := newFact(s)
		f.Start, f.End = s.To, s.To
		return f, []Fact{f}
	}
	f := near[i]
	newer := s.Observed >= f.Observed
	f = credit(f, s)
	if newer {
		f.End = s.To
	}
	return f, []Fact{f}
}

// latest finds the fact that a statement repeats: the same object and trust,
// in its reach, with time left; the last of several.
func latest(near []Fact, s Statement) int {
	found := -1
	for i, f := range near {
		if f.Object != s.Object || f.Trust != s.Trust || !f.span().overlaps(s.reach()) {
			continue
		}
		if found < 0 || f.End > near[found].End {
			found = i
		}
	}
	return found
}

func newFact(s Statement) Fact {
	return Fact{
		ID: s.ID, Subject: s.Subject, Object: s.Object, Relation: s.Relation, From: s.From, Start: s.start(), End: s.To,
		Observed: s.Observed, Source: s.Source, Confidence: s.Confidence, Trust: s.Trust,
	}
}

// refresh is a fact after the same was said again: a told beginning moves it
// back, and the newer of the two says whether it is over.
func refresh(f Fact, s Statement) Fact {
	newer := s.Observed >= f.Observed
	f = credit(f, s)
	if newer {
		f.End = s.To
	}
	if s.From != Unknown && (s.From < f.Start || f.From == Unknown && s.From == f.Start) {
		f.From, f.Start = s.From, s.From
	}
	return f
}

// credit names the better source: the more confident, of equals the first.
func credit(f Fact, s Statement) Fact {
	f.Observed = max(f.Observed, s.Observed)
	if s.Confidence > f.Confidence {
		f.Confidence, f.Source = s.Confidence, s.Source
	}
	return f
}

// cutter divides facts. The pieces after the first get ids that follow from
// the statement's, so that folding again gives the same ones.
type cutter struct {
	id string
	n  int
}

func (c *cutter) cut(f Fact, left []span) []Fact {
	if len(left) == 0 {
		f.End = f.Start
		return []Fact{f}
	}
	out := make([]Fact, len(left))
	for i, l := range left {
		p := f
		if i > 0 {
			c.n++
			p.ID = fmt.Sprintf("%s.%d", c.id, c.n)
		}
		if l.start != f.Start {
			p.From = l.start
		}
		p.Start, p.End = l.start, l.end
		out[i] = p
	}
	return out
}

func spans(facts []Fact) []span {
	out := make([]span, len(facts))
	for i, f := range facts {
		out[i] = f.span()
	}
	return out
}
