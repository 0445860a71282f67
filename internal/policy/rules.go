package policy

import (
	"maps"
	"slices"

	"moothall"
)

// Rules is a compiled manifest. It never changes and is safe for concurrent
// use.
type Rules struct {
	limits  Limits
	names   []moothall.ToolName       // by number
	numbers map[moothall.ToolName]int // names and aliases
	known   set                       // registered when compiled
	types   map[moothall.AgentType]*row
	listed  map[moothall.ToolName]int // tools that some type has an own path list for, by place
}

// row is one compiled agent type.
type row struct {
	name    moothall.AgentType
	allowed set // may call
	ceiling set // may call or hand down
	spawns  map[moothall.AgentType]bool
	slots   []folders // see slot
}

// Path lists stand in slots: reading, writing, and then both again for each
// tool that has a list of its own somewhere in the manifest.
const (
	readSlot  = 0
	writeSlot = 1
)

// Compile prepares a manifest for deciding. Tools is what is registered now;
// names in the manifest may be aliases of theirs. What Check would call an
// error is left out, never guessed at.
func Compile(m Manifest, tools []moothall.ToolSpec) *Rules {
	r := &Rules{
		limits:  defaultLimits().over(m.Limits),
		numbers: make(map[moothall.ToolName]int, len(tools)),
		types:   make(map[moothall.AgentType]*row, len(m.Types)),
		listed:  map[moothall.ToolName]int{},
	}
	r.number(m, tools)
	for name, t := range m.Types {
		r.types[name] = r.row(name, t)
	}
	return r
}

// number gives every tool its bit: the registered ones in their order, then
// what else the manifest names, which may be registered later.
func (r *Rules) number(m Manifest, tools []moothall.ToolSpec) {
	add := func(n moothall.ToolName) {
		if _, had := r.numbers[n]; !had {
			r.numbers[n] = len(r.names)
			r.names = append(r.names, n)
		}
	}
	for _, t := range tools {
		add(t.Name)
	}
	registered := len(r.names)
	for _, t := range tools {
		for _, alias := range t.Aliases {
			if _, had := r.numbers[alias]; !had {
				r.numbers[alias] = r.numbers[t.Name]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Types)) {
		t := m.Types[name]
		for _, n := range slices.Concat(t.Allowed, t.Delegates) {
			add(n)
		}
		for _, n := range slices.Sorted(maps.Keys(t.Paths)) {
			add(n)
			if own := r.canonical(n); own != ReadPaths && own != WritePaths {
				if _, had := r.listed[own]; !had {
					r.listed[own] = len(r.listed)
				}
			}
		}
	}
	r.known = newSet(len(r.names))
	for i := range registered {
		r.known.add(i)
	}
}

// canonical returns a tool's own name for a name or an alias.
func (r *Rules) canonical(n moothall.ToolName) moothall.ToolName {
	if i, ok := r.numbers[n]; ok {
		return r.names[i]
	}
	return n
}

func (r *Rules) row(name moothall.AgentType, t Type) *row {
	w := &row{name: name, allowed: r.set(t.Allowed), spawns: make(map[moothall.AgentType]bool, len(t.Spawns))}
	w.ceiling = w.allowed.or(r.set(t.Delegates))
	for _, s := range t.Spawns {
		w.spawns[s] = true
	}
	own := make(map[moothall.ToolName]folders, len(t.Paths))
	for key, list := range t.Paths {
		tool := r.canonical(key) // two keys of one tool: what both allow
		own[tool] = own[tool].narrow(newFolders(list, true))
	}
	w.slots = make([]folders, 2+2*len(r.listed))
	w.slots[readSlot], w.slots[writeSlot] = own[ReadPaths], own[WritePaths]
	for tool, i := range r.listed {
		reads, writes := own[ReadPaths], own[WritePaths]
		if list, ok := own[tool]; ok {
			reads, writes = list, list
		}
		w.slots[2+2*i], w.slots[3+2*i] = reads, writes
	}
	return w
}

func (r *Rules) set(names []moothall.ToolName) set {
	s := newSet(len(r.names))
	for _, n := range names {
		s.add(r.numbers[n])
	}
	return s
}

// Limits returns the limits in force, defaults filled in.
func (r *Rules) Limits() Limits { return r.limits }

// find returns a tool's number, or -1.
func (r *Rules) find(n moothall.ToolName) int {
	if i, ok := r.numbers[n]; ok {
		return i
	}
	return -1
}

// slot returns where the list for a tool's access stands.
func (r *Rules) slot(tool moothall.ToolName, access moothall.PathAccess) int {
	at := writeSlot // an access that is not plainly reading counts as writing
	if access == moothall.PathRead {
		at = readSlot
	}
	if i, ok := r.listed[tool]; ok {
		return 2 + 2*i + at
	}
	return at
}
