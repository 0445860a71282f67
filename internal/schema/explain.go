package schema

import (
	"encoding/json"
	"strings"
)

// Explain is [Check] in one line for a person who gave the value: places are
// named from the value down, not as parts of an answer. It is empty when the
// value fits.
func Explain(want, value json.RawMessage) string {
	problems := Check(want, value)
	for i, p := range problems {
		for _, root := range []string{root + ".", root + ": ", root} {
			if rest, ok := strings.CutPrefix(p, root); ok {
				problems[i] = rest
				break
			}
		}
	}
	return strings.Join(problems, "; ")
}
