package committee

import (
	"moothall"
	"moothall/internal/engine"
)

// Question is what a committee is asked. Only Text is needed.
type Question struct {
	Scope moothall.Scope
	Query moothall.QueryID
	Run   moothall.RunID // of the Self; empty: a new one
	// Text is the question as a model reads it, with what the person added.
	Text string
	// Words is what the person typed of it, for the broker. Where it is
	// empty and nothing was brought along, Text is.
	Words string
	// Labels is what the question and the conversation bring along.
	Labels     moothall.Label
	History    []moothall.Message // the conversation so far
	Personas   []string           // by name, in this order; none: all
	Rounds     int                // 1 to 5; 0: as set
	Model      string             // speaks for every voice, whatever they have of their own
	Unattended bool               // nobody is there to be asked
	Tail       string             // what changes from turn to turn: the date
}

// Flags that an outcome may carry, each followed by ": " and words, besides
// those of the engine.
const (
	FlagDissent    = "dissent left out"
	FlagUnheard    = "voice not heard"
	FlagUnanswered = "the Self gave no whole answer"
	FlagBudget     = "budget"
)

// Outcome is what came of a question: all that is needed to end a turn.
//
// The result is the Self's, with these differences. Calls, Recalls, Sent,
// Usage and the times are of all runs, in the order of the record, the Self's
// last; times of runs beside one another are added up. Labels has also what
// was brought along and what the session held. Messages are the two to keep
// in a session, the question and the answer: deliberations do not enter a
// conversation.
type Outcome struct {
	engine.Result
	// Deliberations are in the order of rounds, and of personas within one.
	Deliberations []moothall.Deliberation
	ByRole        map[moothall.ModelRole]moothall.Usage
}

// add takes in what a run did, but not what it said.
func (o *Outcome) add(s *seat, r *engine.Result) {
	o.account(s.persona.Role, r.Usage)
	o.Calls = append(o.Calls, r.Calls...)
	o.Layers = append(o.Layers, r.Layers...)
	o.Mends = append(o.Mends, r.Mends...)
	o.Recalls = append(o.Recalls, r.Recalls...)
	o.Sent = moothall.SumEgress(o.Sent, r.Sent...)
	o.Labels |= s.labels
	o.ModelTime += r.ModelTime
	o.Waiting += r.Waiting
	o.ToolTime += r.ToolTime
}

// account adds what a run took.
func (o *Outcome) account(role moothall.ModelRole, u moothall.Usage) {
	o.Usage = o.Usage.Plus(u)
	o.ByRole[role] = o.ByRole[role].Plus(u)
}

func (o *Outcome) flag(kind, text string) {
	if text != "" {
		kind += ": " + text
	}
	o.Flags = append(o.Flags, kind)
}
