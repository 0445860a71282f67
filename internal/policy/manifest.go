package policy

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// The keys of [Type.Paths] that hold for every tool, by what the tool does to
// the file.
const (
	ReadPaths  moothall.ToolName = "fs_read"
	WritePaths moothall.ToolName = "fs_write"
)

// Manifest is the person's table of agent types. It is never shown to a
// model.
type Manifest struct {
	Types  map[moothall.AgentType]Type
	Limits Limits
}

// Type is one row of the manifest.
type Type struct {
	// Allowed is what an agent of this type may call itself.
	Allowed []moothall.ToolName
	// Delegates is what its descendants may at most have besides Allowed:
	// authority to hand down, not permission to call.
	Delegates []moothall.ToolName
	// Spawns is which types it may start.
	Spawns []moothall.AgentType
	// Paths are the folders it may use. The keys are [ReadPaths] and
	// [WritePaths], or the name of one tool, whose list then replaces both
	// for that tool. Folders are absolute, cleaned and resolved.
	Paths map[moothall.ToolName][]string
}

// Limits are hard: no override lifts them. Zero or less means the default.
type Limits struct {
	Depth        int // spawns between a root and the deepest agent; 4
	Repeats      int // identical calls within the window; 3
	RepeatWindow int // how many of the task's last calls the window holds; 20
	Calls        int // tool calls of one task; 200
	Spawns       int // agents spawned by one task; 200
}

// defaultLimits are those of a manifest that names none.
func defaultLimits() Limits {
	return Limits{Depth: 4, Repeats: 3, RepeatWindow: 20, Calls: 200, Spawns: 200}
}

// over returns l with every limit that o names replaced.
func (l Limits) over(o Limits) Limits {
	pick := func(was, is int) int {
		if is > 0 {
			return is
		}
		return was
	}
	return Limits{
		Depth: pick(l.Depth, o.Depth), Repeats: pick(l.Repeats, o.Repeats),
		RepeatWindow: pick(l.RepeatWindow, o.RepeatWindow),
		Calls:        pick(l.Calls, o.Calls), Spawns: pick(l.Spawns, o.Spawns),
	}
}

// Merge returns m extended by over: a row given there replaces the row of
// that name whole, a limit given there replaces that limit. Neither manifest
// is changed.
func (m Manifest) Merge(over Manifest) Manifest {
	types := make(map[moothall.AgentType]Type, len(m.Types)+len(over.Types))
	maps.Copy(types, m.Types)
	maps.Copy(types, over.Types)
	return Manifest{Types: types, Limits: m.Limits.over(over.Limits)}
}

// Expand returns m with paths that begin with "~/" or "{workspace}/" made
// absolute, and all of them cleaned. A path whose folder is not known ("")
// stays as it is: Check calls it an error and Compile leaves it out.
func (m Manifest) Expand(home, workspace string) Manifest {
	types := make(map[moothall.AgentType]Type, len(m.Types))
	for name, t := range m.Types {
		paths := make(map[moothall.ToolName][]string, len(t.Paths))
		for key, list := range t.Paths {
			full := slices.Clone(list)
			for i, p := range full {
				full[i] = expand(p, home, workspace)
			}
			paths[key] = full
		}
		t.Paths = paths
		types[name] = t
	}
	return Manifest{Types: types, Limits: m.Limits}
}

func expand(p, home, workspace string) string {
	for _, place := range []struct{ word, folder string }{{"~", home}, {"{workspace}", workspace}} {
		rest, found := strings.CutPrefix(p, place.word)
		if !found || rest != "" && rest[0] != filepath.Separator {
			continue
		}
		if place.folder == "" {
			return p
		}
		return filepath.Join(place.folder, rest)
	}
	if p == "" {
		return p // Clean would make it ".", which reads like a choice
	}
	return filepath.Clean(p)
}
