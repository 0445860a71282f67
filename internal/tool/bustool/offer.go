package bustool

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"moothall"
	"moothall/internal/tool/pin"
)

// each yields the definitions by name. The lock is held.
func (r *Registry) each() iter.Seq[definition] {
	return func(yield func(definition) bool) {
		for _, name := range slices.Sorted(maps.Keys(r.defs)) {
			if !yield(r.defs[name]) {
				return
			}
		}
	}
}

// Pending lists what guests offer and models do not get, by name.
func (r *Registry) Pending() []pin.Offer {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []pin.Offer
	for d := range r.each() {
		if d.standing != pin.Approved {
			out = append(out, r.offer(d))
		}
	}
	return out
}

func (r *Registry) offer(d definition) pin.Offer {
	g := r.owners[d.Name]
	return pin.Offer{
		Owner: owner(g), From: g.Name, Tool: string(d.Name), Name: d.Name, Description: d.Description,
		Parameters: d.Parameters, Hash: d.hash, Standing: d.standing, Reason: d.reason,
	}
}

// Approve lets models use a tool as it was shown; hash is that of the offer.
// CodeNotFound, CodeConflict when the name is taken or the definition is
// another one now.
func (r *Registry) Approve(guest, tool, hash string) error {
	if err := r.approve(guest, moothall.ToolName(tool), hash); err != nil {
		return err
	}
	r.o.Changed()
	return nil
}

func (r *Registry) approve(guest string, tool moothall.ToolName, hash string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	d, ok := r.defs[tool]
	if g := r.owners[tool]; !ok || g.Name != guest {
		return moothall.Fail(moothall.CodeNotFound, "approve tool", fmt.Sprintf("guest %q has not announced %q", guest, tool))
	}
	if err := r.offer(d).Approvable(hash); err != nil {
		return err
	}
	if err := r.o.Pins.Put(owner(r.owners[tool]), string(tool), hash); err != nil {
		return err
	}
	r.judge(&d)
	r.defs[tool] = d
	return nil
}

// Tools returns the approved tools, by name.
func (r *Registry) Tools() []moothall.Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []moothall.Tool
	for d := range r.each() {
		if d.standing == pin.Approved {
			out = append(out, r.newTool(d))
		}
	}
	return out
}

// stillApproved reports whether the definition of that hash may be used.
func (r *Registry) stillApproved(name moothall.ToolName, hash string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	d, ok := r.defs[name]
	return ok && d.standing == pin.Approved && d.hash == hash
}
