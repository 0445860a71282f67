package daemon

import (
	"context"
	"io"
	"time"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/committee"
	"moothall/internal/daemon/conf"
)

// CommitteeConfig says how personas deliberate. Who they are is in
// personas.yaml.
type CommitteeConfig struct {
	Rounds    int           `yaml:"rounds" doc:"How many rounds they speak where a question does not say." min:"1" max:"5"`
	Parallel  int           `yaml:"parallel" doc:"How many speak at the same time; 1 suits one local model server." min:"1" max:"12"`
	SeesRound bool          `yaml:"sees_round" doc:"Let a persona hear those before it in the same round; they speak one after another then."`
	Tokens    int           `yaml:"tokens" doc:"The most tokens for one question, prompts and replies together; 0 is no limit." min:"0"`
	Time      conf.Duration `yaml:"time" doc:"The most time for one question; 0s is no limit." min:"0s"`
}

func defaultCommittee() CommitteeConfig { return CommitteeConfig{Rounds: 2, Parallel: 1} }

// personasYAML is personas.yaml, checked as the configuration is.
type personasYAML committee.File

// Validate reports what no committee could be made of.
func (f personasYAML) Validate(report conf.Report) {
	for _, p := range committee.File(f).Check() {
		report(conf.Path(p.Path), p.Message, p.Suggestion)
	}
}

// loadPersonas reads the person's personas over those that the program brings.
func loadPersonas(h Home) (*committee.File, error) {
	f := personasYAML(committee.DefaultFile())
	if _, err := conf.Load(&f, conf.Sources{File: h.Personas()}); err != nil {
		return nil, err
	}
	return (*committee.File)(&f), nil
}

// PersonasSchema is the JSON schema of personas.yaml.
func PersonasSchema() []byte {
	return conf.Schema(personasYAML(committee.DefaultFile()), "Moothall personas")
}

// openCommittee seats the personas and returns how they answer a question.
func (h *Hall) openCommittee() (chat.Mode, error) {
	voices, err := loadPersonas(h.home)
	if err != nil {
		return nil, err
	}
	p, c := h.peer(moothall.CommitteeTable), h.conf.Committee
	o := committee.Options{
		Tell: h.publisher(moothall.CommitteeTable), Voices: voices, Logger: h.log,
		Settings: committee.Settings{Rounds: c.Rounds, Parallel: c.Parallel, SeesRound: c.SeesRound, Tokens: c.Tokens, Time: time.Duration(c.Time)},
	}
	if o.Model, err = p.Gateway(); err != nil {
		return nil, err
	}
	if o.Broker, err = p.Broker(); err != nil {
		return nil, err
	}
	table := committee.New(o)
	return func(ctx context.Context, a chat.Asked, say func(moothall.Step)) chat.Outcome {
		out, err := table.Deliberate(ctx, committee.Question{
			Scope: moothall.Scope{Session: a.Session}, Query: a.Query, Run: a.Run, Text: a.Input.Content, Words: a.Request.Query,
			Labels: a.Labels, History: a.History, Personas: a.Request.Personas, Rounds: a.Request.Rounds, Model: a.Request.Model,
			Unattended: a.Request.Unattended, Tail: a.Tail,
		}, say)
		if err != nil {
			return chat.Failed(err)
		}
		return chat.Outcome{Result: out.Result, ByRole: out.ByRole, Deliberations: out.Deliberations}
	}, nil
}

// RenderDeliberation writes one persona's part for a terminal.
func RenderDeliberation(w io.Writer, d moothall.Deliberation, color bool) error {
	return committee.Render(w, d, color)
}
