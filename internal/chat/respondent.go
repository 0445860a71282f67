package chat

import (
	"fmt"
	"sync"
	"time"

	"moothall"
)

// The respondents: A answers, B answers the same in the shadow.
const (
	RespondentA moothall.RespondentID = "A"
	RespondentB moothall.RespondentID = "B"
)

// Respondent says how one of them answers. What is empty is as the gateway
// has it for the role.
type Respondent struct {
	Provider    string   `json:"provider,omitempty"`
	Model       string   `json:"model,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	Think       string   `json:"think,omitempty"`
}

// Settings can be changed while the hall runs.
type Settings struct {
	A Respondent `json:"a"`
	B Respondent `json:"b"`
	// Shadow lets B answer each question too.
	Shadow bool `json:"shadow"`
	// TellGrade lets a respondent know of a low grade of its last answer, so
	// that it can offer to try again.
	TellGrade bool `json:"tell_grade"`
	// Tapes is how many bytes of recorded turns are kept for replay; 0: none.
	Tapes int64 `json:"tapes"`
}

// DefaultSettings are those of a hall that nobody configured.
func DefaultSettings() Settings { return Settings{Tapes: 256 << 20} }

// settings is the box that they are in.
type settings struct {
	mu    sync.Mutex
	s     Settings
	since time.Time // when B was switched on; zero: from the start
}

func (b *settings) get() Settings {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.s
}

// shadowed reports whether B answers a question of that time.
func (b *settings) shadowed(asked time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.s.Shadow && !asked.Before(b.since)
}

// Settings returns those in force.
func (c *Chat) Settings() Settings { return c.settings.get() }

// Set changes them from the next question on.
func (c *Chat) Set(s Settings) error {
	for name, r := range map[string]Respondent{"a": s.A, "b": s.B} {
		if t := r.Temperature; t != nil && (*t < 0 || *t > 2) {
			return moothall.Fail(moothall.CodeInvalid, "chat settings", fmt.Sprintf("the temperature of %s is %v, and must be between 0 and 2", name, *t))
		}
	}
	if s.Tapes < 0 {
		return moothall.Fail(moothall.CodeInvalid, "chat settings", "the room for recorded turns cannot be negative")
	}
	c.settings.mu.Lock()
	defer c.settings.mu.Unlock()
	if s.Shadow && !c.settings.s.Shadow {
		c.settings.since = c.opt.Now()
	}
	c.settings.s = s
	return nil
}
