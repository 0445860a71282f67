package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
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
		"damaged choices of models":            {"choices", writes(daemon.Home.Models, "{")},
		"damaged pins of tools":                {"choices", writes(daemon.Home.Pins, `{"version":9}`)},
		"a file where its socket goes":         {"home", writes(daemon.Home.Socket, "x")},
		"a folder for choices of models":       {"choices", func(t *testing.T, h daemon.Home) { lays(t, map[string]string{filepath.Join(h.Models(), "x"): ""}) }},
		"a folder for pins of tools":           {"choices", func(t *testing.T, h daemon.Home) { lays(t, map[string]string{filepath.Join(h.Pins(), "x"): ""}) }},
		"pins with something behind":           {"choices", writes(daemon.Home.Pins, `{"version":1,"pins":{}}{"version":1}`)},
		"a file where cards of models go":      {"home", writes(func(h daemon.Home) string { return filepath.Join(h.Cache, "cards") }, "x")},
		"a file where the memory's index goes": {"home", writes(func(h daemon.Home) string { return filepath.Join(h.Cache, "memory") }, "x")},
		"a file where events go":               {"home", writes(daemon.Home.Bus, "x")},
		"a cache that is a file":               {"home", writes(func(h daemon.Home) string { return h.Cache }, "x")},
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
				err = hall.Serve(t.Context())
				stopped(t, hall)
			}
			if err == nil {
				t.Error("a hall starts, so this is no case for the test")
			}
			if moothall.ErrorRemedy(err) == "" && c.check != "MCP servers" { // of that one it names the line
				t.Errorf("the hall does not say what to do: %v", err)
			}
		})
	}
}

// TestDoctorNamesEachDamage: what is wrong with two files is two findings, each
// with what to do about it, also where a hall still runs that has read them.
func TestDoctorNamesEachDamage(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	lays(t, map[string]string{h.Models(): "{", h.Pins(): "{"})
	for who, found := range map[string][]moothall.Finding{
		"alone":    daemon.Doctor(t.Context(), daemon.Examination{Home: h, Config: config(), Env: func(string) string { return "" }}),
		"the hall": fetched[[]moothall.Finding](t, hall.URL()+"/doctor"),
	} {
		var remedies []string
		for _, f := range found {
			if f.Check == "choices" && f.Status == "fail" {
				remedies = append(remedies, f.Remedy)
			}
		}
		if len(remedies) != 2 || !strings.Contains(remedies[0], "moothall model use") || !strings.Contains(remedies[1], "approve the tools again") {
			t.Errorf("%s: %q", who, remedies)
		}
	}
}

// TestDoctorNamesTheDamage: of a record that does not verify the doctor names what is
// wrong with it, not what is only worth a look.
func TestDoctorNamesTheDamage(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	stopped(t, open(t, h, config()))
	log := filepath.Join(h.Audit(), "log")
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lays(t, map[string]string{log: strings.Replace(string(b), "hall.start", "hall.spart", 1)})
	if err := os.Chmod(filepath.Join(h.Audit(), "key"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, f := range daemon.Doctor(t.Context(), daemon.Examination{Home: h, Config: config(), Env: func(string) string { return "" }}) {
		if f.Check == "record" && (f.Status != "fail" || !strings.Contains(f.Detail, "entry 1 ")) {
			t.Errorf("the doctor says of a changed entry 1: %+v", f)
		}
	}
}
