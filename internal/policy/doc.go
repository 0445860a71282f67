// Package policy decides what an agent may do. It is pure: facts go in, a
// decision with its reason comes out; it has no clock, disk, network, logger
// or goroutine.
//
// First use: take a [Manifest] (the person's table of agent types, or
// [DefaultManifest]), [Manifest.Expand] its paths, show what [Manifest.Check]
// finds, and [Compile] it into [Rules]. [Rules.Root] and [Rules.Spawn] give
// an [Authority] for each agent; [Rules.Decide] judges one [Call].
//
//	rules := policy.Compile(manifest, tools)
//	chief, _ := rules.Root("orchestrator")
//	coder, d := rules.Spawn(chief, "coder", 0, overrides)
//	if d.Verdict == moothall.Allow {
//		d = rules.Decide(&policy.Call{Agent: coder, Tool: spec, Lineage: true})
//	}
//
// # Words
//
// What a type may call itself is its allowed set. What its descendants may
// have at most, besides that, is its delegated set: authority to hand down,
// not permission to use. An agent's ceiling is the intersection, up the whole
// chain, of what each type allows and delegates; what it may call is its own
// allowed set within its parent's ceiling. So a child never has more than any
// of its ancestors, and no line of the manifest can change that.
//
// Folders narrow in the same way: an agent's own list, within the list of
// each ancestor that has one. An agent whose type has no list touches no file.
//
// # Layers
//
// Decide goes through the layers in the order of the Layer constants. The
// first layer that denies decides, even after another that would ask: a
// person is never asked for what cannot be allowed anyway. A tool whose risk
// is not one of the known words counts as [moothall.RiskHigh].
//
// The layer of labels asks about, by rule: with private data and outside
// content, what sends anything unknown (sends) or changes state (changes);
// with private data, a foreign tool that is told more than the person typed
// (tells), and what the hall's own tools send that is neither known nor a
// plain question (sends_private); with outside content, a change to a file
// that was there before (replaces). Approving a tool for a session settles
// changes, tells and replaces, never what is sent.
//
// # Concurrency and change
//
// Rules and authorities never change and are safe for concurrent use. When
// the manifest or the set of tools changes, compile again: an authority made
// by older rules is then derived anew from its chain of types, by Decide on
// the spot or once by [Rules.Rebase]. Grants are not part of an authority:
// they are looked up in the overrides of each call, so that one that was
// withdrawn is gone with the next call.
//
// # What it refuses
//
// It does not look at the file system: whether a path lies inside the
// folders is a fact that the broker finds through os.Root handles. It does
// not check arguments, count calls or remember approvals: those are facts
// too. A fact left out counts against the call: a lineage not vouched for, a
// sent text not known, an unknown level of override.
package policy
