package orchestrator

import (
	"encoding/json"

	"moothall"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/schema"
)

// Whether a plan needs a person's yes.
const (
	ApproveOff = "off"
	ApproveAsk = "ask"
)

// Settings are what a person may change. Zero means the default that the
// field names; -1 stands for none.
type Settings struct {
	Parallel      int    `json:"parallel"`       // subtasks of one task at a time; 1
	ApprovePlan   string `json:"approve_plan"`   // off, ask; off
	Subtasks      int    `json:"subtasks"`       // of a plan that a model makes; 50
	Replans       int    `json:"replans"`        // 2
	Rounds        int    `json:"rounds"`         // of a subtask; 20
	Retries       int    `json:"retries"`        // after a failed check; 2
	Minutes       int    `json:"minutes"`        // of a subtask; 30
	TaskTokens    int    `json:"task_tokens"`    // 400,000
	SessionTokens int    `json:"session_tokens"` // of all tasks of a session; none
	Verify        string `json:"verify"`         // uncertain results: once, never; once
	Summaries     int    `json:"summaries"`      // that stay word for word; 8
}

// The values of Settings.Verify.
const (
	VerifyOnce  = "once"
	VerifyNever = "never"
)

func (s Settings) withDefaults() Settings {
	for _, d := range []struct {
		field *int
		value int
	}{
		{&s.Parallel, 1}, {&s.Subtasks, plan.MaxModel}, {&s.Replans, 2}, {&s.Rounds, 20}, {&s.Retries, 2}, {&s.Minutes, 30},
		{&s.TaskTokens, 400_000}, {&s.SessionTokens, -1}, {&s.Summaries, 8},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if s.ApprovePlan == "" {
		s.ApprovePlan = ApproveOff
	}
	if s.Verify == "" {
		s.Verify = VerifyOnce
	}
	return s
}

// settingsSchema is the published form of the settings.
const settingsSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Settings of the orchestrator",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "parallel": {"type": "integer", "minimum": 1, "maximum": 64, "default": 1, "description": "subtasks of one task that run at the same time"},
    "approve_plan": {"type": "string", "enum": ["off", "ask"], "default": "off", "description": "ask: a plan runs only after a person's yes"},
    "subtasks": {"type": "integer", "minimum": 1, "maximum": 50, "default": 50, "description": "the most that a plan may have"},
    "replans": {"type": "integer", "minimum": -1, "maximum": 10, "default": 2, "description": "how often the rest is planned anew when something fails; -1: never"},
    "rounds": {"type": "integer", "minimum": 1, "maximum": 200, "default": 20, "description": "model calls of one subtask"},
    "retries": {"type": "integer", "minimum": -1, "maximum": 10, "default": 2, "description": "further attempts after a failed check; -1: none"},
    "minutes": {"type": "integer", "minimum": 1, "maximum": 1440, "default": 30, "description": "time of one subtask"},
    "task_tokens": {"type": "integer", "minimum": -1, "default": 400000, "description": "of one task, shared out among its subtasks; -1: no limit"},
    "session_tokens": {"type": "integer", "minimum": -1, "default": -1, "description": "of all tasks of one session; -1: no limit"},
    "verify": {"type": "string", "enum": ["once", "never"], "default": "once", "description": "whether another agent looks at uncertain results"},
    "summaries": {"type": "integer", "minimum": 1, "maximum": 100, "default": 8, "description": "the latest results that stay word for word when older ones become notes"}
  }
}`

// Schema is the JSON schema of the settings.
func Schema() json.RawMessage { return json.RawMessage(settingsSchema) }

// Settings returns those in force.
func (o *Orchestrator) Settings() Settings {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.settings
}

// Set changes the settings. They hold for tasks that begin afterwards,
// Parallel at once. CodeInvalid says which value makes no sense.
func (o *Orchestrator) Set(next Settings) error {
	next = next.withDefaults()
	if err := next.Validate(); err != nil {
		return err
	}
	o.mu.Lock()
	o.settings = next
	o.parallel.Store(int64(next.Parallel))
	living := o.living()
	o.mu.Unlock()
	for _, t := range living {
		t.rouse()
	}
	return nil
}

// Validate reports which value makes no sense.
func (s Settings) Validate() error {
	raw, err := json.Marshal(s.withDefaults())
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "settings", Err: err}
	}
	if wrong := schema.Explain(Schema(), raw); wrong != "" {
		return moothall.Fail(moothall.CodeInvalid, "settings", wrong)
	}
	return nil
}
