package daemon

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/policy"
)

// manifestYAML is manifest.yaml: rows given there replace those of the same
// name in the manifest that the program brings.
type manifestYAML struct {
	Types  map[string]manifestType `yaml:"agent_types" doc:"What agents of each type may do. A type given here replaces the one of that name that the program brings."`
	Limits manifestLimits          `yaml:"limits" doc:"Limits that nothing lifts; 0 means the default."`
}

type manifestType struct {
	Tools    []string            `yaml:"allowed_tools" doc:"The tools that it may call."`
	Delegate []string            `yaml:"delegates" doc:"Tools that it may not call but agents below it may."`
	Spawns   []string            `yaml:"can_spawn" doc:"The types of agents that it may start."`
	Paths    map[string][]string `yaml:"allowed_paths" doc:"Folders, for fs_read, for fs_write, or for one tool; ~/ is your home, {workspace}/ the hall's own folder for agents."`
	Inherit  *bool               `yaml:"inherit_constraints" doc:"An agent never has more than who started it. This can be said, and not be unsaid."`
}

// Validate refuses the one thing that cannot be had.
func (t manifestType) Validate(report conf.Report) {
	if t.Inherit != nil && !*t.Inherit {
		report("inherit_constraints", "an agent always inherits the limits of who started it", "true")
	}
}

type manifestLimits struct {
	Depth        int `yaml:"depth" doc:"How deep agents may start agents; 4 by default." min:"0" max:"16"`
	Repeats      int `yaml:"repeats" doc:"How often the same call may be made within the window; 3 by default." min:"0" max:"1000"`
	RepeatWindow int `yaml:"repeat_window" doc:"How many of the last calls the window holds; 20 by default." min:"0" max:"10000"`
	Calls        int `yaml:"calls" doc:"Tool calls of one task or turn; 200 by default." min:"0"`
	Spawns       int `yaml:"spawns" doc:"Agents that one task may start, those taken on again after a restart included; 200 by default." min:"0"`
}

func names[T, S ~string](list []S) []T {
	out := make([]T, len(list))
	for i, s := range list {
		out[i] = T(s)
	}
	return out
}

func (f manifestYAML) manifest() policy.Manifest {
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{}, Limits: policy.Limits{
		Depth: f.Limits.Depth, Repeats: f.Limits.Repeats, RepeatWindow: f.Limits.RepeatWindow, Calls: f.Limits.Calls, Spawns: f.Limits.Spawns,
	}}
	for name, t := range f.Types {
		row := policy.Type{
			Allowed: names[moothall.ToolName](t.Tools), Delegates: names[moothall.ToolName](t.Delegate),
			Spawns: names[moothall.AgentType](t.Spawns), Paths: map[moothall.ToolName][]string{},
		}
		for tool, list := range t.Paths {
			row.Paths[moothall.ToolName(tool)] = list
		}
		m.Types[moothall.AgentType(name)] = row
	}
	return m
}

// ShowManifest writes the manifest in force as YAML that can stand in
// manifest.yaml: a row that is to be another is best made from the one that is.
func ShowManifest(w io.Writer, h Home) error {
	m, err := mergedManifest(conf.Sources{File: h.Manifest()})
	if err != nil {
		return err
	}
	return conf.Show(w, manifestText(m), nil, false)
}

// manifestText is a manifest as manifest.yaml has it.
func manifestText(m policy.Manifest) manifestYAML {
	l := m.Limits
	f := manifestYAML{
		Types:  map[string]manifestType{},
		Limits: manifestLimits{Depth: l.Depth, Repeats: l.Repeats, RepeatWindow: l.RepeatWindow, Calls: l.Calls, Spawns: l.Spawns},
	}
	always := true
	for name, t := range m.Types {
		row := manifestType{
			Tools: names[string](t.Allowed), Delegate: names[string](t.Delegates), Spawns: names[string](t.Spawns), Paths: map[string][]string{}, Inherit: &always,
		}
		for tool, list := range t.Paths {
			row.Paths[string(tool)] = list
		}
		f.Types[string(name)] = row
	}
	return f
}

// mergedManifest is what the person wrote over what the program brings.
func mergedManifest(from conf.Sources) (policy.Manifest, error) {
	var f manifestYAML
	if _, err := conf.Load(&f, from); err != nil {
		return policy.Manifest{}, err
	}
	return policy.DefaultManifest().Merge(f.manifest()), nil
}

// loadManifest reads the person's manifest over the one that the program
// brings, and makes its folders absolute. Those that exist are followed to
// where they really are, since the broker opens them by that name.
//
// Folders is for tools whose folders the configuration names: who may use
// such a tool may use it there.
func loadManifest(h Home, folders map[moothall.ToolName][]string) (policy.Manifest, error) {
	return readManifest(conf.Sources{File: h.Manifest()}, h, folders)
}

// readManifest is loadManifest of a text from elsewhere.
func readManifest(from conf.Sources, h Home, folders map[moothall.ToolName][]string) (policy.Manifest, error) {
	merged, err := mergedManifest(from)
	if err != nil {
		return policy.Manifest{}, err
	}
	user := h.User
	if user == "" { // a service without a home: its folders are there for nobody
		user = filepath.Join(h.Data, "nobody")
	}
	m := merged.Expand(user, h.Workspace())
	for name, t := range m.Types {
		for tool, list := range folders {
			if _, own := t.Paths[tool]; !own && slices.Contains(t.Allowed, tool) {
				if t.Paths == nil {
					t.Paths = map[moothall.ToolName][]string{}
				}
				t.Paths[tool] = slices.Clone(list)
				m.Types[name] = t
			}
		}
		for _, list := range t.Paths {
			for i, p := range list {
				if real, err := filepath.EvalSymlinks(p); err == nil {
					list[i] = real
				}
			}
		}
	}
	return m, nil
}

// checkManifest reports what is wrong with a manifest: mistakes as one error
// that names them all, the rest to warn.
func checkManifest(file string, m policy.Manifest, tools []moothall.ToolSpec, warn func(policy.Problem)) error {
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	text, n := "", 0
	remedy := ""
	for _, p := range m.Check(tools, exists) {
		if p.Warning {
			warn(p)
			continue
		}
		n++
		text += fmt.Sprintf("\n%s: %s: %s", file, p.Where, p.Message)
		if remedy == "" {
			remedy = p.Remedy
		}
	}
	if n == 0 {
		return nil
	}
	return &moothall.Error{Code: moothall.CodeInvalid, Op: "manifest", Message: fmt.Sprintf("%d mistakes%s", n, text), Remedy: remedy}
}

// ManifestSchema is the JSON schema of manifest.yaml.
func ManifestSchema() []byte { return conf.Schema(manifestYAML{}, "Moothall manifest") }
