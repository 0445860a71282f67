package daemon

import (
	"context"
	"encoding/json"
	"sync"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/chat"
	"moothall/internal/daemon/conf"
)

// ChatConfig says how questions are answered.
type ChatConfig struct {
	Provider    string       `yaml:"provider" doc:"The provider of the model that answers; empty: that of the role chat."`
	Model       string       `yaml:"model" doc:"The model that answers; empty: that of the role chat."`
	Temperature float64      `yaml:"temperature" doc:"How freely the answer is worded; negative leaves it to the model." min:"-1" max:"2"`
	Think       string       `yaml:"think" doc:"Thinking before the answer: empty leaves it to the model; off, on, or a level that it knows."`
	Tapes       conf.Size    `yaml:"tapes" doc:"How much of recorded turns is kept for moothall replay; 0 keeps none." min:"0B"`
	TellGrade   bool         `yaml:"tell_grade" doc:"Let the model know of a low grade of its last answer, so that it can offer to try again."`
	RespondentB ShadowConfig `yaml:"respondent_b" doc:"A second model that answers the same questions unseen, for comparison."`
}

// ShadowConfig configures respondent B.
type ShadowConfig struct {
	Enabled     bool    `yaml:"enabled" doc:"Let it answer."`
	Provider    string  `yaml:"provider" doc:"Its provider; empty: that of the chat model."`
	Model       string  `yaml:"model" doc:"Its model; empty: the chat model, which makes sense with another temperature."`
	Temperature float64 `yaml:"temperature" doc:"How freely it words its answers; negative leaves it to the model." min:"-1" max:"2"`
	Think       string  `yaml:"think" doc:"Thinking, as above."`
}

func defaultChat() ChatConfig {
	return ChatConfig{Temperature: -1, Tapes: conf.Size(chat.DefaultSettings().Tapes), RespondentB: ShadowConfig{Temperature: -1}}
}

// settings is the configuration as the chat has it.
func (c ChatConfig) settings() chat.Settings {
	b := c.RespondentB
	return chat.Settings{
		A:      chat.Respondent{Provider: c.Provider, Model: c.Model, Temperature: warmth(c.Temperature), Think: c.Think},
		B:      chat.Respondent{Provider: b.Provider, Model: b.Model, Temperature: warmth(b.Temperature), Think: b.Think},
		Shadow: b.Enabled, TellGrade: c.TellGrade, Tapes: int64(c.Tapes),
	}
}

func warmth(t float64) *float64 {
	if t < 0 {
		return nil
	}
	return &t
}

// The chat's durable observers: questions that others put on the bus, and
// those that respondent B answers too.
var (
	asked    = bus.Durable{Identity: moothall.ChatHall, Name: "questions", Subjects: []moothall.Subject{moothall.SubjectQueryReceived}}
	shadowed = bus.Durable{Identity: moothall.ChatHall, Name: "shadow", Subjects: []moothall.Subject{moothall.SubjectQueryReceived}}
)

// openChat makes the room where questions are answered, and the front over
// it.
func (h *Hall) openChat(ctx context.Context) (func(context.Context) error, error) {
	o, err := h.chatOptions()
	if err != nil {
		return nil, err
	}
	h.chat = chat.New(o)
	if err := h.joinRespondents(ctx); err != nil {
		return nil, err
	}
	h.here.Front = func(moothall.Identity) moothall.Front { return &front{h} }
	if err := h.chat.Recover(ctx); err != nil {
		h.chat.Close()
		return nil, err
	}
	stops := []func(){h.observe(asked, h.chat.Receive), h.observe(shadowed, h.chat.Shadow)}
	return func(context.Context) error {
		var ends sync.WaitGroup
		for _, stop := range stops {
			ends.Go(stop)
		}
		h.chat.Close() // also ends what respondent B is at, which an observer waits for
		ends.Wait()
		return nil
	}, nil
}

func (h *Hall) chatOptions() (chat.Options, error) {
	p := h.peer(moothall.ChatHall)
	o := chat.Options{
		DB: h.db, Logger: h.log, Settings: h.conf.Chat.settings(),
		Tell: h.publisher(moothall.ChatHall), Received: h.publisher(moothall.FrontDoor),
		Hear: h.said, Graded: h.graded, Library: h.readLibrary(),
	}
	var err error
	if o.Model, err = p.Gateway(); err != nil {
		return o, err
	}
	if o.Broker, err = p.Broker(); err != nil {
		return o, err
	}
	if o.Audit, err = p.Audit(); err != nil {
		return o, err
	}
	front, err := h.peer(moothall.FrontDoor).Broker()
	if err != nil {
		return o, err
	}
	o.Override = front.Override
	if h.record != nil {
		o.OnRecord = h.turnsOnRecord
	}
	table, err := h.openCommittee()
	o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeCommittee: table, moothall.ModeTask: h.task}
	return o, err
}

// answerer are the settings of respondent A and of answering as such.
type answerer struct {
	chat.Respondent
	TellGrade bool  `json:"tell_grade"`
	Tapes     int64 `json:"tapes"`
}

// shadow are the settings of respondent B.
type shadow struct {
	Enabled bool `json:"enabled"`
	chat.Respondent
}

// respondentSchema is the part of a schema that both respondents have.
const respondentSchema = `"provider":{"type":"string","maxLength":100,"description":"The provider of its model; empty: that of the role chat."},` +
	`"model":{"type":"string","maxLength":200,"description":"Its model; empty: that of the role chat."},` +
	`"temperature":{"type":["number","null"],"minimum":0,"maximum":2,"description":"How freely it words its answers; null leaves it to the model."},` +
	`"think":{"type":"string","maxLength":20,"description":"Thinking before the answer: empty leaves it to the model; off, on, or a level that it knows."}`

// joinRespondents lets both be adjusted while the hall runs.
func (h *Hall) joinRespondents(ctx context.Context) error {
	a := adjustable("who answers your questions",
		json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{`+respondentSchema+`,`+
			`"tell_grade":{"type":"boolean","description":"Let the model know of a low grade of its last answer, so that it can offer to try again."},`+
			`"tapes":{"type":"integer","minimum":0,"description":"Bytes of recorded turns that are kept for replay; 0 keeps none."}}}`),
		func() answerer {
			s := h.chat.Settings()
			return answerer{s.A, s.TellGrade, s.Tapes}
		},
		func(n answerer) error {
			s := h.chat.Settings()
			s.A, s.TellGrade, s.Tapes = n.Respondent, n.TellGrade, n.Tapes
			return h.chat.Set(s)
		})
	b := adjustable("a second model that answers the same questions unseen, for comparison",
		json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{`+
			`"enabled":{"type":"boolean","description":"Let it answer."},`+respondentSchema+`}}`),
		func() shadow {
			s := h.chat.Settings()
			return shadow{s.Shadow, s.B}
		},
		func(n shadow) error {
			s := h.chat.Settings()
			s.Shadow, s.B = n.Enabled, n.Respondent
			return h.chat.Set(s)
		})
	if err := h.join(ctx, "respondent_a", a); err != nil {
		return err
	}
	return h.join(ctx, "respondent_b", b)
}
