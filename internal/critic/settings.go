package critic

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"moothall"
	"moothall/internal/judge"
	"moothall/internal/schema"
)

// Settings are what a person can change while the hall runs.
type Settings struct {
	Enabled   bool                    `json:"enabled"`
	Share     float64                 `json:"share"`           // of the questions whose answers are judged, 0 to 1
	PerHour   int                     `json:"per_hour"`        // gradings and comparisons; 0: no limit
	MaxTokens int                     `json:"max_tokens"`      // of one reply of the critic's model
	Timeout   int                     `json:"timeout_seconds"` // of one reply
	Wait      int                     `json:"wait_seconds"`    // for B's answer after A's
	Pairwise  bool                    `json:"pairwise"`        // compare A's answer with B's
	Provider  string                  `json:"provider"`        // instead of the role's choice
	Model     string                  `json:"model"`           // instead of the role's choice
	Rubrics   map[string]judge.Rubric `json:"rubrics"`         // by kind of answer; "default" for the rest
}

// DefaultSettings judge every answer.
func DefaultSettings() Settings {
	return Settings{
		Enabled: true, Share: 1, PerHour: 1000, MaxTokens: 600, Timeout: 120, Wait: 60, Pairwise: true, Rubrics: judge.Rubrics(),
	}
}

const settingsSchema = `{"type":"object","additionalProperties":false,"properties":{
"enabled":{"type":"boolean","description":"Judge answers."},
"share":{"type":"number","minimum":0,"maximum":1,"description":"Share of the questions whose answers are judged."},
"per_hour":{"type":"integer","minimum":0,"maximum":100000,"description":"Most gradings and comparisons in an hour; 0 is no limit."},
"max_tokens":{"type":"integer","minimum":32,"maximum":8192,"description":"Most tokens of one reply of the critic's model."},
"timeout_seconds":{"type":"integer","minimum":1,"maximum":3600,"description":"How long one reply is waited for."},
"wait_seconds":{"type":"integer","minimum":0,"maximum":3600,"description":"How long the second respondent's answer is waited for."},
"pairwise":{"type":"boolean","description":"Compare the answers of two respondents."},
"provider":{"type":"string","maxLength":100,"description":"Provider of the model; empty is the critic role's."},
"model":{"type":"string","maxLength":200,"description":"Model instead of the critic role's."},
"rubrics":{"type":"object","description":"What a good answer is, by the kind of answer: chat, committee, task, coder, researcher; default for the rest. Null takes one away: what the program brings for that kind holds again.",
"additionalProperties":{"type":["object","null"],"additionalProperties":false,"required":["criteria","scores"],"properties":{
"criteria":{"type":"string","minLength":1,"maxLength":2000},
"scores":{"type":"array","minItems":5,"maxItems":5,"items":{"type":"string","minLength":1,"maxLength":2000},"description":"What the grades 1 to 5 mean."}}}}}}`

// Schema is the JSON schema of [Settings]. Every field may be left out where
// settings are changed.
func Schema() json.RawMessage { return json.RawMessage(settingsSchema) }

const opSettings = "critic settings"

// Validate reports what keeps the settings from being used: CodeInvalid.
func (s Settings) Validate() error {
	raw, err := json.Marshal(s)
	if err != nil { // a share that is no number
		return &moothall.Error{Code: moothall.CodeInvalid, Op: opSettings, Message: "a value cannot be written as JSON", Err: err}
	}
	if s.Rubrics == nil {
		s.Rubrics = map[string]judge.Rubric{}
		return s.Validate()
	}
	if wrong := schema.Explain(Schema(), raw); wrong != "" {
		return moothall.Fail(moothall.CodeInvalid, opSettings, wrong)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Rubrics)) {
		if !moothall.ValidToken(name) {
			return moothall.Fail(moothall.CodeInvalid, opSettings, fmt.Sprintf("%q is not a name for a rubric", name))
		}
		if p := s.Rubrics[name].Problem(); p != "" {
			return moothall.Fail(moothall.CodeInvalid, opSettings, fmt.Sprintf("rubric %s: %s", name, p))
		}
	}
	return nil
}

// tidied has what the program brings in place of rubrics that were taken away:
// those without a word.
func (s Settings) tidied() Settings {
	s = s.clone()
	own := judge.Rubrics()
	for name, r := range s.Rubrics {
		if r != (judge.Rubric{}) {
			continue
		}
		delete(s.Rubrics, name)
		if brought, ok := own[name]; ok {
			s.Rubrics[name] = brought
		}
	}
	return s
}

func (s Settings) clone() Settings {
	s.Rubrics = maps.Clone(s.Rubrics)
	return s
}

func (s Settings) timeout() time.Duration { return time.Duration(s.Timeout) * time.Second }
func (s Settings) wait() time.Duration    { return time.Duration(s.Wait) * time.Second }

// rubric finds the rubric of a kind of answer.
func (s Settings) rubric(kind string) (name string, r judge.Rubric) {
	for _, name := range []string{kind, judge.DefaultRubric} {
		if r, ok := s.Rubrics[name]; ok {
			return name, r
		}
	}
	return judge.DefaultRubric, judge.Rubrics()[judge.DefaultRubric]
}

// sampled says whether the answers to a query are judged. It follows from the
// query's id alone, so that both respondents, and the same event once more,
// are treated alike.
func (s Settings) sampled(q moothall.QueryID) bool {
	sum := sha256.Sum256([]byte(q))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11)/(1<<53) < s.Share
}

// Settings returns the settings in use. They are a copy.
func (c *Critic) Settings() Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings.clone()
}

// Set changes the settings from now on; what is being asked goes on as it
// began. A rubric without a word is taken away. CodeInvalid changes nothing.
func (c *Critic) Set(s Settings) error {
	s = s.tidied()
	if err := s.Validate(); err != nil {
		return err
	}
	c.mu.Lock()
	c.settings = s
	c.mu.Unlock()
	c.rouse()
	return nil
}

// Apply changes the settings that raw names, a JSON object of [Schema], and
// returns all of them. CodeInvalid changes nothing.
func (c *Critic) Apply(raw json.RawMessage) (Settings, error) {
	if wrong := schema.Explain(Schema(), raw); wrong != "" {
		return Settings{}, moothall.Fail(moothall.CodeInvalid, opSettings, wrong)
	}
	s := c.Settings()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Settings{}, &moothall.Error{Code: moothall.CodeInvalid, Op: opSettings, Message: "the settings cannot be read", Err: err}
	}
	if err := c.Set(s); err != nil {
		return Settings{}, err
	}
	return c.Settings(), nil
}
