package moothall

import "strings"

// Label is a set of facts about what a run has touched. Labels only grow
// within a run, pass to children and back with their results, and survive a
// restart.
type Label uint8

// The labels.
const (
	// Untrusted: content from outside is in the context.
	Untrusted Label = 1 << iota
	// Private: the person's own data is in the context.
	Private
)

// Has reports whether every label in m is set.
func (l Label) Has(m Label) bool { return l&m == m }

// String lists the labels, comma separated.
func (l Label) String() string {
	var s []string
	if l.Has(Untrusted) {
		s = append(s, "untrusted")
	}
	if l.Has(Private) {
		s = append(s, "private")
	}
	return strings.Join(s, ",")
}

// ParseLabel is the inverse of [Label.String].
func ParseLabel(s string) (Label, error) {
	var l Label
	if s == "" {
		return 0, nil
	}
	for w := range strings.SplitSeq(s, ",") {
		switch w {
		case "untrusted":
			l |= Untrusted
		case "private":
			l |= Private
		default:
			return 0, Fail(CodeInvalid, "label", "unknown label "+w)
		}
	}
	return l, nil
}

// MarshalText writes the label as in [Label.String].
func (l Label) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (l *Label) UnmarshalText(b []byte) error {
	v, err := ParseLabel(string(b))
	*l = v
	return err
}
