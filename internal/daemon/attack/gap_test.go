package attack_test

import (
	"strings"
	"testing"
)

// TestGaps plays the cases that are known to succeed. When one fails to, the
// gap is closed: its case then belongs to the attacks, whose test keeps it
// closed.
func TestGaps(t *testing.T) {
	t.Parallel()
	for name, cases := range byHall(readAttacks(t, "gaps.json")) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gaps(t, cases)
		})
	}
}

func gaps(t *testing.T, cases []attack) {
	w := newWorld(t, settings{tools: descriptions(cases)})
	for _, a := range cases {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			tr := w.newTrial(t)
			tr.prepare(t, a, []string{a.Says})
			o := tr.ask(t, strings.ReplaceAll(a.Ask, "{token}", tr.token), "")
			found := tr.effects(o)
			if len(found) == 0 {
				t.Errorf("this no longer succeeds; move it to attacks.json (%s)", o.status())
			}
			for _, e := range found {
				t.Logf("%s %s", a.Why, e)
			}
		})
	}
}
