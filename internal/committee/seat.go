package committee

import (
	"context"
	"slices"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// agentType is what personas and the Self are at the broker.
const agentType moothall.AgentType = "persona"

// finishing is how long the end of an agent may take once nobody waits.
const finishing = 10 * time.Second

// ample is a window in which every tool fits.
const ample = 1 << 20

// seat is one voice for one run: its agent and what it may use. While the run
// lasts it belongs to the goroutine of the run.
type seat struct {
	m       *meeting
	persona Persona
	card    moothall.ModelCard
	meter   *history.Meter // of this run alone, so that runs beside it do not matter
	agent   moothall.Agent // without a handle where there is no broker
	tools   []moothall.ToolSpec
	labels  moothall.Label        // what its context holds, then also its results
	looked  []moothall.CalledTool // up front
	sent    []moothall.Egress     // by these
	err     error                 // why it cannot speak at all
}

// sit gets a voice its agent and its tools. What fails is the seat's error.
func (m *meeting) sit(ctx context.Context, p Persona, labels moothall.Label) *seat {
	s := &seat{m: m, persona: p, labels: m.q.Labels | labels}
	if m.q.Model != "" {
		s.persona.Model = m.q.Model
	}
	s.card, s.meter = m.card(ctx, s.persona), m.c.meter.Fork(s.modelKey())
	if b := m.c.opt.Broker; b != nil {
		s.err = s.register(ctx, b)
	}
	return s
}

func (s *seat) register(ctx context.Context, b moothall.Broker) error {
	q := &s.m.q
	agent, err := b.Spawn(ctx, moothall.SpawnRequest{
		Scope: moothall.Scope{Session: q.Scope.Session}, Type: agentType, Query: q.Query, Words: q.Words, Labels: s.labels, Unattended: q.Unattended,
	})
	if moothall.ErrorCode(err) == moothall.CodeNotConfigured {
		return nil
	}
	if err != nil {
		return err
	}
	s.agent, s.labels = agent, s.labels|agent.Labels
	// The persona's own list makes the choice: no window is too small for it,
	// and no selector need be asked for each voice.
	specs, err := b.Discover(ctx, moothall.DiscoverRequest{Scope: s.scope(), Agent: agent.Handle, Task: q.Words, Window: ample, Limit: maxTools})
	if err != nil {
		return err
	}
	for _, spec := range specs { // what the policy offers, as far as the voice wants it
		if slices.ContainsFunc(s.persona.Tools, func(n moothall.ToolName) bool { return spec.Goes(n) }) {
			s.tools = append(s.tools, spec)
		}
	}
	return nil
}

// leave ends the agent, whatever has happened to the caller.
func (s *seat) leave(ctx context.Context) {
	if s.agent.Handle == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishing)
	defer cancel()
	if err := s.m.c.opt.Broker.Finish(ctx, s.scope(), s.agent.Handle); err != nil {
		s.m.c.opt.Logger.Warn("an agent could not be ended", "agent", s.agent.ID, "err", err)
	}
}

func (s *seat) scope() moothall.Scope {
	return moothall.Scope{Session: s.m.q.Scope.Session, Lineage: s.agent.Lineage}
}

// request is what every run has in common.
func (s *seat) request(tell func(engine.Event)) engine.Request {
	q, c := &s.m.q, s.m.c
	r := engine.Request{
		Model: c.opt.Model, Scope: s.scope(), Query: q.Query,
		Role: s.persona.Role, ModelName: s.persona.Model, Priority: moothall.PriorityPerson, Window: s.card.Window,
		History: past(q.History, s.bytes(s.card.Window/4)), Input: []moothall.Message{{Role: moothall.RoleUser, Content: q.Text}},
		Abilities: engine.AbilitiesOf(s.card), Recalls: engine.RecallsOf, Meter: s.meter, Now: c.opt.Now,
		Retrieve: func(ctx context.Context, question string) ([]moothall.Recall, error) {
			return s.lookUp(ctx, question, tell)
		},
	}
	if s.agent.Handle != "" {
		r.Broker, r.Handle, r.Tools = c.opt.Broker, s.agent.Handle, s.tools
	}
	return r
}

// bytes turns a share of the window into bytes, with a default for a model
// whose window is not known.
func (s *seat) bytes(tokens int) int {
	if tokens <= 0 {
		return 16 << 10
	}
	return s.meter.Bytes(s.modelKey(), tokens)
}

// modelKey is what the engine measures the model by.
func (s *seat) modelKey() string { return "/" + s.persona.Model }

// run lets the voice speak. It never returns nil.
func (s *seat) run(ctx context.Context, r engine.Request, tell func(engine.Event)) *engine.Result {
	failed := func(err error) *engine.Result { return &engine.Result{Stop: moothall.StopError, Err: err} }
	if s.err != nil {
		return failed(s.err)
	}
	for e, err := range engine.Run(ctx, r) {
		if err != nil {
			return failed(err)
		}
		if e.Kind == engine.KindFinal {
			res := e.Final
			s.labels |= res.Labels
			res.Calls = append(s.looked, res.Calls...)
			res.Sent = moothall.SumEgress(s.sent, res.Sent...)
			return res
		}
		tell(e)
	}
	return failed(moothall.Fail(moothall.CodeInternal, "run", "it ended without a result"))
}

// card is what is known of a voice's model. A model without one is asked all
// the same: the call itself will say what is wrong.
func (m *meeting) card(ctx context.Context, p Persona) moothall.ModelCard {
	at := string(p.Role) + "/" + p.Model
	if c, ok := m.cards[at]; ok {
		return c
	}
	card, err := m.c.opt.Model.ShowModel(ctx, m.named(ctx, p))
	if err != nil {
		m.c.opt.Logger.Debug("no card for a persona's model", "persona", p.Name, "err", err)
	}
	m.cards[at] = card
	return card
}

// named is the model that a voice's role means now. Without a binding of its
// own a role means what chat does.
func (m *meeting) named(ctx context.Context, p Persona) moothall.ModelRequest {
	r := moothall.ModelRequest{Scope: moothall.Scope{Session: m.q.Scope.Session}, Model: p.Model}
	if p.Model != "" || p.Role == moothall.ModelChat {
		return r
	}
	_, bindings, err := m.c.opt.Model.Models(ctx, r.Scope)
	if err != nil {
		m.c.opt.Logger.Debug("no list of models", "err", err)
	}
	for _, b := range bindings {
		if b.Role == p.Role && b.Complexity == "" {
			r.Provider, r.Model = b.Provider, b.Model
		}
	}
	return r
}
