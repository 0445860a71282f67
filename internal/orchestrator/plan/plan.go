package plan

import (
	"encoding/json"

	"moothall"
)

// Plan is a task divided, or the answer where nothing is to be divided.
type Plan struct {
	Subtasks []Subtask `json:"subtasks"`
	Direct   string    `json:"direct,omitempty"`
}

// Subtask is one piece of work for one agent.
type Subtask struct {
	ID        string             `json:"id"`
	Type      moothall.AgentType `json:"agent_type"`
	Task      string             `json:"task"`
	DependsOn []string           `json:"depends_on"`
	Inputs    []string           `json:"inputs"`
	Check     *Check             `json:"check,omitempty"`
}

// Check says how a subtask's result is looked at. Several may be set; all of
// them must hold.
type Check struct {
	Command  string          `json:"command,omitempty"`  // ends well, run by the subtask's own agent
	Schema   json.RawMessage `json:"schema,omitempty"`   // the report fits it
	Contains string          `json:"contains,omitempty"` // the summary says so, in capitals or small letters
}

// Empty reports whether nothing is checked.
func (c *Check) Empty() bool {
	return c == nil || c.Command == "" && len(c.Schema) == 0 && c.Contains == ""
}

// Limits of a plan. Rules may narrow the number of subtasks.
const (
	MaxModel   = 50     // subtasks that a model may ask for
	MaxGiven   = 10_000 // subtasks of a plan that a program gives
	MaxID      = 40     // bytes of a name
	MaxTask    = 4000   // bytes of a subtask's text
	MaxDepends = 64
	MaxInputs  = 20
	MaxInput   = 1000
	MaxCommand = 2000
	MaxSchema  = 8000
	MaxDirect  = 16_000
)

// Schema is what a model is asked to fit. It leaves to [Validate] what a
// schema cannot say.
func Schema(types []moothall.AgentType) json.RawMessage {
	text := map[string]any{"type": "string"}
	list := map[string]any{"type": "array", "items": text}
	subtask := map[string]any{
		"type": "object",
		"properties": map[string]any{
			"id": text, "agent_type": map[string]any{"type": "string", "enum": types}, "task": text,
			"depends_on": list, "inputs": list,
			"check": map[string]any{"type": "object", "properties": map[string]any{"command": text, "contains": text, "schema": map[string]any{"type": "object"}}},
		},
		"required": []string{"id", "agent_type", "task", "depends_on"},
	}
	raw, err := json.Marshal(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"subtasks": map[string]any{"type": "array", "items": subtask}, "direct": text,
		},
		"required": []string{"subtasks"},
	})
	if err != nil {
		panic(err) // plain words always marshal
	}
	return raw
}
