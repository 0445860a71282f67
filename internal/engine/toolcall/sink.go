package toolcall

import "strings"

// sink collects the content or the thinking. White space at the start is
// dropped and white space at the end is held back until something follows,
// so that what was given out is a prefix of the result at all times.
type sink struct {
	b    strings.Builder
	held []byte
}

// add appends text, and reports whether any of it can be given out.
func (s *sink) add(b []byte) bool {
	if s.b.Len() == 0 {
		for len(b) > 0 && isSpace(b[0]) {
			b = b[1:]
		}
	}
	end := len(b)
	for end > 0 && isSpace(b[end-1]) {
		end--
	}
	if end == 0 {
		s.held = append(s.held, b...)
		return false
	}
	s.b.Write(s.held)
	s.b.Write(b[:end])
	s.held = append(s.held[:0], b[end:]...)
	return true
}

func (s *sink) text() string { return s.b.String() }

func (s *sink) empty() bool { return s.b.Len() == 0 }

// move gives everything to another sink.
func (s *sink) move(to *sink) {
	to.add([]byte(s.text()))
	to.add(s.held)
	*s = sink{}
}
