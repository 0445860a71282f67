package orchestrator

import (
	"context"
	"fmt"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// maxAttempts is how often a subtask is taken up after restarts before it is
// given up: it may be what brings the hall down.
const maxAttempts = 25

// shift is one agent at work on one subtask.
type shift struct {
	t     *task
	n     *node
	sub   journal.Subtask // with what this shift adds
	agent moothall.Agent
	voice *voice
	specs map[moothall.ToolName]moothall.ToolSpec
	past  []moothall.Message // rounds of earlier shifts
	round journal.Round      // the one that goes on
	begun map[moothall.CallID]moothall.ToolCall
	web   bool
	good  int // calls that ended well
	// verdict is the last one of the check.
	verdict engine.Verdict
	plain   bool // the check looked at more than files
}

// runSubtask does a subtask. An error means that it is not over: the hall
// goes down, or nothing can be written.
func (t *task) runSubtask(ctx context.Context, n *node) (ending, error) {
	s := &shift{t: t, n: n, begun: map[moothall.CallID]moothall.ToolCall{}}
	work, err := s.begin(ctx)
	if err != nil {
		return ending{}, err
	}
	if why := s.hopeless(); why != "" {
		return s.failed(why), nil
	}
	if err := s.hire(ctx); err != nil {
		return s.broke(ctx, "no agent could be had: ", err)
	}
	defer t.release(ctx, s.agent)
	question, err := s.remember(ctx, work)
	if err != nil {
		return ending{}, err
	}
	if question != nil {
		return s.ask(question), nil
	}
	return s.do(ctx)
}

// begin puts on record that the subtask runs, and returns what earlier
// attempts have left.
func (s *shift) begin(ctx context.Context) ([]journal.Work, error) {
	t, n := s.t, s.n
	var work []journal.Work
	if n.resume || n.Attempt > 0 && !n.claimed || n.Attempt > 1 {
		var err error
		if work, err = t.o.journal.Work(context.WithoutCancel(ctx), t.id, n.ID); err != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			return nil, t.broken(err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !n.claimed {
		t.prepare(n)
		if err := t.save(ctx, []*node{n}); err != nil {
			return nil, err
		}
		t.tellNode(n)
	}
	n.claimed, n.resume = false, false
	s.sub = n.Subtask
	s.voice = &voice{t: t, n: n, heard: len(t.row.Words)}
	return work, nil
}

// prepare makes a node one that runs; the lock is held.
func (t *task) prepare(n *node) {
	n.State = journal.SubRunning
	n.Attempt++
	n.Run = moothall.RunID(moothall.NewID())
	if n.Budget = t.share(); n.Budget > 0 {
		n.Budget += n.used()
	}
	n.Role, _ = roleOf(n.Type)
	if n.Began.IsZero() {
		n.Began = t.o.opt.Now().UTC()
	}
}

// hopeless says why a subtask is not even begun.
func (s *shift) hopeless() string {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	switch {
	case s.n.Attempt > maxAttempts:
		return fmt.Sprintf("it was cut off %d times and is given up", maxAttempts)
	case s.t.left() <= 0:
		return "the token budget is used up"
	}
	return ""
}

// hire gets the agent and what it may use.
func (s *shift) hire(ctx context.Context) error {
	b := s.t.o.opt.Broker
	agent, err := b.Spawn(ctx, moothall.SpawnRequest{
		Scope: s.t.scope(), Parent: s.t.root.Handle, Type: s.n.Type, Query: s.t.row.Query, Task: s.t.id,
		Labels: s.brought(), Unattended: s.t.row.Unattended,
	})
	if err != nil {
		return err
	}
	s.agent = agent
	s.sub.Agent, s.sub.Lineage, s.sub.Labels = agent.ID, agent.Lineage, s.sub.Labels|agent.Labels
	return nil
}

// brought is what the results that it builds on have touched.
func (s *shift) brought() moothall.Label {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	var l moothall.Label
	for _, id := range append([]string{s.n.Verifies}, s.n.DependsOn...) {
		if b := s.t.byID[id]; b != nil {
			l |= b.Labels
		}
	}
	return l
}

// failed is an end in the hall's own words.
func (s *shift) failed(why string) ending {
	s.sub.Report = report.Failure(why)
	return ending{Subtask: s.sub, state: journal.SubFailed}
}

// broke is the end by an error of a peer, unless the task itself is to end.
func (s *shift) broke(ctx context.Context, what string, err error) (ending, error) {
	if ctx.Err() != nil {
		return s.cut(ctx)
	}
	return s.failed(what + safe(err)), nil
}

// cut is the end of a subtask whose task was stopped. When the hall goes down
// it is not over.
func (s *shift) cut(ctx context.Context) (ending, error) {
	s.t.mu.Lock()
	stopped := s.t.stopping
	s.t.mu.Unlock()
	if !stopped {
		return ending{}, context.Cause(ctx)
	}
	s.sub.Report, s.sub.Stop = report.Failure("the task was stopped"), moothall.StopCanceled
	return ending{Subtask: s.sub, state: journal.SubCancelled}, nil
}

// ask leaves the subtask to a person's decision. Where nobody is there to be
// asked, it fails.
func (s *shift) ask(q *journal.Question) ending {
	if s.t.row.Unattended {
		return s.failed("a restart cut a call of " + string(q.Tool) + " off; whether it had its effect is not known, and nobody is there to say")
	}
	s.sub.Question, s.sub.Said = q, ""
	return ending{Subtask: s.sub, state: journal.SubUnknown}
}

// do lets the agent work.
func (s *shift) do(ctx context.Context) (ending, error) {
	req, err := s.request(ctx)
	if err != nil {
		return s.broke(ctx, "its tools could not be had: ", err)
	}
	for e, err := range engine.Run(ctx, req) {
		if err != nil {
			return s.failed("the agent could not be run: " + safe(err)), nil
		}
		if e.Kind == engine.KindFinal {
			return s.end(ctx, e.Final)
		}
		if err := s.hear(ctx, e); err != nil {
			return ending{}, err
		}
	}
	return ending{}, moothall.Fail(moothall.CodeInternal, "subtask", "the run ended without a result")
}

// request lays the run out: what does not change first.
func (s *shift) request(ctx context.Context) (engine.Request, error) {
	t, n := s.t, s.n
	role, complexity := roleOf(n.Type)
	card := t.card(ctx, role, t.row.Model)
	window := card.Window
	if window <= 0 {
		window = defaultWindow
	}
	scope := moothall.Scope{Session: t.session, Lineage: s.agent.Lineage}
	input := s.assignment()
	tools, err := t.o.opt.Broker.Discover(ctx, moothall.DiscoverRequest{Scope: scope, Agent: s.agent.Handle, Task: n.Task, Window: window, Limit: card.Offer})
	if err != nil {
		return engine.Request{}, err
	}
	if to := t.o.opt.Deputies[n.Type]; len(to) > 0 && n.Verifies == "" {
		tools = append(tools, delegateSpec(to))
	}
	s.specs = make(map[moothall.ToolName]moothall.ToolSpec, len(tools))
	for _, spec := range tools {
		s.specs[spec.Name] = spec
	}
	system := prompt.Agent(n.Type)
	if n.Verifies != "" {
		system = prompt.Verifier()
	}
	r := engine.Request{
		Model: s.voice, Broker: &deputy{Broker: t.o.opt.Broker, s: s, agent: s.agent}, Handle: s.agent.Handle, Scope: scope, Query: t.row.Query, Run: n.Run,
		Role: role, Complexity: complexity, ModelName: t.row.Model, Priority: moothall.PriorityTask, Window: window,
		System: system, Tail: "It is " + t.o.opt.Now().Format("Monday, 2 January 2006, 15:04") + ".",
		Tools: tools, Abilities: engine.AbilitiesOf(card), Schema: report.Schema(), Check: s.check,
		Limits: engine.Limits{
			Rounds: t.settings.Rounds, Retries: t.settings.Retries, Tokens: s.tokens(), Time: time.Duration(t.settings.Minutes) * time.Minute,
		},
		Meter: t.o.meter, Now: s.voice.now,
	}
	r.Input = []moothall.Message{{Role: moothall.RoleUser, Content: input}}
	if len(s.past) > 0 { // go on where the last shift was cut off
		r.History, r.Input = append(r.Input, s.past...), nil
	}
	return r, nil
}

// tokens is what is left of the subtask's share.
func (s *shift) tokens() int {
	if s.n.Budget <= 0 {
		return 0
	}
	return max(s.voice.left(), 1)
}

// tokensBelow is what an agent below may take of it: not what the agent above
// needs for its report.
func (s *shift) tokensBelow() int {
	left := s.tokens()
	return left - left/reserved
}

// assignment is what the agent is told: its task, and of the subtasks that it
// depends on nothing but summaries and paths.
func (s *shift) assignment() string {
	t, n := s.t, s.n
	t.mu.Lock()
	defer t.mu.Unlock()
	w := prompt.Work{Task: n.Task, Inputs: n.Inputs}
	if len(t.nodes) > 1 {
		w.Goal = t.row.Goal
	}
	for _, id := range n.DependsOn {
		if b := t.byID[id]; b != nil {
			w.Before = append(w.Before, b.result())
		}
	}
	if n.Verifies != "" {
		claim := t.byID[n.Verifies].result()
		claim.Task = t.byID[n.Verifies].Task
		w.Claim = &claim
	}
	for _, word := range t.row.Words[:s.voice.heard] {
		w.Words = append(w.Words, word.Text)
	}
	return prompt.Assignment(w)
}

// result is what is handed on of a node; the task's lock is held.
func (n *node) result() prompt.Result {
	r := prompt.Result{
		ID: n.ID, Status: n.Report.Status, Summary: n.Report.Summary, Quality: n.Report.Quality, Source: n.Report.Source, Failure: n.Report.Why(),
	}
	for _, a := range n.Artifacts {
		if a.Proven {
			r.Artifacts = append(r.Artifacts, a.Path)
		} else {
			r.Unproven = append(r.Unproven, a.Path)
		}
	}
	return r
}

// size is about how many bytes a node's result takes on the desk.
func (n *node) size() int {
	size := 120 + len(n.ID) + len(n.Report.Summary) + len(n.Report.Why())
	for _, a := range n.Artifacts {
		size += len(a.Path) + 4
	}
	return size
}
