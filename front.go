package moothall

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"
)

// ServiceState says how a service is.
type ServiceState string

// The states.
const (
	ServiceOK            ServiceState = "ok"
	ServiceNotConfigured ServiceState = "not configured"
	ServiceDown          ServiceState = "down"
)

// ServiceHealth is one service's line in [Health].
type ServiceHealth struct {
	State  ServiceState `json:"status"`
	Where  string       `json:"where,omitempty"` // "here", or an address
	Detail string       `json:"detail,omitempty"`
}

// ModelHealth says which model answers.
type ModelHealth struct {
	State    ServiceState `json:"status"`
	Provider string       `json:"provider,omitempty"`
	Name     string       `json:"name,omitempty"`
	Detail   string       `json:"detail,omitempty"`
}

// Health is the answer of GET /health.
type Health struct {
	Status   string                   `json:"status"` // ok, degraded
	Version  string                   `json:"version"`
	Home     string                   `json:"home"`
	PID      int                      `json:"pid"`
	Since    time.Time                `json:"since"`
	Services map[string]ServiceHealth `json:"services"`
	Model    ModelHealth              `json:"model"`
}

// QueryMode chooses among the three ways to answer.
type QueryMode string

// The modes.
const (
	ModeChat      QueryMode = "chat"
	ModeCommittee QueryMode = "committee"
	ModeTask      QueryMode = "task"
)

// QueryRequest is a person's question.
type QueryRequest struct {
	Session    SessionID  `json:"session_id,omitempty"` // empty: a new one
	Query      string     `json:"query"`
	Mode       QueryMode  `json:"mode,omitempty"`
	Personas   []string   `json:"personas,omitempty"`
	Override   *Overrides `json:"override,omitempty"`
	Model      string     `json:"model,omitempty"`
	Context    string     `json:"context,omitempty"` // text that goes with the question
	Unattended bool       `json:"unattended,omitempty"`
	Rounds     int        `json:"rounds,omitempty"`  // of a committee
	Replace    bool       `json:"replace,omitempty"` // stop what the session is at and what waits in it
	Detach     bool       `json:"detach,omitempty"`  // answer as soon as a task has begun
	Retry      QueryID    `json:"retry,omitempty"`   // ask this turn's question again; Query, Context where Query is the same, and what says how may be empty then
	Stay       bool       `json:"stay,omitempty"`    // go on when who asked has gone; only Stop ends it then
}

// CalledTool is one tool call in an [Answer].
type CalledTool struct {
	Tool   ToolName        `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Result string          `json:"result"`
	Status CallStatus      `json:"status"`
	Millis int64           `json:"ms"`
}

// Answer is what came of a query.
type Answer struct {
	Query      QueryID      `json:"query_id"`
	Session    SessionID    `json:"session_id"`
	Respondent RespondentID `json:"respondent_id,omitempty"`
	Provider   string       `json:"provider,omitempty"`
	Model      string       `json:"model,omitempty"`
	Question   string       `json:"query,omitempty"`
	Text       string       `json:"answer"`
	Thinking   string       `json:"thinking"`
	Tools      []CalledTool `json:"tool_calls"`
	Recalls    []Recall     `json:"recalls"`
	Offered    Offered      `json:"offered,omitzero"`
	Stop       StopReason   `json:"stop_reason"`
	Flags      []string     `json:"flags,omitempty"` // claims that no tool backs, and the like
	Usage      Usage        `json:"usage"`
	Receipt    Receipt      `json:"receipt"`
	Subjects   []Subject    `json:"events"`
	Log        []EventMark  `json:"event_log"`

	// Heard is feedback that the question was taken for, on the turn before.
	Heard *Feedback `json:"heard,omitempty"`
	// Deliberations are what the personas of a committee said, in order.
	Deliberations []Deliberation `json:"deliberations,omitempty"`
	// Task is the task that the question became.
	Task TaskID `json:"task_id,omitempty"`
}

// Deliberation is one persona's part in one round of a committee.
type Deliberation struct {
	Persona  string       `json:"persona"`
	Round    int          `json:"round"`
	Status   string       `json:"status"` // thinking, done, failed
	Response string       `json:"response"`
	Thinking string       `json:"thinking,omitempty"`
	Tools    []CalledTool `json:"tool_trace"`
	Usage    Usage        `json:"tokens"`
	Error    string       `json:"error,omitempty"`
	Color    string       `json:"color,omitempty"`
}

// EventMark is one event of a turn with its time since the query.
type EventMark struct {
	Subject Subject `json:"subject"`
	Seconds float64 `json:"t"`
}

// Step is one piece of a running query. Kind says which field is set.
type Step struct {
	Kind   string      `json:"kind"` // status, thinking, delta, interim, tool_call, approval, tool_result, recall, persona, task, final
	Text   string      `json:"text,omitempty"`
	Call   *ToolCall   `json:"call,omitempty"`
	Asked  *Approval   `json:"asked,omitempty"`
	Result *ToolResult `json:"result,omitempty"`
	Recall *Recall     `json:"recall,omitempty"`
	From   string      `json:"from,omitempty"` // persona or subagent
	Answer *Answer     `json:"answer,omitempty"`
	// Deliberation is set for the kind persona, Task for the kind task.
	Deliberation *Deliberation `json:"deliberation,omitempty"`
	Task         *Task         `json:"task,omitempty"`
}

// EventQuery asks for events. Without After only new ones come; Replay starts
// at the oldest that is kept.
type EventQuery struct {
	Subjects []Subject // empty: all; a family's name stands for its members
	Session  SessionID
	After    EventID // those after this one
	AfterSeq uint64  // those after this place in the record
	Replay   bool
	// Mark asks for one event without a subject when the replay is done and
	// watching is in place; its Seq is where the record stood. What is
	// published after it has been seen is not missed.
	Mark bool
}

// Session is one conversation in a list.
type Session struct {
	ID      SessionID `json:"id"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Turns   int       `json:"turns"`
	State   string    `json:"state"` // of the actor: idle, receiving, generating, dispatching_tool, waiting_for_tool, publishing
	Labels  Label     `json:"labels"`
}

// SessionDetail is a conversation as the model sees it.
type SessionDetail struct {
	Session
	Messages []Message      `json:"messages"`
	Window   int            `json:"window"`
	Tokens   map[string]int `json:"tokens"` // by part: system, tools, history, results, recalls
	Asked    []Turn         `json:"asked"`
	Queue    []Turn         `json:"queue"` // what waits, in order
}

// Turn is one question of a session and how far it got.
type Turn struct {
	Query QueryID   `json:"query_id"`
	Asked string    `json:"query"`
	State string    `json:"state"` // waiting, running, done, interrupted
	Time  time.Time `json:"time"`
	// Answers are those of the respondents, A's first; empty until there is one.
	Answers []Answer `json:"answers,omitempty"`
}

// SessionChange renames, compacts or deletes a session.
type SessionChange struct {
	ID      SessionID
	Title   string
	Compact bool // replace its older part by notes on it
	Delete  bool
}

// Task is one piece of work of the orchestrator.
type Task struct {
	ID      TaskID          `json:"id"`
	Session SessionID       `json:"session_id"`
	Goal    string          `json:"goal"`
	State   string          `json:"state"`
	Created time.Time       `json:"created"`
	Updated time.Time       `json:"updated"`
	Plan    json.RawMessage `json:"plan,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// TaskControl steers a task: pause, resume, stop, approve, or words.
type TaskControl struct {
	ID     TaskID
	Action string
	Words  string
}

// Participant is a part of the hall with settings.
type Participant struct {
	Name     string          `json:"name"`
	State    ServiceState    `json:"status"`
	About    string          `json:"about"`
	Schema   json.RawMessage `json:"schema,omitempty"`
	Settings json.RawMessage `json:"settings,omitempty"`
	Figures  json.RawMessage `json:"figures,omitempty"` // what it counts; nothing to set
}

// Front is what faces people and their programs.
type Front interface {
	// Health says how the hall is. It always answers.
	Health(ctx context.Context) (Health, error)
	// Query streams a turn; its last step is the final answer.
	Query(ctx context.Context, r QueryRequest) iter.Seq2[Step, error]
	// Stop ends a running or waiting query; what was done is kept.
	Stop(ctx context.Context, id QueryID) error
	// Feedback notes what the person thinks of an answer.
	Feedback(ctx context.Context, f Feedback) error
	// Judgements lists what is known of how good answers were.
	Judgements(ctx context.Context, q JudgementQuery) ([]Judgement, error)
	// Report sums up judgements since a time; zero means all.
	Report(ctx context.Context, since time.Time) (Report, error)
	// Replay runs a recorded turn again.
	Replay(ctx context.Context, r ReplayRequest) (Replayed, error)
	// Events streams events until the caller stops.
	Events(ctx context.Context, q EventQuery) iter.Seq2[Event, error]
	// Sessions lists conversations, newest first.
	Sessions(ctx context.Context) ([]Session, error)
	// Session returns one conversation.
	Session(ctx context.Context, id SessionID) (SessionDetail, error)
	// ChangeSession renames, compacts or deletes one.
	ChangeSession(ctx context.Context, c SessionChange) error
	// Tasks lists tasks, newest first, or the one named.
	Tasks(ctx context.Context, id TaskID) ([]Task, error)
	// ControlTask steers a task.
	ControlTask(ctx context.Context, c TaskControl) (Task, error)
	// Participants lists the parts of the hall with their settings.
	Participants(ctx context.Context) ([]Participant, error)
	// Configure changes a participant's settings.
	Configure(ctx context.Context, name string, settings json.RawMessage) (Participant, error)
	// Examine looks at a part of the hall and says what it finds. Values of
	// secrets are never among it.
	Examine(ctx context.Context, p Part) (Examined, error)
	// Preview says what a call that waits for approval would do to a file.
	// CodeNotFound when no such question is open, CodeUnsupported when its
	// tool cannot tell.
	Preview(ctx context.Context, id ApprovalID) (Preview, error)
	// Export writes what the hall remembers to w, as one of the exports that there are.
	Export(ctx context.Context, what string, w io.Writer) error
	// Backup writes a consistent copy of the whole home to w.
	Backup(ctx context.Context, w io.Writer) error
}

// Client is what a person's program holds: the front, and the services as
// far as a person may call them. Commands and the web page use nothing else.
type Client interface {
	Front
	Gateway() Gateway
	Memory() Memory
	Broker() Broker
	Close() error
}
