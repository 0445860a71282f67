package graph

// span is a stretch of time with its start and without its end.
type span struct{ start, end Instant }

func (s span) empty() bool { return s.start >= s.end }

func (s span) overlaps(o span) bool {
	return !s.empty() && !o.empty() && s.start < o.end && o.start < s.end
}

// minus returns what is left of s without o, in order of time.
func (s span) minus(o span) []span {
	if !s.overlaps(o) {
		return []span{s}
	}
	var left []span
	if s.start < o.start {
		left = append(left, span{s.start, o.start})
	}
	if o.end < s.end {
		left = append(left, span{o.end, s.end})
	}
	return left
}

// without takes several spans off one.
func without(s span, off []span) []span {
	left := []span{s}
	for _, o := range off {
		var next []span
		for _, l := range left {
			next = append(next, l.minus(o)...)
		}
		left = next
	}
	return left
}

func (f Fact) span() span { return span{f.Start, f.End} }
