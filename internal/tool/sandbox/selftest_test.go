package sandbox_test

import (
	"slices"
	"testing"

	"moothall/internal/tool/sandbox"
)

func TestSelfTestHolds(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		r, err := s.SelfTest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range r.Probes {
			names = append(names, p.Name)
			t.Logf("%-24s held=%v %s", p.Name, p.Held, p.Detail)
			if !p.Held {
				t.Errorf("%s: %s", p.Name, p.Detail)
			}
		}
		if !slices.Equal(names, sandbox.Probes()) {
			t.Errorf("tried %q, want %q", names, sandbox.Probes())
		}
	})
}
