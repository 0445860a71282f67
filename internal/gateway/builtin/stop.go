package builtin

import "strings"

// stopper cuts text before the first of the stop strings.
type stopper struct {
	stops []string
	held  string // may be the beginning of one
}

// add returns what is certain, and whether a stop string came.
func (s *stopper) add(text string) (string, bool) {
	all := s.held + text
	first := -1
	for _, stop := range s.stops {
		if i := strings.Index(all, stop); stop != "" && i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first >= 0 {
		s.held = ""
		return all[:first], true
	}
	n := 0
	for _, stop := range s.stops {
		for k := min(len(stop)-1, len(all)); k > n; k-- {
			if strings.HasSuffix(all, stop[:k]) {
				n = k
			}
		}
	}
	s.held = all[len(all)-n:]
	return all[:len(all)-n], false
}

// rest is what was held back when nothing more comes.
func (s *stopper) rest() string {
	out := s.held
	s.held = ""
	return out
}
