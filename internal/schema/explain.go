package schema

import (
	"encoding/json"
	"strings"
)

// Explain is [Check] in one line for a person who gave the value: places are
// named from the value down, not as parts of an answer. It is empty when the
// value fits.
func Explain(want, value json.RawMessage) string {
	return strings.Join(FromValue(Check(want, value)), "; ")
}

// FromValue names the places of problems that [Check] or [Fit] found from the
// value down, where it is nobody's answer. It changes the list.
func FromValue(problems []string) []string {
	for i, p := range problems {
		for _, root := range []string{root + ".", root + ": ", root} {
			if rest, ok := strings.CutPrefix(p, root); ok {
				problems[i] = rest
				break
			}
		}
	}
	return problems
}
