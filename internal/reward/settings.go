package reward

import (
	"encoding/json"

	"moothall"
	"moothall/internal/schema"
)

// How feedback is recognised in conversation.
const (
	ConversationOff   = "off"
	ConversationRules = "rules" // [Said]
	ConversationModel = "model" // [SaidBy]
)

// Settings are what a person can change while the hall runs.
type Settings struct {
	// Conversation says how feedback in conversation is recognised.
	Conversation string `json:"conversation"`
	// Pairs is how many decided comparisons a proposal needs.
	Pairs int `json:"min_pairs"`
	// Margin is by how much the share of wins must lie above one half, at
	// the lower end of its interval of 95 %.
	Margin float64 `json:"margin"`
}

// DefaultSettings recognise feedback by rules.
func DefaultSettings() Settings {
	return Settings{Conversation: ConversationRules, Pairs: 20}
}

// Schema is the JSON schema of [Settings].
func Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` +
		`"conversation":{"type":"string","enum":["off","rules","model"],"default":"rules","description":"How feedback said in conversation is recognised."},` +
		`"min_pairs":{"type":"integer","minimum":5,"maximum":100000,"default":20,"description":"How many decided comparisons a proposal of another model needs."},` +
		`"margin":{"type":"number","minimum":0,"maximum":0.45,"default":0,"description":"By how much the share of wins must lie above one half, at the lower end of its 95 % interval."}}}`)
}

// Validate reports what keeps the settings from being used: CodeInvalid.
func (s Settings) Validate() error {
	const op = "reward settings"
	raw, err := json.Marshal(s)
	if err != nil { // a margin that is no number
		return &moothall.Error{Code: moothall.CodeInvalid, Op: op, Message: "a value cannot be written as JSON", Err: err}
	}
	if wrong := schema.Explain(Schema(), raw); wrong != "" {
		return moothall.Fail(moothall.CodeInvalid, op, wrong)
	}
	return nil
}

// Settings returns those that hold now.
func (k *Keeper) Settings() Settings { return *k.settings.Load() }

// Set changes the settings from now on. CodeInvalid changes nothing. They are
// not kept: who opens the keeper gives them to it again.
func (k *Keeper) Set(s Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	k.settings.Store(&s)
	return nil
}
