package journal

import (
	"time"

	"moothall"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

// States of a task.
const (
	Planning = "planning" // the plan is being made
	Planned  = "planned"  // the plan waits for a person's yes
	Running  = "running"
	Done     = "done"    // all of it
	Partial  = "partial" // some of it
	Failed   = "failed"
	Stopped  = "stopped" // by a person
)

// Ended reports whether a task's state is its last.
func Ended(state string) bool {
	switch state {
	case Done, Partial, Failed, Stopped:
		return true
	}
	return false
}

// States of a subtask. The last three are for ever.
const (
	SubPending   = "pending" // waits for others
	SubReady     = "ready"
	SubRunning   = "running"
	SubUnknown   = "unknown_after_crash" // a person is asked
	SubDone      = "done"
	SubFailed    = "failed"
	SubCancelled = "cancelled"
)

// SubEnded reports whether a subtask's state is its last.
func SubEnded(state string) bool {
	return state == SubDone || state == SubFailed || state == SubCancelled
}

// Task is a task as it is kept.
type Task struct {
	ID         moothall.TaskID    `json:"id"`
	Session    moothall.SessionID `json:"session,omitempty"`
	Query      moothall.QueryID   `json:"query,omitempty"`
	Goal       string             `json:"goal"`
	Typed      string             `json:"typed,omitempty"` // of the goal, by the person
	Talk       string             `json:"talk,omitempty"`  // what was said before, in short
	Model      string             `json:"model,omitempty"`
	Labels     moothall.Label     `json:"labels"` // brought and touched
	Unattended bool               `json:"unattended,omitempty"`
	Approve    bool               `json:"approve,omitempty"` // the plan needs a person's yes
	Given      bool               `json:"given,omitempty"`   // the plan came with the goal

	State    string    `json:"state"`
	Paused   bool      `json:"paused,omitempty"`
	Stopping bool      `json:"stopping,omitempty"` // a person has stopped it
	Revision int       `json:"revision"`           // of the plan
	Replans  int       `json:"replans"`
	Words    []Word    `json:"words,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`

	// Notes stand for the summaries of the first Noted subtasks that ended.
	Notes string `json:"notes,omitempty"`
	Noted int    `json:"noted,omitempty"`

	Tokens int                                   `json:"tokens"`
	Budget int                                   `json:"budget,omitempty"`
	ByRole map[moothall.ModelRole]moothall.Usage `json:"by_role,omitempty"`
	Gauge  Gauge                                 `json:"gauge,omitzero"` // of the orchestrator's own context
	Sent   []moothall.Egress                     `json:"sent,omitempty"`

	Direct   bool                `json:"direct,omitempty"` // answered without subtasks
	Answer   string              `json:"answer,omitempty"`
	Thinking string              `json:"thinking,omitempty"`
	Flags    []string            `json:"flags,omitempty"`
	Stop     moothall.StopReason `json:"stop,omitempty"`
	Problem  string              `json:"problem,omitempty"` // why it failed
	Code     moothall.Code       `json:"code,omitempty"`
}

// Word is something that the person said while the task ran.
type Word struct {
	Text string    `json:"text"`
	Time time.Time `json:"time"`
}

// Gauge says how full a context was when it was fullest.
type Gauge struct {
	Tokens    int `json:"tokens"`
	Window    int `json:"window"`
	Compacted int `json:"compacted"` // how often it was shortened
}

// Subtask is a subtask as it is kept.
type Subtask struct {
	plan.Subtask
	Place    int    `json:"place"`
	Revision int    `json:"revision"` // of the plan that it is of
	State    string `json:"state"`
	Attempt  int    `json:"attempt"`
	End      int    `json:"end,omitempty"` // its place among those that have ended

	// Verifies names the subtask whose uncertain result this one looks at,
	// and Verifier the one that looks at this one's.
	Verifies string `json:"verifies,omitempty"`
	Verifier string `json:"verifier,omitempty"`
	// Replaced: it failed, and a later plan took that into account.
	Replaced bool `json:"replaced,omitempty"`

	Run     moothall.RunID   `json:"run,omitempty"`
	Agent   moothall.AgentID `json:"agent,omitempty"`
	Lineage moothall.Lineage `json:"lineage,omitempty"`
	Began   time.Time        `json:"began,omitzero"`
	Ended   time.Time        `json:"ended,omitzero"`
	Budget  int              `json:"budget,omitempty"`

	// Question is what a person is asked after a crash, Said the answer.
	Question *Question `json:"question,omitempty"`
	Said     string    `json:"said,omitempty"`

	Report    report.Report         `json:"report,omitzero"`
	Artifacts []Artifact            `json:"proof,omitempty"`
	Sources   []Source              `json:"sources,omitempty"`
	Checked   []string              `json:"checked,omitempty"` // what a check found right
	Notes     []string              `json:"notes,omitempty"`   // claims that were lowered, and why
	Calls     []moothall.CalledTool `json:"calls,omitempty"`
	Labels    moothall.Label        `json:"labels"`
	Sent      []moothall.Egress     `json:"sent,omitempty"`
	Role      moothall.ModelRole    `json:"role,omitempty"`
	Usage     moothall.Usage        `json:"usage,omitzero"`
	Gauge     Gauge                 `json:"gauge,omitzero"`
	Stop      moothall.StopReason   `json:"stop,omitempty"`
	Gated     bool                  `json:"gated,omitempty"` // its memory candidates were decided on
}

// Question is about calls of unknown outcome.
type Question struct {
	Tool  moothall.ToolName `json:"tool"`
	Calls []moothall.CallID `json:"calls"`
	Text  string            `json:"text"`
}

// Artifact is a path that a subtask claims to have made.
type Artifact struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Proven bool   `json:"proven"`
	Why    string `json:"why,omitempty"` // it is not
}

// Source is a page that a tool looked at.
type Source struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// Work is one thing that a running subtask has said or begun: a round that is
// over, a call that begins, or a call that has ended.
type Work struct {
	Round *Round             `json:"round,omitempty"`
	Begun *moothall.ToolCall `json:"begun,omitempty"`
	Under moothall.CallID    `json:"under,omitempty"` // of a call below: the call that it is part of
	Ended *Outcome           `json:"ended,omitempty"`
}

// Round is what a round adds to a conversation, and what it took.
type Round struct {
	Messages []moothall.Message    `json:"messages"`
	Calls    []moothall.CalledTool `json:"calls,omitempty"`
	Usage    moothall.Usage        `json:"usage,omitzero"`
	Labels   moothall.Label        `json:"labels"`
	Sent     []moothall.Egress     `json:"sent,omitempty"`
	Sources  []Source              `json:"sources,omitempty"`
	Web      bool                  `json:"web,omitempty"`
}

// Outcome is the end of a call that was begun.
type Outcome struct {
	Call   moothall.CallID     `json:"call"`
	Status moothall.CallStatus `json:"status"`
	Text   string              `json:"text"`
}
