package moothall

import (
	"encoding/json"
	"slices"
	"time"
)

// Role says who speaks in a [Message].
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation as a model sees it. Thinking is
// shown and counted, and never sent back to a model.
type Message struct {
	Role      Role       `json:"role"`
	Content   string     `json:"content"`
	Thinking  string     `json:"thinking,omitempty"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	ToolName  ToolName   `json:"tool_name,omitempty"` // of a tool message
	CallID    CallID     `json:"tool_call_id,omitempty"`
	Images    [][]byte   `json:"images,omitempty"`
}

// ToolCall is a model's wish to use a tool.
type ToolCall struct {
	ID        CallID          `json:"id"`
	Name      ToolName        `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	// Origin is the id that the call came with, where it has got another since:
	// a provider finds by it what it kept of the call. Tools never see it.
	Origin CallID `json:"origin,omitempty"`
}

// Risk says what a tool can do to the world; approval depends on it.
type Risk string

// The risks, rising.
const (
	RiskNone  Risk = "none"  // computes
	RiskRead  Risk = "read"  // reads the person's data
	RiskSend  Risk = "send"  // sends something out of the machine
	RiskWrite Risk = "write" // changes state
	RiskHigh  Risk = "high"  // runs code or changes the system
)

// ToolSpec describes a tool to models, people and policy.
type ToolSpec struct {
	Name        ToolName        `json:"name"`
	Aliases     []ToolName      `json:"aliases,omitempty"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON schema of an object
	Risk        Risk            `json:"risk"`
	ReadOnly    bool            `json:"read_only"`  // several may run at once
	Idempotent  bool            `json:"idempotent"` // may be repeated after a crash
	Taints      Label           `json:"taints"`     // what its results bring into a run
	Timeout     time.Duration   `json:"timeout_ns"`
	MaxResult   int             `json:"max_result"`        // bytes of text given to a model
	Secrets     []SecretRef     `json:"secrets,omitempty"` // placeholders filled at execution
	Paths       []PathArgument  `json:"paths,omitempty"`   // arguments that name files or folders
	Sends       []string        `json:"sends,omitempty"`   // arguments whose text leaves the machine
	Origin      string          `json:"origin"`            // "built-in", "mcp:NAME", "bus:NAME"
}

// Goes reports whether the tool goes by this name: its own or an alias.
func (s *ToolSpec) Goes(name ToolName) bool {
	return s.Name == name || slices.Contains(s.Aliases, name)
}

// PathArgument is an argument of a tool that names a file or a folder.
type PathArgument struct {
	Name   string     `json:"name"`
	Access PathAccess `json:"access"`
}

// PathAccess says what a tool does to what a path names.
type PathAccess string

// The accesses.
const (
	PathRead  PathAccess = "read"
	PathWrite PathAccess = "write"
)

// CallStatus says how a tool call ended.
type CallStatus string

// The call statuses.
const (
	CallOK          CallStatus = "ok"
	CallFailed      CallStatus = "failed"      // the tool says so; its text tells why
	CallDenied      CallStatus = "denied"      // policy or person
	CallUnavailable CallStatus = "unavailable" // no answer in time
	CallUnknown     CallStatus = "unknown_after_crash"
)

// ToolResult is what came of one call.
type ToolResult struct {
	Call     CallID          `json:"call_id"`
	Name     ToolName        `json:"tool"`
	Status   CallStatus      `json:"status"`
	Text     string          `json:"text"`           // for the model
	Data     json.RawMessage `json:"data,omitempty"` // for programs
	Labels   Label           `json:"labels"`
	Score    float64         `json:"injection_score,omitempty"`
	Cut      string          `json:"cut,omitempty"` // what was left out, in words
	Took     time.Duration   `json:"took_ns"`
	Decision Decision        `json:"decision"`
	Sent     []Egress        `json:"sent,omitempty"`
}

// Egress is a count of bytes that left the machine.
type Egress struct {
	Host  string `json:"host"`
	Bytes int64  `json:"bytes"`
}

// SumEgress adds to a list, by host and in the order of first use. The list
// that is given stays as it is.
func SumEgress(list []Egress, more ...Egress) []Egress {
	out := slices.Clone(list)
	for _, e := range more {
		i := slices.IndexFunc(out, func(s Egress) bool { return s.Host == e.Host })
		if i < 0 {
			out = append(out, e)
			continue
		}
		out[i].Bytes += e.Bytes
	}
	return out
}

// Verdict is the outcome of a policy decision.
type Verdict string

// The verdicts.
const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
)

// Decision explains itself: which layer and rule decided, why, and what
// would allow the call.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Layer   string  `json:"layer"`
	Rule    string  `json:"rule"`
	Reason  string  `json:"reason"`
	Allows  string  `json:"allows,omitempty"`
}

// Usage counts what model calls took.
type Usage struct {
	Calls        int           `json:"calls"`
	PromptTokens int           `json:"prompt_tokens"`
	OutputTokens int           `json:"output_tokens"`
	FirstToken   time.Duration `json:"first_token_ns"`
	Total        time.Duration `json:"total_ns"`
}

// Plus adds what further calls took. The first token is that of the first call
// which had one.
func (u Usage) Plus(v Usage) Usage {
	if u.FirstToken == 0 {
		u.FirstToken = v.FirstToken
	}
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.OutputTokens += v.OutputTokens
	u.Total += v.Total
	return u
}

// Times say where the time of a turn went.
type Times struct {
	Total   time.Duration `json:"total_ns"`
	First   time.Duration `json:"first_token_ns"` // from the question to the first piece of an answer
	Waiting time.Duration `json:"waiting_ns"`     // for the session and for a model server
	Models  time.Duration `json:"models_ns"`
	Tools   time.Duration `json:"tools_ns"`
}

// Receipt says what a turn cost and touched.
type Receipt struct {
	ByRole     map[ModelRole]Usage `json:"by_role,omitempty"`
	Tools      []ToolName          `json:"tools,omitempty"`
	Refused    []ToolName          `json:"refused,omitempty"`
	Labels     Label               `json:"labels"`
	Sent       []Egress            `json:"sent"` // measured where bytes leave; empty: none did
	Times      Times               `json:"times"`
	AuditFirst uint64              `json:"audit_first"`
	AuditLast  uint64              `json:"audit_last"`
}
