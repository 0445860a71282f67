package engine

import (
	"context"
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/engine/history"
)

// Modes of offering tools, as in a [moothall.ModelCard].
const (
	ToolsNative    = "native"
	ToolsDescribed = "described"
	ToolsNone      = "none"
)

// Request says what to run. Only Model and something to answer are needed.
type Request struct {
	Model  moothall.Model
	Broker moothall.Broker // nil: no tools
	Handle moothall.Handle // the agent that calls tools
	Scope  moothall.Scope
	Query  moothall.QueryID
	Run    moothall.RunID // names the run's calls; empty: a new one

	// Who answers, passed on to the model.
	Role        moothall.ModelRole
	Complexity  string
	Provider    string
	ModelName   string
	Priority    moothall.Priority
	Think       string
	Temperature *float64
	Seed        *int64
	MaxTokens   int // room for a reply; doubled when a reply is cut
	Window      int // tokens; 0: unknown, nothing is shortened

	// What is said, in this order.
	System  string
	History []moothall.Message // repaired when it is broken
	Input   []moothall.Message // of the user; empty: go on where History ends
	Tail    string             // what changes from turn to turn; not kept

	Tools     []moothall.ToolSpec // on offer, in a stable order
	Abilities Abilities
	Limits    Limits

	// Schema is a JSON schema that the answer must fit. An answer that does
	// not is asked for once more.
	Schema json.RawMessage
	// Check looks at an answer. What failed goes back to the model, at most
	// Limits.Retries times. An error means that nothing could be checked.
	Check func(ctx context.Context, answer string) (Verdict, error)
	// Hedge names a search tool on offer. When an answer says that it cannot
	// know something current, and nothing was searched, the engine searches
	// once with the user's words.
	Hedge moothall.ToolName
	// Retrieve looks things up before the first round for a model that
	// cannot use tools at all, or is better with it (Abilities.Recall).
	Retrieve func(ctx context.Context, question string) ([]moothall.Recall, error)
	// Recalls reads the memories out of a tool's result, where it has some.
	Recalls func(moothall.ToolResult) []moothall.Recall

	// Meter knows how many bytes a token has; nil: a new one. Sharing one
	// among runs makes the first estimate of a run a good one.
	Meter *history.Meter
	// Now is the clock. Without it nothing is timed, and Limits.Time is
	// refused.
	Now func() time.Time
	// Ended says whether a run's ctx is over; nil asks ctx itself. The loop
	// looks at its context through it alone, in an order that follows from
	// the run, so that a recorded run can be ended again where it was.
	Ended func(ctx context.Context) error
}

// Abilities are the facts of a model card that matter here. The zero value
// says: try native tools, stream.
type Abilities struct {
	Tools     string // ToolsNative, ToolsDescribed, ToolsNone; else try native
	Whole     bool   // tools and streaming do not mix
	Family    string // helps to read calls out of text
	Prefilled bool   // the prompt opens the thinking; text starts inside it
	Recall    bool   `json:",omitempty"` // looks nothing up by itself that was not looked up for it
	Lines     bool   `json:",omitempty"` // is shown a tool in a line: what it does and the names of its arguments
}

// AbilitiesOf reads a card. A model that is offered tools whatever room they take
// is one whose provider shows it a line of each. A card that was never probed says nothing about
// streaming. Recall is left to the caller: only who answers a person has
// something to look up for such a model.
func AbilitiesOf(c moothall.ModelCard) Abilities {
	return Abilities{Tools: c.Tools, Whole: !c.Streams && !c.Probed.IsZero(), Family: c.Family, Lines: c.Offer > 0}
}

// Limits bound a run. Zero means the default that the field names; a negative
// Repeats, Nudges or Retries switches the remedy off.
//
// Tokens, Time and Calls are checked before each round; a round that has
// begun is finished, so ctx is what bounds a model that hangs.
type Limits struct {
	Rounds  int           // 5; the last one offers no tools
	Tokens  int           // prompts and replies together; no limit
	Time    time.Duration // without what a person takes to allow a call; no limit
	Calls   int           // tool calls; no limit
	Repeats int           // 3; the same call so often among the last 12 ends the use of tools
	Nudges  int           // 2
	Retries int           // 2; further attempts after a failed check
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		field *int
		value int
	}{{&l.Rounds, 5}, {&l.Repeats, 3}, {&l.Nudges, 2}, {&l.Retries, 2}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	l.Rounds = max(l.Rounds, 1) // no run without a model call
	return l
}

// Verdict is what a check says about an answer. No failure means passed.
type Verdict struct {
	Passed []string
	Failed []string // what is wrong, in words for the model
}

// validate reports why the request cannot be run.
func (r *Request) validate() error {
	problem := ""
	switch {
	case r.Model == nil:
		problem = "no model"
	case r.Broker == nil && len(r.Tools) > 0:
		problem = "tools without a broker"
	case r.Limits.Time > 0 && r.Now == nil:
		problem = "a limit of time without a clock"
	case len(r.Schema) > 0 && !json.Valid(r.Schema):
		problem = "the schema is not JSON"
	}
	for _, m := range r.Input {
		switch {
		case m.Role != moothall.RoleUser:
			problem = "input that is not the user's"
		case m.Content == "" && len(m.Images) == 0:
			problem = "empty input"
		}
	}
	if problem == "" {
		return nil
	}
	return moothall.Fail(moothall.CodeInvalid, "run", problem)
}
