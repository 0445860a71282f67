package policy

import (
	"slices"

	"moothall"
)

// Authority is what one agent and all above it come to, computed once when
// the agent is spawned. The zero value may do nothing. It never changes and
// is safe for concurrent use.
type Authority struct {
	rules    *Rules
	chain    []*row // from the root to the agent itself
	callable set
	ceiling  set
	slots    []folders // own lists within the ancestors'; the ancestors' where it has none
	grants   []moothall.ToolGrant
}

// Root returns the authority of an agent that nobody spawned.
func (r *Rules) Root(t moothall.AgentType) (Authority, moothall.Decision) {
	w, ok := r.types[t]
	if !ok {
		return Authority{}, unknownType(t)
	}
	a := Authority{rules: r, chain: []*row{w}, callable: w.allowed, ceiling: w.ceiling, slots: w.slots}
	return a, allowed(LayerManifest, "root", "The agent type is in the manifest.")
}

// Spawn returns the authority of a child. Spawned is how many agents the task
// has spawned so far. The authority holds whatever the overrides are; they
// matter for whether the child may be spawned, and for what Tools lists.
func (r *Rules) Spawn(parent Authority, child moothall.AgentType, spawned int, o moothall.Overrides) (Authority, moothall.Decision) {
	parent = r.Rebase(parent)
	if parent.rules == nil {
		return Authority{}, denied(LayerIdentity, "unknown_agent", "The spawning agent is not known.", "")
	}
	w, ok := r.types[child]
	if !ok {
		return Authority{}, unknownType(child)
	}
	all := levelOf(o) == levelAll
	if !all && !parent.self().spawns[child] {
		return Authority{}, denied(LayerManifest, "spawn",
			"An agent of type "+string(parent.Type())+" may not spawn one of type "+clip(string(child))+".",
			"add "+clip(string(child))+" to agent_types."+string(parent.Type())+".can_spawn")
	}
	switch {
	case parent.Depth() >= r.limits.Depth:
		return Authority{}, denied(LayerLimits, "depth", "No agent may be spawned this deep: do the work here or report back.",
			"a higher limits.depth in the manifest")
	case spawned >= r.limits.Spawns:
		return Authority{}, denied(LayerLimits, "spawns", "This task has spawned as many agents as it may.",
			"a higher limits.spawns in the manifest")
	}
	a := r.below(parent, w)
	a.grants = slices.Clone(o.Grants)
	if all {
		return a, allowed(LayerOverride, "all", "The person has switched the checks off.")
	}
	return a, allowed(LayerManifest, "spawn", "The parent's type may spawn this one.")
}

// below derives a child's authority; it never has more than its parent's.
func (r *Rules) below(parent Authority, w *row) Authority {
	slots := make([]folders, len(w.slots))
	for i := range slots {
		slots[i] = parent.slots[i].narrow(w.slots[i])
	}
	return Authority{
		rules: r, chain: append(slices.Clip(parent.chain), w),
		callable: w.allowed.and(parent.ceiling), ceiling: w.ceiling.and(parent.ceiling), slots: slots,
	}
}

// Restore derives the authority of a chain of types, from the root down, as
// the broker keeps it over a restart. It asks only that the types exist: that
// each might spawn the next was decided when it did.
func (r *Rules) Restore(chain []moothall.AgentType) (Authority, moothall.Decision) {
	if len(chain) == 0 {
		return Authority{}, denied(LayerIdentity, "unknown_agent", "The agent is not known.", "")
	}
	a, d := r.Root(chain[0])
	for _, t := range chain[1:] {
		w, ok := r.types[t]
		if !ok {
			return Authority{}, unknownType(t)
		}
		if a.rules != nil {
			a = r.below(a, w)
		}
	}
	return a, d
}

// Rebase returns what an authority of other rules comes to under these. It is
// zero when one of its types is gone.
func (r *Rules) Rebase(a Authority) Authority {
	if a.rules == r || a.rules == nil {
		return a
	}
	moved, _ := r.Restore(a.Chain())
	if moved.rules != nil {
		moved.grants = a.grants
	}
	return moved
}

// Chain returns the types from the root to the agent itself.
func (a Authority) Chain() []moothall.AgentType {
	out := make([]moothall.AgentType, len(a.chain))
	for i, w := range a.chain {
		out[i] = w.name
	}
	return out
}

// Type returns the agent's type; "" for the zero authority.
func (a Authority) Type() moothall.AgentType {
	if len(a.chain) == 0 {
		return ""
	}
	return a.self().name
}

// Depth counts the spawns above the agent: 0 for a root.
func (a Authority) Depth() int { return max(0, len(a.chain)-1) }

// Tools lists the registered tools that the agent could call when it was
// spawned, grants of that time included, by name. [Rules.Offered] knows the
// overrides of now.
func (a Authority) Tools() []moothall.ToolName {
	if a.rules == nil {
		return nil
	}
	return a.rules.Offered(a, moothall.Overrides{Grants: a.grants})
}

// Reads returns the folders that the agent may read, nil when none.
func (a Authority) Reads() []string { return a.folders(readSlot) }

// Writes returns the folders that the agent may write, nil when none.
func (a Authority) Writes() []string { return a.folders(writeSlot) }

func (a Authority) self() *row { return a.chain[len(a.chain)-1] }

// list returns the folders of a slot; the caller must not change them. The
// ancestors' folders alone give an agent nothing.
func (a *Authority) list(slot int) []string {
	if len(a.chain) == 0 || !a.self().slots[slot].given {
		return nil
	}
	return a.slots[slot].in
}

func (a Authority) folders(slot int) []string { return slices.Clone(a.list(slot)) }

func unknownType(t moothall.AgentType) moothall.Decision {
	return denied(LayerManifest, "unknown_type", "There is no agent type "+clip(string(t))+".", "a row of that name in the manifest")
}
