package web

import (
	"encoding/json"
	"time"

	"moothall"
)

// What requests and answers carry that is no word of the hall's own. The
// names stand in the document at /openapi.json.

// Health is the answer of GET /health.
type Health struct {
	moothall.Health
	MaxBody int64 `json:"max_body"` // bytes of a request
}

// SessionDetail is the answer of GET /sessions/{id}.
type SessionDetail struct {
	moothall.SessionDetail
	// Overrides are those in force for the next question; absent when the
	// broker cannot be asked.
	Overrides *moothall.Overrides `json:"overrides,omitempty"`
}

// SessionTitle is the body of PATCH /sessions/{id}.
type SessionTitle struct {
	Title string `json:"title"`
}

// ApprovalReply is the body of POST /approvals/{id}.
type ApprovalReply struct {
	Answer    moothall.ApprovalAnswer `json:"answer"` // once, session, deny
	Arguments json.RawMessage         `json:"arguments,omitempty"`
}

// NewMemory is the body of POST /memories.
type NewMemory struct {
	Text        string   `json:"text"`
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// MemoryReview is the body of POST /memories/{id}/review.
type MemoryReview struct {
	Accept bool `json:"accept"`
}

// Recalls is the answer of GET /memories?q=.
type Recalls struct {
	Query   string            `json:"query"`
	Stages  []moothall.Recall `json:"stages"`
	Results []moothall.Recall `json:"results"`
}

// CriticPage is the answer of GET /critic.
type CriticPage struct {
	Calibration moothall.Calibration `json:"calibration"`
	Judgements  []moothall.Judgement `json:"judgements"`
	// Before is what to ask for to get the next page; absent on the last.
	Before time.Time `json:"before,omitzero"`
}

// ReplayChange is the body of POST /replay/{query}; all of it may be left out.
type ReplayChange struct {
	Model  string `json:"model,omitempty"`
	Prompt string `json:"prompt,omitempty"`
	Policy string `json:"policy,omitempty"`
}

// MemoryLine is one line of what POST /memories/import takes. The most that a
// line is trusted is what a person may claim, and what came from outside stays
// so.
type MemoryLine struct {
	ID          moothall.MemoryID   `json:"id,omitempty"`
	Text        string              `json:"text"`
	Name        string              `json:"name,omitempty"`
	Description string              `json:"description,omitempty"`
	Tags        []string            `json:"tags,omitempty"`
	Speaker     string              `json:"speaker,omitempty"`
	Time        string              `json:"time,omitempty"`
	Thread      string              `json:"thread,omitempty"`
	Seq         int64               `json:"seq,omitempty"`
	Source      string              `json:"source,omitempty"`
	Kind        moothall.MemoryKind `json:"kind,omitempty"`
	Trust       moothall.Trust      `json:"trust,omitempty"`
	Correlates  []moothall.MemoryID `json:"correlating_ids,omitempty"`
	From        []moothall.MemoryID `json:"from,omitempty"`
	Turn        *moothall.TurnNotes `json:"turn,omitempty"`
}

// MemoryImported is the answer of POST /memories/import.
type MemoryImported struct {
	Lines     int64 `json:"lines"`
	Stored    int64 `json:"stored"`    // new or changed
	Unchanged int64 `json:"unchanged"` // there already
}

// ToolCheck is the body of POST /tools/{name}/check.
type ToolCheck struct {
	Arguments json.RawMessage    `json:"arguments,omitempty"`
	As        moothall.AgentType `json:"as,omitempty"`         // the type of agent that would call; generator when empty
	Session   moothall.SessionID `json:"session_id,omitempty"` // with its labels and overrides; a new one when empty
}

// TaskOrder is the body of POST /tasks/{id}.
type TaskOrder struct {
	Action string `json:"action"` // pause, resume, stop, approve, words
	Words  string `json:"words,omitempty"`
}

// ModelList is the answer of GET /models.
type ModelList struct {
	Models []moothall.ModelCard    `json:"models"`
	Roles  []moothall.ModelBinding `json:"roles"`
}

// ModelChoice is the body of PUT /models/{role}.
type ModelChoice struct {
	Provider   string `json:"provider,omitempty"` // the one that has the model, when empty
	Model      string `json:"model"`
	Complexity string `json:"complexity,omitempty"` // only for requests of this kind
}

// ModelName is the body of POST /models/pull and /models/probe.
type ModelName struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"` // the one for chat, when empty
}
