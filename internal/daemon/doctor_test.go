package daemon_test

import (
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// TestDoctorSeesWhatStopsTheHall: on a home where no hall starts the doctor
// names a reason, and what to do about it.
func TestDoctorSeesWhatStopsTheHall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		check string
		harm  func(*testing.T, daemon.Home)
	}{
		"a database of a newer program": {"database", func(t *testing.T, h daemon.Home) {
			hall := open(t, h, config())
			later(t, hall)
			stopped(t, hall)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := apart(t.TempDir())
			c.harm(t, h)
			found := map[string]moothall.Finding{}
			for _, f := range daemon.Doctor(t.Context(), daemon.Examination{Home: h, Config: config(), File: h.ConfigFile(), Env: func(string) string { return "" }}) {
				if f.Status == "fail" {
					found[f.Check] = f
				}
			}
			if f := found[c.check]; f.Detail == "" || f.Remedy == "" {
				t.Errorf("the doctor says of %s: %+v (all that fails: %v)", c.check, f, found)
			}
			hall, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: config()})
			if err == nil {
				stopped(t, hall)
			}
			if err == nil {
				t.Error("a hall starts, so this is no case for the test")
			}
		})
	}
}
