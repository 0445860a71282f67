package moothall

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"
)

// ModelRole is what code asks for; configuration maps it to a model.
type ModelRole string

// The roles of models.
const (
	ModelChat         ModelRole = "chat"
	ModelOrchestrator ModelRole = "orchestrator"
	ModelCoder        ModelRole = "coder"
	ModelResearcher   ModelRole = "researcher"
	ModelCritic       ModelRole = "critic"
	ModelEmbedder     ModelRole = "embedder"
	ModelSelector     ModelRole = "selector"
)

// Priority orders waiting model calls on one server.
type Priority string

// The priorities, falling.
const (
	PriorityPerson     Priority = "person"
	PriorityTask       Priority = "task"
	PriorityBackground Priority = "background"
)

// GenerateRequest asks a model for the next message.
type GenerateRequest struct {
	Scope
	Query       QueryID
	Role        ModelRole
	Complexity  string // "", simple, reasoning, code
	Provider    string // overrides the role's choice
	Model       string // overrides the role's choice
	Messages    []Message
	Tools       []ToolSpec
	Schema      json.RawMessage // answer must fit this JSON schema
	Think       string          // "", "off", "on", or a level the model knows
	Temperature *float64
	Seed        *int64
	MaxTokens   int // of the answer; 0 means the model's default
	Window      int // context window to ask for; 0 means the card's
	Stop        []string
	Priority    Priority
	Whole       bool // do not stream: one text chunk at the end
}

// Chunk is a piece of a model's output. The last one carries Stop and Usage.
type Chunk struct {
	Thinking  string
	Text      string
	ToolCalls []ToolCall
	Stop      StopReason
	Usage     Usage
	Provider  string
	Model     string
	Sent      []Egress // what left this machine since the chunk before
	Note      string   // what happens before words come, for a person; it has no part in the reply
}

// NoteWaiting is the note of a chunk that tells of a call which waits for its
// turn. Another note says that this is over.
const NoteWaiting = "waiting for the model, which is busy with something else"

// StopReason says why output or a run ended.
type StopReason string

// The stop reasons.
const (
	StopDone        StopReason = "done"
	StopLength      StopReason = "length"
	StopTools       StopReason = "tools"
	StopCap         StopReason = "iteration_cap"
	StopRepetition  StopReason = "repetition"
	StopBudget      StopReason = "budget"
	StopCanceled    StopReason = "canceled"
	StopInterrupted StopReason = "interrupted"
	StopError       StopReason = "error"
)

// Model generates. It is all that the engine knows of models.
type Model interface {
	// Generate streams the answer. An error ends the stream; chunks before
	// it stand. CodeTooLarge names a prompt that does not fit the window.
	Generate(ctx context.Context, r GenerateRequest) iter.Seq2[Chunk, error]
}

// Reply is the text of one call of a model, as far as it came. Each chunk is
// shown to note, where there is one: also that of an error, which may say what
// was sent.
func Reply(ctx context.Context, m Model, r GenerateRequest, note func(Chunk)) (string, error) {
	var text strings.Builder
	for c, err := range m.Generate(ctx, r) {
		if note != nil {
			note(c)
		}
		if err != nil {
			return text.String(), err
		}
		text.WriteString(c.Text)
	}
	return text.String(), nil
}

// EmbedRequest asks for vectors, one a text.
type EmbedRequest struct {
	Scope
	Provider string
	Model    string
	Purpose  string // "query" or "document"
	Texts    []string
	Priority Priority
}

// Embeddings are vectors and the name of what made them.
type Embeddings struct {
	Embedder string
	Vectors  [][]float32
}

// ModelCard says what a model can do: read from its provider and completed by
// a probe.
type ModelCard struct {
	Provider   string    `json:"provider"`
	Model      string    `json:"model"`
	Family     string    `json:"family,omitempty"`
	Parameters string    `json:"parameters,omitempty"`
	Digest     string    `json:"digest,omitempty"`
	Size       int64     `json:"size,omitempty"`
	Window     int       `json:"window,omitempty"`
	Tools      string    `json:"tools"` // native, described, none, unknown
	JSON       string    `json:"json"`
	Thinking   string    `json:"thinking"`
	Streams    bool      `json:"streams_tools"`
	Loaded     bool      `json:"loaded"`
	Recall     bool      `json:"recall,omitempty"` // is better with what is looked up for it beforehand
	Offer      int       `json:"offer,omitempty"`  // tools to offer whatever room they take; 0: as its window allows
	Probed     time.Time `json:"probed,omitzero"`
	Notes      []string  `json:"notes,omitempty"`
}

// ModelBinding maps a role to a model.
type ModelBinding struct {
	Role       ModelRole `json:"role"`
	Complexity string    `json:"complexity,omitempty"`
	Provider   string    `json:"provider"`
	Model      string    `json:"model"`
}

// ModelRequest names a model; empty fields mean the role's current choice.
type ModelRequest struct {
	Scope
	Provider string
	Model    string
}

// Progress is one report of long work.
type Progress struct {
	Step  string `json:"step"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"` // 0 when unknown
}

// Gateway is the way to every model.
type Gateway interface {
	Model
	// Embed returns one vector a text, in order.
	Embed(ctx context.Context, r EmbedRequest) (Embeddings, error)
	// Models lists what the configured providers offer, and which role
	// uses which.
	Models(ctx context.Context, s Scope) ([]ModelCard, []ModelBinding, error)
	// ShowModel returns one card. CodeNotFound lists what is there.
	ShowModel(ctx context.Context, r ModelRequest) (ModelCard, error)
	// BindModel switches a role at run time.
	BindModel(ctx context.Context, s Scope, b ModelBinding) error
	// PullModel fetches a model, reporting progress.
	PullModel(ctx context.Context, r ModelRequest) iter.Seq2[Progress, error]
	// ProbeModel completes a model's card by trying things out.
	ProbeModel(ctx context.Context, r ModelRequest) (ModelCard, error)
}
