package committee

import (
	"context"
	"slices"
	"strings"
	"sync"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// The states of a deliberation.
const (
	thinking = "thinking"
	done     = "done"
	failed   = "failed"
)

// round lets every member that takes part speak: all at once as far as
// parallel goes, or in turn when they hear one another.
func (m *meeting) round(ctx context.Context, n int) {
	members := m.of(n)
	if !m.c.opt.Settings.SeesRound {
		m.group(ctx, n, members, len(members))
		return
	}
	for i := range members {
		if ctx.Err() != nil {
			return
		}
		m.group(ctx, n, members[i:i+1], len(members)-i)
	}
}

// of are the members of a round.
func (m *meeting) of(n int) []Persona {
	return slices.DeleteFunc(slices.Clone(m.members), func(p Persona) bool { return p.Rounds > 0 && n > p.Rounds })
}

// group is voices of a round that do not hear one another.
type group struct {
	m       *meeting
	round   int
	seats   []*seat
	tails   []string         // what each reads: as it was before the first began
	results []*engine.Result // nil until a run has ended
	limits  engine.Limits    // of each
	news    chan news
	next    int // the first seat that has not begun
	running int
	told    int // the first seat whose end is not recorded
	work    sync.WaitGroup
}

// news is what a run tells the meeting: an event, or its end.
type news struct {
	at     int
	event  engine.Event
	result *engine.Result
}

// group lets members speak. All agents are spawned, and what they read is
// written down, before the first run begins: it is the same for each, however
// long the others take. open is how many runs of the round are still to come.
func (m *meeting) group(ctx context.Context, n int, members []Persona, open int) {
	g := &group{m: m, round: n, limits: m.share(n, open), results: make([]*engine.Result, len(members)), news: make(chan news)}
	labels := m.labels()
	for _, p := range members {
		s := m.sit(ctx, p, labels)
		g.seats, g.tails = append(g.seats, s), append(g.tails, join(m.q.Tail, m.minutes(s, p.Name)))
	}
	g.begin(ctx)
	for g.running > 0 {
		e := <-g.news
		if e.result == nil {
			m.watch(g.seats[e.at], e.event)
			continue
		}
		g.results[e.at], g.running = e.result, g.running-1
		g.record()
		g.begin(ctx)
	}
	g.work.Wait()
	for _, s := range g.seats[g.next:] { // stopped before they began
		s.leave(ctx)
	}
}

// begin starts runs, in order, as far as there is room for them.
func (g *group) begin(ctx context.Context) {
	for g.next < len(g.seats) && g.running < g.m.c.opt.Settings.Parallel && ctx.Err() == nil {
		i, s := g.next, g.seats[g.next]
		g.m.tell(s, g.m.begun(s, g.round))
		tell := func(e engine.Event) { g.news <- news{at: i, event: e} }
		r := s.request(tell)
		r.System, r.Tail, r.Limits = personaSystem(s.persona), g.tails[i], g.limits
		g.next, g.running = g.next+1, g.running+1
		g.work.Go(func() { g.news <- news{at: i, result: s.speak(ctx, r, tell)} })
	}
}

// record writes down the ends of runs, in order.
func (g *group) record() {
	for ; g.told < g.next && g.results[g.told] != nil; g.told++ {
		g.m.record(g.round, g.seats[g.told], g.results[g.told])
	}
}

// speak is the whole of one run, in a goroutine of its own. A model that hangs
// is given up when the run's time is over.
func (s *seat) speak(ctx context.Context, r engine.Request, tell func(engine.Event)) *engine.Result {
	defer s.leave(ctx)
	if r.Limits.Time > 0 {
		limited, cancel := context.WithTimeout(ctx, r.Limits.Time)
		defer cancel()
		ctx = limited
	}
	return s.run(ctx, r, tell)
}

// begun is a deliberation of which nothing is known yet.
func (m *meeting) begun(s *seat, n int) moothall.Deliberation {
	return moothall.Deliberation{Persona: s.persona.Name, Round: n, Status: thinking, Tools: []moothall.CalledTool{}, Color: s.persona.Color}
}

// record takes in what came of a run.
func (m *meeting) record(n int, s *seat, r *engine.Result) {
	d := m.begun(s, n)
	d.Status, d.Response, d.Thinking, d.Usage = done, r.Answer, r.Thinking, r.Usage
	d.Tools = append(d.Tools, r.Calls...)
	if why := failure(r); why != nil {
		d.Status, d.Error = failed, reason(why)
		m.fail(s.persona.Name, why)
	} else {
		m.spoken = append(m.spoken, spoken{d, s.labels})
	}
	m.out.add(s, r)
	for _, f := range r.Flags {
		if strings.HasPrefix(f, engine.FlagClaim) {
			m.out.Flags = append(m.out.Flags, s.persona.Name+": "+f)
		}
	}
	m.out.Deliberations = append(m.out.Deliberations, d)
	m.tell(s, d)
}

// fail leaves a persona out from now on.
func (m *meeting) fail(name string, why error) {
	m.members = slices.DeleteFunc(m.members, func(p Persona) bool { return p.Name == name })
	m.unheard = append(m.unheard, name+": "+reason(why))
	if m.firstly == nil {
		m.firstly = why
	}
}

// watch passes on what a persona does. What it says comes whole, at its end:
// nobody could tell apart pieces of several that speak at once.
func (m *meeting) watch(s *seat, e engine.Event) {
	switch e.Kind {
	case engine.KindStatus, engine.KindCall, engine.KindApproval, engine.KindResult, engine.KindRecall, engine.KindCompacted:
		step := stepOf(e)
		step.From = s.persona.Name
		m.say(step)
	}
}

// The bounds of an event: the bus is for watching, the whole is in the answer.
const (
	maxToldResult   = 4 << 10
	maxToldThinking = 16 << 10
	maxToldResponse = 64 << 10
)

// tell says that a persona has begun or ended. The bus is not the record: a
// committee goes on when it cannot be heard.
func (m *meeting) tell(s *seat, d moothall.Deliberation) {
	m.say(moothall.Step{Kind: "persona", From: d.Persona, Deliberation: &d})
	d.Thinking, d.Response = history.Clip(d.Thinking, maxToldThinking), history.Clip(d.Response, maxToldResponse)
	d.Tools = append([]moothall.CalledTool{}, d.Tools...)
	for i := range d.Tools {
		d.Tools[i].Result = history.Clip(d.Tools[i].Result, maxToldResult)
	}
	e, err := moothall.NewEvent(moothall.SubjectDeliberation, d)
	if err != nil {
		m.c.opt.Logger.Warn("an event could not be made", "subject", moothall.SubjectDeliberation, "err", err)
		return
	}
	e.Session, e.Query, e.Lineage, e.Time = m.q.Scope.Session, m.q.Query, s.agent.Lineage, m.c.opt.Now().UTC()
	m.events.Push(e)
}
