package policy

import (
	"slices"

	"moothall"
)

// Offered lists the registered tools that an agent may call under the
// overrides of now, by name: what Decide's first layers let pass.
func (r *Rules) Offered(a Authority, o moothall.Overrides) []moothall.ToolName {
	a = r.Rebase(a)
	if len(a.chain) == 0 {
		return nil
	}
	may := r.known
	if levelOf(o) != levelAll {
		may = a.callable.or(r.grantedSet(&a, o.Grants)).and(r.known)
	}
	gone := make(map[int]bool, len(o.Disabled))
	for _, n := range o.Disabled {
		gone[r.find(n)] = true
	}
	var out []moothall.ToolName
	for i := range may.all() {
		if !gone[i] {
			out = append(out, r.names[i])
		}
	}
	slices.Sort(out)
	return out
}

// grantedSet is what grants add to an agent: a tool that its own type has by
// row or grant, and each type above by row, delegation or grant.
func (r *Rules) grantedSet(a *Authority, grants []moothall.ToolGrant) set {
	out := newSet(len(r.names))
	has := func(t moothall.AgentType, i int) bool {
		return slices.ContainsFunc(grants, func(g moothall.ToolGrant) bool { return g.Type == t && r.find(g.Tool) == i })
	}
	for _, g := range grants {
		i := r.find(g.Tool)
		if i < 0 || !a.self().allowed.has(i) && !has(a.Type(), i) {
			continue
		}
		above := a.chain[:len(a.chain)-1]
		if !slices.ContainsFunc(above, func(w *row) bool { return !w.ceiling.has(i) && !has(w.name, i) }) {
			out.add(i)
		}
	}
	return out
}

// Roots returns the folders that an agent may read and write with one tool:
// the tool's own list where the manifest has one, the general ones otherwise.
// With the override "all" the root of the file system comes after them, so
// that relative paths still start in the agent's own. A tool that runs
// programs keeps those alone: the sandbox never opens the whole machine.
func (r *Rules) Roots(a Authority, tool *moothall.ToolSpec, o moothall.Overrides) (reads, writes []string) {
	a = r.Rebase(a)
	reads, writes = a.folders(r.slot(tool.Name, moothall.PathRead)), a.folders(r.slot(tool.Name, moothall.PathWrite))
	if levelOf(o) != levelAll || a.rules == nil || riskOf(tool) == riskHigh {
		return reads, writes
	}
	if len(writes) == 0 {
		writes = slices.Clone(reads) // its only own ones
	}
	return append(reads, "/"), append(writes, "/")
}

// Listed reports whether the manifest has a list of folders for one tool,
// which is given under its own name.
func (r *Rules) Listed(tool moothall.ToolName) bool {
	_, ok := r.listed[tool]
	return ok
}
