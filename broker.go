package moothall

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Handle proves to the broker which agent is calling. It is a random value
// that only the broker can issue and resolve; it prints as a placeholder.
type Handle string

// String hides the handle.
func (h Handle) String() string { return "[handle]" }

// GoString hides the handle from %#v.
func (h Handle) GoString() string { return "[handle]" }

// SpawnRequest asks the broker for a new agent. Without Parent it is a root,
// which only the hall's own front rooms may ask for.
type SpawnRequest struct {
	Scope
	Parent Handle
	Type   AgentType
	Query  QueryID
	Task   TaskID
	// Words is what the person typed for this turn. Only a root has them: a
	// URL or query that stands in them may be sent out whatever the labels.
	Words string
	// Labels is what its context holds besides the person's words.
	Labels Label
	// Unattended runs have nobody to ask: what needs approval is denied.
	Unattended bool
	// Aside is a root that comes with no message, for a call or a question
	// beside the conversation: what is for the next message waits on.
	Aside bool
}

// Agent is what the broker knows of an agent.
type Agent struct {
	ID      AgentID    `json:"id"`
	Type    AgentType  `json:"type"`
	Lineage Lineage    `json:"lineage"`
	Tools   []ToolName `json:"tools"` // the effective set
	Labels  Label      `json:"labels"`
	Handle  Handle     `json:"-"`
}

// DiscoverRequest asks which tools fit a task.
type DiscoverRequest struct {
	Scope
	Agent  Handle
	Task   string
	Window int // tokens of context; all tools are offered when they fit in a tenth
	Limit  int // of those that do not fit a tenth of Window; 0: four
}

// CallRequest asks for one tool call, or what would be decided about it.
type CallRequest struct {
	Scope
	Agent Handle
	Query QueryID
	Run   RunID
	Call  ToolCall
}

// CallProgress is one step of a running call. The last one carries Result.
type CallProgress struct {
	Note   string
	Asked  *Approval // the call waits until a person has answered this
	Result *ToolResult
}

// Overrides is what a person has switched for a session or one message.
type Overrides struct {
	Level    string        `json:"level"` // none, relax, all
	Disabled []ToolName    `json:"disabled,omitempty"`
	Grants   []ToolGrant   `json:"grants,omitempty"`
	Once     bool          `json:"once,omitempty"` // for the next message only
	Query    QueryID       `json:"-"`              // with Once: for this message, and not the next
	Lasts    time.Duration `json:"lasts,omitempty"`
}

// ToolGrant lets an agent type use one more tool.
type ToolGrant struct {
	Type AgentType `json:"type"`
	Tool ToolName  `json:"tool"`
}

// Approval is a question put to a person.
type Approval struct {
	ID        ApprovalID      `json:"id"`
	Session   SessionID       `json:"session_id"`
	Query     QueryID         `json:"query_id,omitempty"`
	Agent     AgentID         `json:"agent"`
	Type      AgentType       `json:"agent_type"`
	Tool      ToolName        `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    Decision        `json:"reason"`
	Labels    Label           `json:"labels"`
	Asked     time.Time       `json:"asked"`
	Expires   time.Time       `json:"expires"`
	Answer    ApprovalAnswer  `json:"answer,omitempty"`
	Answered  time.Time       `json:"answered,omitzero"`
}

// ApprovalAnswer is what the person said.
type ApprovalAnswer string

// The answers.
const (
	ApproveOnce    ApprovalAnswer = "once"
	ApproveSession ApprovalAnswer = "session"
	ApproveDenied  ApprovalAnswer = "deny"
	ApproveExpired ApprovalAnswer = "expired"
)

// ApprovalDecision answers an [Approval]; Arguments, when given, replace the
// asked ones.
type ApprovalDecision struct {
	Scope
	ID        ApprovalID
	Answer    ApprovalAnswer
	Arguments json.RawMessage
}

// KeyRequest is the gateway asking for the key of a hosted provider, or the
// search service for that of an engine.
type KeyRequest struct {
	Scope
	Provider string
	Ref      SecretRef
}

// Broker is the only way to an effect.
type Broker interface {
	// Spawn registers an agent. CodeDenied when the parent's type may not
	// spawn this one or the depth limit is reached.
	Spawn(ctx context.Context, r SpawnRequest) (Agent, error)
	// Finish ends an agent; its handle is void afterwards.
	Finish(ctx context.Context, s Scope, h Handle) error
	// Discover returns the definitions of the tools that matter for a task,
	// out of those that the agent may use.
	Discover(ctx context.Context, r DiscoverRequest) ([]ToolSpec, error)
	// Validate says what Execute would decide, and does nothing.
	Validate(ctx context.Context, r CallRequest) (Decision, error)
	// Execute decides, records, runs. A denial is a result, not an error;
	// an error means that the broker itself could not do its work.
	Execute(ctx context.Context, r CallRequest) iter.Seq2[CallProgress, error]
	// Tools lists every registered tool; for people, never for models.
	Tools(ctx context.Context, s Scope) ([]ToolSpec, error)
	// Approvals lists the open questions, or all recent ones.
	Approvals(ctx context.Context, s Scope, all bool) ([]Approval, error)
	// Decide answers a question. CodeConflict when it is answered already.
	Decide(ctx context.Context, d ApprovalDecision) (Approval, error)
	// Override switches a session's overrides and returns those in force for
	// its next message. The zero value switches nothing: it asks.
	Override(ctx context.Context, s Scope, o Overrides) (Overrides, error)
	// ProviderKey hands the gateway and the search service, and nobody
	// else, the key that the configuration binds to a provider of theirs.
	ProviderKey(ctx context.Context, r KeyRequest) (Secret, error)
}

// ToolRun is one decided call, as a tool gets it. All of it is the broker's
// knowledge; the arguments alone come from a model, and fit the schema.
type ToolRun struct {
	Scope
	Agent   AgentID
	Type    AgentType
	Query   QueryID
	Call    ToolCall // under the tool's own name, whatever alias was used
	Labels  Label    // what the run had touched before this call
	Secrets map[SecretRef]Secret

	// Reads and Writes are the folders that the agent may use, absolute. A
	// tool reaches nothing outside them.
	Reads  []string
	Writes []string

	// Note tells who waits how the work goes. It is never nil.
	Note func(string)
}

// Tool is something the broker can run. Implementations live behind the
// broker; nobody else calls them.
type Tool interface {
	// Spec describes the tool; it does not change while registered.
	Spec() ToolSpec
	// Run executes one call. A tool that fails at its work returns a result
	// with CallFailed and a text that the model can read; an error means that
	// it could not even try. Labels of the result add to the spec's.
	Run(ctx context.Context, r ToolRun) (ToolResult, error)
}
