package orchestrator

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"moothall"
	"moothall/internal/orchestrator/journal"
)

// budget is how many tokens the task may use in all; the lock is held. The
// session's is shared with its other tasks.
func (t *task) budget() int {
	b := math.MaxInt32
	if n := t.settings.TaskTokens; n > 0 {
		b = n
	}
	if n := t.settings.SessionTokens; n > 0 {
		b = min(b, n-t.elsewhere())
	}
	return b
}

// left is what the task has not used yet; the lock is held.
func (t *task) left() int { return t.budget() - t.used() }

// used is how many tokens the task has taken; the lock is held.
func (t *task) used() int {
	n := t.row.Tokens
	for _, m := range t.nodes {
		n += m.live
	}
	return n
}

// elsewhere is how many tokens the session's other tasks have taken; the lock
// is held.
func (t *task) elsewhere() int {
	if t.purse == nil {
		return 0
	}
	return int(t.purse.Load()) - t.told
}

// tell lets the session's other tasks know what this one has taken; the lock
// is held.
func (t *task) tell() {
	if t.purse == nil {
		return
	}
	n := t.used()
	t.purse.Add(int64(n - t.told))
	t.told = n
}

// purse is what all tasks of a session have used: that of their rows at first,
// and what each tells from then on.
func (o *Orchestrator) purse(ctx context.Context, session moothall.SessionID) (*atomic.Int64, error) {
	o.purseMu.Lock()
	defer o.purseMu.Unlock()
	if p := o.purses[session]; p != nil {
		return p, nil
	}
	n, err := o.journal.Spent(ctx, session)
	if err != nil {
		return nil, err
	}
	p := new(atomic.Int64)
	p.Store(int64(n))
	o.purses[session] = p
	return p, nil
}

// leastTokens must be left for a plan to be made anew, or a result verified.
const leastTokens = 1000

// reserved is the part of a budget that is kept for the answer.
const reserved = 10 // one in so many

// share is what a subtask may use: what is left, without what the answer
// needs, divided among those that have not ended. Who uses less leaves more
// to the others. The lock is held.
func (t *task) share() int {
	if t.settings.TaskTokens <= 0 && t.settings.SessionTokens <= 0 {
		return 0 // no limit
	}
	open := 0
	for _, n := range t.nodes {
		if !journal.SubEnded(n.State) {
			open++
		}
	}
	left := t.left()
	return max((left-left/reserved)/max(open, 1), 1) // 0 would be no limit
}

// burning reports whether tokens go faster than the work; the lock is held.
func (t *task) burning() bool {
	budget := t.budget()
	if budget == math.MaxInt32 || len(t.nodes) == 0 {
		return false
	}
	used := float64(t.row.Tokens) / float64(max(budget, 1))
	return used > float64(len(t.finished))/float64(len(t.nodes))+0.25
}

// account adds what a subtask took to the task's own figures; the lock is
// held.
func (t *task) account(n *node, out *ending) {
	u := out.Usage
	n.live = 0 // it is in its usage now
	t.spend(out.Role, moothall.Usage{
		Calls: u.Calls - n.Usage.Calls, PromptTokens: u.PromptTokens - n.Usage.PromptTokens, OutputTokens: u.OutputTokens - n.Usage.OutputTokens,
		FirstToken: u.FirstToken, Total: u.Total - n.Usage.Total,
	})
	t.row.Labels |= out.Labels
	t.row.Sent = moothall.SumEgress(t.row.Sent, out.Sent[min(len(n.Sent), len(out.Sent)):]...)
}

// spend adds the usage of a role; the lock is held.
func (t *task) spend(role moothall.ModelRole, u moothall.Usage) {
	t.row.Tokens += u.PromptTokens + u.OutputTokens
	byRole := make(map[moothall.ModelRole]moothall.Usage, len(t.row.ByRole)+1)
	for r, had := range t.row.ByRole { // the row that was handed out stays as it was
		byRole[r] = had
	}
	byRole[role] = byRole[role].Plus(u)
	t.row.ByRole = byRole
	t.tell()
}

// roleOf is the role whose model does the work of an agent type.
func roleOf(kind moothall.AgentType) (role moothall.ModelRole, complexity string) {
	switch kind {
	case coder:
		return moothall.ModelCoder, "code"
	case sysadmin:
		return moothall.ModelCoder, "reasoning"
	case researcher:
		return moothall.ModelResearcher, "reasoning"
	case chief:
		return moothall.ModelOrchestrator, "reasoning"
	}
	return moothall.ModelChat, ""
}

// defaultWindow is assumed of a model that says nothing.
const defaultWindow = 8192

// cards remembers what the models of the roles can do, for one task.
type cards struct {
	mu    sync.Mutex // never while a server is asked: who looks may hold the task's
	known map[moothall.ModelRole]moothall.ModelCard
}

func (c *cards) get(role moothall.ModelRole) (moothall.ModelCard, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	card, ok := c.known[role]
	return card, ok
}

func (c *cards) put(role moothall.ModelRole, card moothall.ModelCard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[moothall.ModelRole]moothall.ModelCard{}
	}
	c.known[role] = card
}

// card says what the model of a role can do. One that cannot be told is
// zero: the call itself will say what is wrong.
func (t *task) card(ctx context.Context, role moothall.ModelRole, model string) moothall.ModelCard {
	if c, ok := t.cards.get(role); ok {
		return c
	}
	r := moothall.ModelRequest{Scope: moothall.Scope{Session: t.session}, Model: model}
	if model == "" {
		_, bindings, err := t.o.opt.Model.Models(ctx, r.Scope)
		if err != nil {
			t.o.opt.Logger.Debug("the models cannot be listed", "err", err)
		}
		for _, b := range bindings {
			if b.Role == role {
				r.Provider, r.Model = b.Provider, b.Model
				break
			}
		}
	}
	c, err := t.o.opt.Model.ShowModel(ctx, r)
	if err != nil {
		t.o.opt.Logger.Debug("no card for the model", "role", role, "err", err)
		return moothall.ModelCard{}
	}
	t.cards.put(role, c)
	return c
}
