package engine

import (
	"time"

	"moothall"
)

// Kind says what an [Event] tells.
type Kind string

// The kinds of events.
const (
	KindStatus    Kind = "status"      // Text: what happens now, in words
	KindThinking  Kind = "thinking"    // Text: a piece of the model's thinking
	KindDelta     Kind = "delta"       // Text: a piece of what the model says
	KindRethink   Kind = "rethink"     // the deltas of this round so far were thinking
	KindInterim   Kind = "interim"     // Text: what was said before tool calls; its deltas are no answer
	KindCall      Kind = "tool_call"   // Call: about to be executed
	KindApproval  Kind = "approval"    // Asked: a call waits for a person's answer
	KindResult    Kind = "tool_result" // Result: of a call, in the order of the calls
	KindRecall    Kind = "recall"      // Recall: a memory that came into the context
	KindRound     Kind = "round"       // Usage, Messages, Void: a round is over
	KindCompacted Kind = "compacted"   // Text: what was shortened or left out of the prompt
	KindFinal     Kind = "final"       // Final: the last event of every run
)

// Reasons for a void round.
const (
	VoidEmpty  = "empty"  // nothing was said
	VoidCut    = "cut"    // the reply hit its limit
	VoidNudge  = "nudge"  // work was announced and not done
	VoidBroken = "broken" // a tool call could not be read
	VoidHedge  = "hedge"  // the answer hedged; a search follows
	VoidSchema = "schema" // the answer does not fit the schema
	VoidCheck  = "check"  // the check failed
	VoidRefuse = "refuse" // the model refused the request's form
)

// Event is one thing that happened in a run. Events are the hooks of whoever
// shows or records a run.
type Event struct {
	Kind   Kind
	Round  int // counted from 1; 0 before the first
	Text   string
	Call   *moothall.ToolCall
	Asked  *moothall.Approval
	Result *moothall.ToolResult
	Recall *moothall.Recall

	// Of a round: what it took; what it adds to the history to keep (whole
	// groups only, so it can be stored at once); and why it does not count.
	Usage    moothall.Usage
	Messages []moothall.Message
	Void     string

	Final *Result
}

// Flags that a result may carry, each followed by ": " and words.
const (
	FlagClaim     = "claim without tool"
	FlagAnnounced = "announced and not done"
	FlagEmpty     = "empty reply"
	FlagSchema    = "does not fit the schema"
	FlagCheck     = "check failed"
	FlagUnchecked = "could not be checked"
	FlagRetrieval = "could not look it up"
)

// Mend is a small repair that made a call usable.
type Mend struct {
	Tool moothall.ToolName
	What string
}

// Result is what came of a run.
type Result struct {
	Answer   string // what the person is told; with a schema, the bare JSON
	Thinking string
	// Messages is the history to keep: the repaired History, Input without
	// Tail, and what the run added. It is valid and closed.
	Messages []moothall.Message
	Calls    []moothall.CalledTool
	Layers   []string // one a call: "native", "engine", or the form in the text
	Mends    []Mend
	Recalls  []moothall.Recall
	Labels   moothall.Label    // of all results
	Sent     []moothall.Egress // by model calls and tools, summed by host
	Stop     moothall.StopReason
	Flags    []string
	Usage    moothall.Usage
	// Provider and Model are who answered last, as the gateway names them.
	Provider, Model string
	Rounds          int
	Mode            string // how tools were offered in the end

	// Where the time went, by the request's clock; zero without one.
	First     time.Duration // from the start of the run to the first piece of a reply
	ModelTime time.Duration // in model calls, without Waiting
	Waiting   time.Duration // of model calls, what the gateway does not count as the model's
	ToolTime  time.Duration // in tool calls, those at the same time once; a person's approval included

	// Passed and Failed are the last verdict of the check.
	Passed, Failed []string
	// Partial: something was done, and not all. Either the check passed in
	// part or the run was ended before an answer was whole.
	Partial bool
	// Err is why the run failed, for the stop reasons error and interrupted.
	Err error
}
