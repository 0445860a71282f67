package daemon

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/chat"
	"moothall/internal/critic"
	"moothall/internal/daemon/conf"
	"moothall/internal/reward"
)

// CriticConfig says how answers are judged.
type CriticConfig struct {
	Enabled  bool          `yaml:"enabled" doc:"Have every answer graded by a model, in the background."`
	Share    float64       `yaml:"share" doc:"The share of questions whose answers are judged." min:"0" max:"1"`
	PerHour  int           `yaml:"per_hour" doc:"The most that is judged in an hour; 0 is no limit." min:"0" max:"100000"`
	Pairwise bool          `yaml:"pairwise" doc:"Compare the two answers where respondent B answers too."`
	Wait     conf.Duration `yaml:"wait" doc:"How long the critic waits for B's answer." min:"0s" max:"1h"`
	Provider string        `yaml:"provider" doc:"The provider of its model; empty: that of the role critic."`
	Model    string        `yaml:"model" doc:"Its model; empty: that of the role critic."`
}

// RewardConfig says how a person's opinion is taken.
type RewardConfig struct {
	Conversation string  `yaml:"conversation" doc:"How feedback is recognised in what you say: not at all, by rules, or by a model." enum:"off,rules,model"`
	Pairs        int     `yaml:"min_pairs" doc:"How many decided comparisons it takes until another model is proposed for a role." min:"5" max:"100000"`
	Margin       float64 `yaml:"margin" doc:"By how much its share of wins must surely lie above one half." min:"0" max:"0.45"`
}

func defaultCritic() CriticConfig {
	d := critic.DefaultSettings()
	return CriticConfig{
		Enabled: d.Enabled, Share: d.Share, PerHour: d.PerHour, Pairwise: d.Pairwise, Wait: conf.Duration(time.Duration(d.Wait) * time.Second),
	}
}

func defaultReward() RewardConfig {
	d := reward.DefaultSettings()
	return RewardConfig{Conversation: d.Conversation, Pairs: d.Pairs, Margin: d.Margin}
}

// settings is the configuration as the critic has it.
func (c CriticConfig) settings() critic.Settings {
	s := critic.DefaultSettings()
	s.Enabled, s.Share, s.PerHour, s.Pairwise = c.Enabled, c.Share, c.PerHour, c.Pairwise
	s.Wait, s.Provider, s.Model = int(time.Duration(c.Wait)/time.Second), c.Provider, c.Model
	return s
}

// The judges' durable observers.
var (
	grading = bus.Durable{Identity: moothall.Critic, Name: "grading", Subjects: critic.Subjects()}
	scoring = bus.Durable{Identity: moothall.Reward, Name: "scoring", Subjects: reward.Subjects()}
)

// openJudges starts who judges answers: the critic, and the keeper of the
// score, who takes what the person thinks as well.
func (h *Hall) openJudges(ctx context.Context) (func(context.Context) error, error) {
	endScore, err := h.openReward(ctx)
	if err != nil {
		return nil, err
	}
	endCritic, err := h.openCritic(ctx)
	if err != nil {
		return nil, errors.Join(err, endScore())
	}
	return func(context.Context) error { return errors.Join(endCritic(), endScore()) }, nil
}

// openListening lets the judges hear of answers. It comes last: the critic
// asks the chat whether a second answer is to be waited for.
func (h *Hall) openListening(context.Context) (func(context.Context) error, error) {
	stops := []func(){h.observe(scoring, h.unlessGone(h.reward.Handle)), h.observe(grading, h.unlessGone(h.critic.Handle))}
	return func(context.Context) error {
		for _, stop := range stops {
			stop()
		}
		return nil
	}, nil
}

// unlessGone passes over what is heard of a conversation after it was deleted:
// an answer or a grade that was on its way would be kept for good.
func (h *Hall) unlessGone(handle func(context.Context, moothall.Event) error) func(context.Context, moothall.Event) error {
	return func(ctx context.Context, e moothall.Event) error {
		h.judging.RLock()
		defer h.judging.RUnlock()
		if e.Session != "" && e.Query != "" {
			there, err := h.chat.Has(ctx, e.Session, e.Query)
			if err != nil || !there {
				return err
			}
		}
		return handle(ctx, e)
	}
}

// forgetJudged removes what the judges keep of a deleted conversation, when
// they have ended what they heard of it before.
func (h *Hall) forgetJudged(ctx context.Context, id moothall.SessionID) error {
	h.judging.Lock()
	defer h.judging.Unlock()
	err := h.critic.Forget(ctx, id)
	_, lost := h.reward.Forget(ctx, id)
	return errors.Join(err, lost)
}

func (h *Hall) openReward(ctx context.Context) (end func() error, err error) {
	c := h.conf.Reward
	h.reward, err = reward.Open(ctx, reward.Options{
		DB: h.db, Publish: h.lastWord(moothall.Reward), Bindings: h.bindings, Logger: h.log,
		Settings: &reward.Settings{Conversation: c.Conversation, Pairs: c.Pairs, Margin: c.Margin},
	})
	if err != nil {
		return nil, err
	}
	err = h.join(ctx, "reward", adjustable("what becomes of your opinion on answers", reward.Schema(), h.reward.Settings, h.reward.Set))
	if err != nil {
		return nil, errors.Join(err, h.reward.Close())
	}
	return h.reward.Close, nil
}

func (h *Hall) openCritic(ctx context.Context) (end func() error, err error) {
	p := h.peer(moothall.Critic)
	model, err := p.Gateway()
	if err != nil {
		return nil, err
	}
	record, err := p.Audit()
	if err != nil {
		return nil, err
	}
	settings := h.conf.Critic.settings()
	h.critic, err = critic.Open(ctx, critic.Options{
		DB: h.db, Model: model, Audit: record, Publish: h.lastWord(moothall.Critic), Settings: &settings, Logger: h.log,
		Expect: func(moothall.QueryID) bool { return h.chat.Shadows() },
	})
	if err != nil {
		return nil, err
	}
	joining := adjustable("who grades answers, and by what", critic.Schema(), h.critic.Settings, h.critic.Set)
	joining.figures = func(ctx context.Context) (any, error) { return h.critic.Stats(ctx) }
	if err := h.join(ctx, "critic", joining); err != nil {
		return nil, errors.Join(err, h.critic.Close())
	}
	return h.critic.Close, nil
}

// bindings is which model each role uses now. The chat's is left out where
// respondent A has a model of its own: the role's does not answer then, and to
// choose another for it would change nothing.
func (h *Hall) bindings(ctx context.Context) ([]moothall.ModelBinding, error) {
	g, err := h.peer(moothall.Hall).Gateway()
	if err != nil {
		return nil, err
	}
	_, list, err := g.Models(ctx, moothall.Scope{})
	if err != nil || h.chat.Settings().A.Model == "" {
		return list, err
	}
	var out, last []moothall.ModelBinding
	for _, b := range list {
		if b.Role == moothall.ModelChat { // tasks still go by it where they have none
			b.Role = moothall.ModelOrchestrator
			last = append(last, b)
			continue
		}
		out = append(out, b)
	}
	return append(out, last...), nil
}

// said recognises feedback in what a person says, the way that is set.
func (h *Hall) said(ctx context.Context, text, before string, asked func(moothall.Chunk)) (moothall.Feedback, bool) {
	switch h.reward.Settings().Conversation {
	case reward.ConversationOff:
		return moothall.Feedback{}, false
	case reward.ConversationModel:
		model, err := h.peer(moothall.ChatHall).Gateway() // it is the turn that asks, and a person waits for it
		if err != nil {
			break
		}
		f, ok, err := reward.SaidBy(ctx, told{model, asked}, text, before)
		if err == nil {
			return f, ok
		}
		h.log.Debug("a model did not tell feedback from a question", "err", err)
	}
	return reward.Said(text)
}

// told is a model of whose chunks somebody is told.
type told struct {
	moothall.Model
	each func(moothall.Chunk)
}

// Generate asks the model.
func (m told) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		for c, err := range m.Model.Generate(ctx, r) {
			m.each(c)
			if !yield(c, err) {
				return
			}
		}
	}
}

// graded is what the critic thought of an answer.
func (h *Hall) graded(ctx context.Context, q moothall.QueryID) (moothall.Critique, bool) {
	g, ok, err := h.critic.Last(ctx, q)
	if err != nil {
		h.log.Warn("a grade could not be read", "query", q, "err", err)
	}
	return g, ok && err == nil
}

// Feedback takes what a person thinks of an answer and tells of it.
func (f *front) Feedback(ctx context.Context, b moothall.Feedback) error {
	if err := b.Validate(); err != nil {
		return err
	}
	b.Respondent = cmp.Or(b.Respondent, chat.RespondentA)
	session, err := f.hall.chat.Answered(ctx, b.Query, b.Respondent)
	if err != nil {
		return err
	}
	e, err := moothall.NewEvent(moothall.SubjectUserFeedback, b)
	if err != nil {
		return err
	}
	e.Session, e.Query, e.Respondent = session, b.Query, b.Respondent
	return f.hall.publisher(moothall.FrontDoor)(ctx, e)
}

// Judgements lists what is known of how good answers were.
func (f *front) Judgements(ctx context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	return f.hall.reward.Judgements(ctx, q)
}

// Report sums them up.
func (f *front) Report(ctx context.Context, since time.Time) (moothall.Report, error) {
	return f.hall.reward.Report(ctx, since)
}
