package daemon_test

import (
	"os"
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// TestDoctorSeesWhatStopsTheHall: on a home where no hall starts the doctor
// names a reason, and what to do about it.
func TestDoctorSeesWhatStopsTheHall(t *testing.T) {
	t.Parallel()
	writes := func(file func(daemon.Home) string, text string) func(*testing.T, daemon.Home) {
		return func(t *testing.T, h daemon.Home) { lays(t, map[string]string{file(h): text}) }
	}
	for name, c := range map[string]struct {
		check string
		harm  func(*testing.T, daemon.Home)
	}{
		"a database of a newer program": {"database", func(t *testing.T, h daemon.Home) {
			hall := open(t, h, config())
			later(t, hall)
			stopped(t, hall)
		}},
		"a mistake in the manifest":     {"manifest", writes(daemon.Home.Manifest, "agent_types:\n  generator:\n    allowed_tools: [no_such_tool]\n")},
		"a mistake among personas":      {"personas", writes(daemon.Home.Personas, "personas: 3\n")},
		"a mistake in mcp.json":         {"MCP servers", writes(daemon.Home.MCP, "{")},
		"a state folder that is a file": {"home", writes(func(h daemon.Home) string { return h.State }, "x")},
		"a workspace that is a file":    {"home", writes(daemon.Home.Workspace, "x")},
		"data on a disk that is gone": {"home", func(t *testing.T, h daemon.Home) {
			if err := os.Symlink(filepath.Join(filepath.Dir(h.Data), "gone"), h.Data); err != nil {
				t.Fatal(err)
			}
		}},
		"a cache that is a file": {"home", writes(func(h daemon.Home) string { return h.Cache }, "x")},
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
