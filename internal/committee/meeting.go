package committee

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/engine/telling"
)

// meeting is one question being answered. It belongs to the goroutine that
// asked.
type meeting struct {
	c       *Committee
	q       Question
	say     func(moothall.Step)
	members []Persona // who has not failed
	began   time.Time
	spoken  []spoken // what counts, in the order of the record
	unheard []string // who has failed, with the reason
	firstly error    // the first failure
	cards   map[string]moothall.ModelCard
	out     *Outcome
	events  *telling.Teller
}

// spoken is a deliberation that others may read.
type spoken struct {
	moothall.Deliberation
	labels moothall.Label
}

// deliberate goes through the rounds and lets the Self answer.
func (m *meeting) deliberate(ctx context.Context) {
	for n := 1; n <= m.q.Rounds && len(m.members) > 0 && ctx.Err() == nil; n++ {
		if n > 1 && !m.affords(n) {
			m.out.flag(FlagBudget, fmt.Sprintf("what was left did not pay for round %d", n))
			break
		}
		m.round(ctx, n)
	}
	for _, u := range m.unheard {
		m.out.flag(FlagUnheard, u)
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		m.out.Stop = moothall.StopCanceled
	case len(m.spoken) == 0:
		m.silence()
	default:
		m.synthesise(ctx)
		return
	}
	m.close("")
}

// silence ends a committee in which nobody could speak.
func (m *meeting) silence() {
	if m.firstly == nil { // the time was over before anybody began
		m.firstly = overspent("committee", "the time was over before anybody could speak")
		m.unheard = []string{reason(m.firstly)}
	}
	e := &moothall.Error{
		Code: moothall.ErrorCode(m.firstly), Op: "committee", Message: "no voice of the committee could speak: " + m.unheard[0],
		Remedy: moothall.ErrorRemedy(m.firstly), Err: m.firstly,
	}
	if e.Remedy == "" {
		e.Remedy = "ask again; moothall doctor says whether a model answers"
	}
	m.out.Stop, m.out.Err = moothall.StopError, e
	if e.Code == moothall.CodeExhausted {
		m.out.Stop = moothall.StopBudget
	}
}

// overspent is the error of who had too little to spend.
func overspent(op, message string) *moothall.Error {
	return &moothall.Error{
		Code: moothall.CodeExhausted, Op: op, Message: message, Remedy: "ask fewer personas or rounds, or raise the committee's limits",
	}
}

// synthesise lets the Self answer.
func (m *meeting) synthesise(ctx context.Context) {
	limits, ok := m.shareOfSelf()
	if !ok {
		m.out.Stop = moothall.StopBudget
		m.unanswered(overspent("committee", "the budget was spent before the Self could answer"))
		m.close("")
		return
	}
	m.say(moothall.Step{Kind: "status", Text: "the voices have spoken; " + m.c.self.Name + " puts the answer together"})
	s := m.sit(ctx, m.c.self, m.labels())
	defer s.leave(ctx)
	r := s.request(m.show)
	r.Run, r.System = m.q.Run, selfSystem(s.persona)
	r.Tail = join(m.q.Tail, m.minutes(s, ""), m.absent())
	r.Limits = limits
	r.Limits.Rounds, r.Limits.Retries = m.c.opt.Settings.ToolTurns+1, 1
	dissent := dissents(m.latest())
	r.Check = func(_ context.Context, answer string) (engine.Verdict, error) { return verdict(dissent, answer), nil }
	m.conclude(s, s.run(ctx, r, m.show))
}

// alone is the way to answer without personas: what the Self's tools find is
// looked up before it speaks.
func (m *meeting) alone(ctx context.Context) {
	s := m.sit(ctx, m.c.self, 0)
	defer s.leave(ctx)
	r := s.request(m.show)
	r.Run, r.System, r.Tail = m.q.Run, aloneSystem(s.persona), m.q.Tail
	r.Abilities.Tools = engine.ToolsNone
	r.Limits.Tokens, r.Limits.Time = m.c.opt.Settings.Tokens, m.c.opt.Settings.Time
	m.conclude(s, s.run(ctx, r, m.show))
}

// conclude makes the Self's result the outcome's.
func (m *meeting) conclude(s *seat, r *engine.Result) {
	o := m.out
	o.add(s, r)
	o.Answer, o.Thinking, o.Stop, o.Err = r.Answer, r.Thinking, r.Stop, r.Err
	o.Provider, o.Model, o.First, o.Rounds, o.Mode = r.Provider, r.Model, r.First, r.Rounds, r.Mode
	o.Passed, o.Failed, o.Partial = r.Passed, r.Failed, r.Partial
	for _, f := range r.Flags {
		if _, ok := strings.CutPrefix(f, engine.FlagCheck+": "); ok {
			f = FlagDissent + ": " + strings.Join(r.Failed, "; ")
		}
		o.Flags = append(o.Flags, f)
	}
	if why := failure(r); why != nil && r.Stop != moothall.StopCanceled {
		m.unanswered(why)
	}
	m.close(lastWords(r))
}

// unanswered says that there is no answer, and why.
func (m *meeting) unanswered(why error) {
	m.out.flag(FlagUnanswered, reason(why))
	m.out.Err = why
}

// close leaves the messages to keep.
func (m *meeting) close(answer string) {
	list := []moothall.Message{{Role: moothall.RoleUser, Content: m.q.Text}}
	if answer != "" {
		list = append(list, moothall.Message{Role: moothall.RoleAssistant, Content: answer})
	}
	m.out.Messages = history.Close(list, history.Unanswered)
	m.out.Partial = m.out.Partial || m.out.Stop != moothall.StopDone && len(m.spoken) > 0
}

// lastWords are the answer as it stands in a history, where it is marked when
// it was cut off.
func lastWords(r *engine.Result) string {
	if n := len(r.Messages); r.Answer != "" && n > 0 && r.Messages[n-1].Role == moothall.RoleAssistant {
		return r.Messages[n-1].Content
	}
	return r.Answer
}

// show passes on what the Self does, as an answer to the person.
func (m *meeting) show(e engine.Event) {
	s := stepOf(e)
	if e.Kind == engine.KindRound && e.Void != "" {
		s = moothall.Step{Kind: "void", Text: e.Void}
	} else if e.Kind == engine.KindRound {
		return
	}
	m.say(s)
}

func stepOf(e engine.Event) moothall.Step {
	s := moothall.Step{Kind: string(e.Kind), Text: e.Text, Call: e.Call, Asked: e.Asked, Result: e.Result, Recall: e.Recall}
	if e.Kind == engine.KindCompacted {
		s.Kind = string(engine.KindStatus)
	}
	return s
}

// labels are what the deliberations have touched.
func (m *meeting) labels() moothall.Label {
	var l moothall.Label
	for _, d := range m.spoken {
		l |= d.labels
	}
	return l
}

// latest is what each voice said last.
func (m *meeting) latest() []moothall.Deliberation {
	at := map[string]int{}
	var out []moothall.Deliberation
	for _, d := range m.spoken {
		if i, ok := at[d.Persona]; ok {
			out[i] = d.Deliberation
			continue
		}
		at[d.Persona] = len(out)
		out = append(out, d.Deliberation)
	}
	return out
}

// failure is why what a run said does not count, nil when it does.
func failure(r *engine.Result) error {
	switch {
	case r.Err != nil:
		return r.Err
	case r.Stop == moothall.StopCanceled:
		return moothall.Fail(moothall.CodeCanceled, "deliberation", "it was stopped")
	case r.Stop == moothall.StopBudget:
		return overspent("deliberation", "its share of the budget was used up")
	case strings.TrimSpace(r.Answer) == "":
		return moothall.Fail(moothall.CodeUnavailable, "deliberation", "the model said nothing")
	}
	return nil
}

// reason is what of an error may be shown.
func reason(err error) string {
	var e *moothall.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return string(moothall.ErrorCode(err))
}
