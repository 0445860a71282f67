package policy

import "moothall"

// The layers, in the order in which they are asked.
const (
	LayerIdentity  = "identity"  // is the caller who it says it is
	LayerOverride  = "override"  // what the person switched for the session or message
	LayerManifest  = "manifest"  // is the tool in the agent type's own set
	LayerLineage   = "lineage"   // and in that of everyone above
	LayerPaths     = "paths"     // do the files lie in the agent's folders
	LayerEgress    = "egress"    // may this tool have a network at all
	LayerLabels    = "labels"    // outside content and private data together
	LayerArguments = "arguments" // do they fit the schema
	LayerLimits    = "limits"    // loops and budgets
	LayerApproval  = "approval"  // does the tool's risk need a person
)

// Layers lists the layers in their order.
func Layers() []string {
	return []string{
		LayerIdentity, LayerOverride, LayerManifest, LayerLineage, LayerPaths,
		LayerEgress, LayerLabels, LayerArguments, LayerLimits, LayerApproval,
	}
}

// Call is everything that is known about one wish to use a tool. All of it
// is the broker's knowledge; what is left out counts against the call.
type Call struct {
	Agent           Authority
	Tool            *moothall.ToolSpec // nil: no such tool
	Name            moothall.ToolName  // as asked
	Overrides       moothall.Overrides
	Labels          moothall.Label // of the run, before this call
	Paths           []PathFact
	Sends           []SendFact
	Told            bool     // nothing is told to a foreign tool but what the person typed or a search found
	Problems        []string // of the arguments against the schema
	Oversize        bool     // the arguments are larger than any tool takes
	Repeats         int      // identical calls in the window, before this one
	Calls           int      // calls of the task, before this one
	Unattended      bool     // nobody is there to be asked
	Approved        bool     // a person approved exactly this call
	SessionApproved bool     // a person approved this tool for this agent type for the session
	Lineage         LineageFact
}

// LineageFact says that the lineage which the caller claims is the broker's
// own. A caller that claims none claims nothing wrong.
type LineageFact bool

// PathFact says where a path argument leads, found through handles of the
// folders that [Rules.Roots] gives.
type PathFact struct {
	Argument string
	Access   moothall.PathAccess
	Asked    string // as the caller wrote it
	Inside   bool
	// Free says that writing there loses nothing of the person's: nothing is
	// there yet, this session made it, or the person named it.
	Free bool
}

// SendFact says whether an outgoing text is harmless to send.
type SendFact struct {
	Argument string
	Known    bool // the person typed it, or a search result contained it literally
	// Plain says that it goes to the person's own search engine and is a
	// question like any other: it quotes no private text and spells none.
	Plain bool
	Doubt string // what keeps it from being plain, in words; may be empty
}

// level is an override's reach.
type level uint8

const (
	levelNone level = iota
	levelRelax
	levelAll
)

// levelOf reads a level; what it does not know switches nothing off.
func levelOf(o moothall.Overrides) level {
	switch o.Level {
	case "relax":
		return levelRelax
	case "all":
		return levelAll
	}
	return levelNone
}

// granted reports whether the person gave a type the tool, under its name or
// an alias.
func granted(o *moothall.Overrides, t moothall.AgentType, tool *moothall.ToolSpec) bool {
	for _, g := range o.Grants {
		if g.Type == t && named(tool, g.Tool) {
			return true
		}
	}
	return false
}

// disabled reports whether the person took the tool away, under any name.
func disabled(o *moothall.Overrides, tool *moothall.ToolSpec, asked moothall.ToolName) bool {
	for _, n := range o.Disabled {
		if n == asked || named(tool, n) {
			return true
		}
	}
	return false
}

// named reports whether the name is the tool's or one of its aliases.
func named(tool *moothall.ToolSpec, n moothall.ToolName) bool {
	if tool == nil {
		return false
	}
	if tool.Name == n {
		return true
	}
	for _, a := range tool.Aliases {
		if a == n {
			return true
		}
	}
	return false
}
