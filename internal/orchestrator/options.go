package orchestrator

import (
	"context"
	"log/slog"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/store"
)

// Migrations are the tables that the orchestrator keeps.
func Migrations() store.Set { return journal.Migrations() }

// Options of [Open]. DB, Model, Broker and Audit are required.
type Options struct {
	DB     *store.DB        // with the tables of [Migrations]
	Model  moothall.Gateway // as the orchestrator
	Broker moothall.Broker  // as the orchestrator
	Audit  moothall.Audit   // as the orchestrator
	Memory moothall.Memory  // as the orchestrator; nil: nothing is proposed to memory
	// Tell publishes as the orchestrator; nil: nobody listens.
	Tell func(context.Context, moothall.Event) error
	// Files says how large a file is and whether it lies in a folder that
	// agents may use. Nil: no artifact can be proven.
	Files func(path string) (size int64, inside bool, err error)
	// Check runs the command of a subtask's check. [CommandCheck] makes one
	// that goes through the broker. Nil: commands cannot be checked.
	Check func(context.Context, CheckRequest) (engine.Verdict, error)
	// Types are the agent types that a plan may use; assistant, researcher,
	// coder and sysadmin by default.
	Types []moothall.AgentType
	// Deputies is which types an agent may hand work to: by default an
	// assistant and a coder to a researcher, a sysadmin to a coder. The
	// broker has the last word. Empty and not nil: nobody hands work on.
	Deputies map[moothall.AgentType][]moothall.AgentType
	Settings Settings         // what holds until others are set
	Now      func() time.Time // time.Now when nil
	Logger   *slog.Logger     // nil discards
}

func (o Options) withDefaults() Options {
	if len(o.Types) == 0 {
		o.Types = []moothall.AgentType{assistant, researcher, coder, sysadmin}
	}
	if o.Deputies == nil {
		o.Deputies = deputies()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Settings = o.Settings.withDefaults()
	return o
}

// The agent types that the orchestrator knows by name.
const (
	chief      moothall.AgentType = "orchestrator"
	assistant  moothall.AgentType = "assistant"
	researcher moothall.AgentType = "researcher"
	coder      moothall.AgentType = "coder"
	sysadmin   moothall.AgentType = "sysadmin"
)

// Goal is what a person asks for.
type Goal struct {
	Session moothall.SessionID
	Query   moothall.QueryID
	Text    string // as a model reads it, with what goes with it
	// Words is what the person typed of it, for the broker. Where it is empty
	// and nothing was brought along, Text is.
	Words      string
	Labels     moothall.Label // of what comes with it
	Unattended bool           // nobody is there to be asked
	Model      string         // in the place of each role's own
	// History is the conversation so far; of it only what person and
	// assistant said is used, in short.
	History []moothall.Message
	// Override is what the person switched for this goal. The broker has been
	// told, which alone acts on it; here it is put on record.
	Override *moothall.Overrides
	// Plan, when given, is carried out as it is; nothing is asked of a
	// planner, and nobody for approval.
	Plan *plan.Plan
}

// CheckRequest asks for a subtask's command to be run by its own agent.
type CheckRequest struct {
	moothall.Scope
	Agent   moothall.Handle
	Type    moothall.AgentType
	Query   moothall.QueryID
	Run     moothall.RunID
	Command string
	// Tell shows what happens on the way: that a person is asked. Nil: nobody
	// looks.
	Tell func(moothall.CallProgress)
}

// keeper is what a task needs of its journal. It is larger than a consumer's
// interface should be: the simulation of crashes has one in memory, so that
// thousands of them can be gone through.
type keeper interface {
	Apply(ctx context.Context, c journal.Change) error
	Append(ctx context.Context, task moothall.TaskID, subtask string, w journal.Work) error
	Work(ctx context.Context, task moothall.TaskID, subtask string) ([]journal.Work, error)
	Load(ctx context.Context, id moothall.TaskID) (journal.Task, []journal.Subtask, error)
	List(ctx context.Context, open bool, limit int) ([]moothall.TaskID, error)
	Spent(ctx context.Context, session moothall.SessionID) (int, error)
	Forget(ctx context.Context, session moothall.SessionID, but []moothall.TaskID) (int64, error)
}

var _ keeper = (*journal.Journal)(nil)
