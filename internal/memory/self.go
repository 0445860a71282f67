package memory

import (
	"slices"
	"strings"

	"moothall/internal/memory/passage"
)

// selves are the words by which models, and people who ask the graph, mean the
// person who talks.
var selves = map[string]bool{
	"i": true, "me": true, "myself": true, "we": true, "user": true, "the user": true, "person": true, "the person": true, "the speaker": true, "human": true, "the human": true,
}

// self gives the person who talks one name, whichever model read the turn. It is
// for who a fact is about: what is said of Ana may be that she is a person.
func self(name string) string {
	if selves[strings.ToLower(strings.TrimSpace(name))] {
		return passage.Speaker
	}
	return name
}

// withSelf adds the person's name in the graph to names that mean the person.
func withSelf(names []string) []string {
	out := slices.Clone(names)
	for _, n := range names {
		if s := self(n); s != n && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
