package committee

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/engine/telling"
)

// Options are what a committee needs. All but Model may be left out.
type Options struct {
	Model  moothall.Gateway                            // as committee
	Broker moothall.Broker                             // as committee; nil, or one that is not configured: no tools
	Tell   func(context.Context, moothall.Event) error // publishes as committee; nil: nobody listens
	// Voices are the personas and the Self, checked; nil means
	// [DefaultFile]. Without any persona in it the Self answers alone.
	Voices   *File
	Settings Settings
	Now      func() time.Time // time.Now when nil
	Logger   *slog.Logger     // nil discards
}

// Settings are what a person can change. Zero means the default.
type Settings struct {
	Rounds    int           // where a question does not say; 2, at most 5
	ToolTurns int           // how often a voice may call tools before it must speak; 3
	Parallel  int           // how many voices of a round speak at the same time; 1, which suits one local model server
	SeesRound bool          // a voice hears those before it in the same round; they speak one after another then
	Tokens    int           // of one question, prompts and replies together; 0: no limit
	Time      time.Duration // of one question; 0: no limit
}

func (s Settings) filled() Settings {
	if s.Rounds <= 0 {
		s.Rounds = 2
	}
	if s.ToolTurns <= 0 {
		s.ToolTurns = 3
	}
	s.Rounds = min(s.Rounds, maxRounds)
	s.Parallel = min(max(s.Parallel, 1), maxPersonas)
	if s.SeesRound {
		s.Parallel = 1
	}
	return s
}

// Committee answers questions. Make one with [New].
type Committee struct {
	opt      Options
	personas []Persona
	self     Persona
	meter    *history.Meter
}

// New returns a committee that has done nothing yet.
func New(o Options) *Committee {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Tell == nil {
		o.Tell = func(context.Context, moothall.Event) error { return nil }
	}
	voices := DefaultFile()
	if o.Voices != nil {
		voices = *o.Voices
	}
	o.Settings = o.Settings.filled()
	c := &Committee{opt: o, meter: &history.Meter{}, self: voices.Self.filled(len(voices.Personas))}
	for i, p := range voices.Personas {
		c.personas = append(c.personas, p.filled(i))
	}
	return c
}

// Deliberate lets the committee think about a question and answers it. Steps
// go to say, which may be nil, as they happen: of personas their state, calls
// and results, with From set; of the Self all, without.
//
// The error is about a question that makes no sense, before anything was done:
// CodeInvalid, or CodeNotFound for a persona that does not exist. Whatever
// happens later is in the outcome, with what was done until then. Cancelling
// ctx ends every run in its round; the outcome stops as canceled.
func (c *Committee) Deliberate(ctx context.Context, q Question, say func(moothall.Step)) (*Outcome, error) {
	m, err := c.convene(q, say)
	if err != nil {
		return nil, err
	}
	m.events = telling.New(ctx, c.opt.Tell, 2*len(m.members)*m.q.Rounds, c.opt.Logger) // a beginning and an end each
	defer m.events.Close()
	if t := c.opt.Settings.Time; t > 0 {
		limited, cancel := context.WithTimeout(ctx, t)
		defer cancel()
		ctx = limited
	}
	if len(m.members) == 0 {
		m.alone(ctx)
	} else {
		m.deliberate(ctx)
	}
	return m.out, nil
}

// convene checks a question and calls its members.
func (c *Committee) convene(q Question, say func(moothall.Step)) (*meeting, error) {
	const op = "committee"
	switch {
	case strings.TrimSpace(q.Text) == "":
		return nil, moothall.Fail(moothall.CodeInvalid, op, "the question is empty")
	case q.Rounds < 0 || q.Rounds > maxRounds:
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: op, Message: "a committee has 1 to 5 rounds", Remedy: "ask for fewer rounds"}
	}
	members, err := c.choose(q.Personas)
	if err != nil {
		return nil, err
	}
	if say == nil {
		say = func(moothall.Step) {}
	}
	if q.Rounds == 0 {
		q.Rounds = c.opt.Settings.Rounds
	}
	if q.Run == "" {
		q.Run = moothall.RunID(moothall.NewID())
	}
	if q.Words == "" && q.Labels == 0 {
		q.Words = q.Text
	}
	return &meeting{
		c: c, q: q, say: say, members: members, began: c.opt.Now(), cards: map[string]moothall.ModelCard{},
		out: &Outcome{
			Result: engine.Result{Labels: q.Labels}, Deliberations: []moothall.Deliberation{}, ByRole: map[moothall.ModelRole]moothall.Usage{},
		},
	}, nil
}

// choose returns the personas asked for, in the order asked, or all.
func (c *Committee) choose(names []string) ([]Persona, error) {
	if len(names) == 0 {
		return slices.Clone(c.personas), nil
	}
	var have []string
	byKey := map[string]Persona{}
	for _, p := range c.personas {
		have = append(have, p.Name)
		byKey[key(p.Name)] = p
	}
	var out []Persona
	for _, n := range names {
		p, ok := byKey[key(n)]
		if !ok {
			return nil, unknownPersona(n, have)
		}
		if !slices.ContainsFunc(out, func(o Persona) bool { return o.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out, nil
}

func unknownPersona(name string, have []string) error {
	e := &moothall.Error{Code: moothall.CodeNotFound, Op: "committee", Message: "there is no persona " + history.Clip(name, 2*maxName)}
	switch near := nearest(name, have); {
	case len(have) == 0:
		e.Message += "; this committee has none"
		e.Remedy = "add personas to personas.yaml"
	case near != "":
		e.Message += "; there are " + strings.Join(have, ", ")
		e.Remedy = "did you mean " + near + "?"
	default:
		e.Message += "; there are " + strings.Join(have, ", ")
		e.Remedy = "name one of these, or add it to personas.yaml"
	}
	return e
}
