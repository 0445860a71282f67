package broker

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// digest is what the broker keeps of a handle.
type digest [sha256.Size]byte

// agent is one living agent. All of it is the broker's own knowledge.
type agent struct {
	hash       digest // of its handle
	id         moothall.AgentID
	kind       moothall.AgentType
	lineage    moothall.Lineage
	scope      moothall.SessionID // as the person knows it; may be empty
	session    *session
	task       *task
	parent     *agent
	children   map[*agent]bool // that live; guarded by Broker.mu
	message    string          // what a message's overrides are bound to
	query      moothall.QueryID
	unattended bool
	authority  policy.Authority

	admitted chan struct{}    // closed when it is on record, or is known not to be
	refused  error            // why it is not; set before
	begin    func(hurry bool) // begins to put it on record, once; nil when that has begun
	late     *time.Timer      // begins it by itself

	mu      sync.Mutex
	next    []func() // to be done when admitted is closed
	labels  moothall.Label
	foreign bool // definitions of foreign tools are in its sight
}

// sees returns the labels that count for a call. Whoever wrote the definition
// of a foreign tool, approved as it is, may have written into it what to send
// out: for sending it counts as outside content. For all else it does not, or
// a hall with one such tool would ask about everything.
func (a *agent) sees(spec moothall.ToolSpec) moothall.Label {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.foreign && builtIn(spec) && (spec.Risk == moothall.RiskSend || len(spec.Sends) > 0) {
		return a.labels | moothall.Untrusted
	}
	return a.labels
}

// touched returns the labels of the agent's run.
func (a *agent) touched() moothall.Label {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.labels
}

// taint adds labels to an agent and all above it: a child's words come back
// to its parent.
func (a *agent) taint(l moothall.Label) {
	for ; a != nil; a = a.parent {
		a.mu.Lock()
		a.labels |= l
		a.mu.Unlock()
	}
}

func (a *agent) about(correlation string) about {
	return about{session: a.scope, query: a.query, lineage: a.lineage, correlation: correlation, kind: a.kind}
}

// claims reports whether what a caller says of itself is so. Who claims
// nothing claims nothing wrong.
func (a *agent) claims(s moothall.Scope) bool {
	return (len(s.Lineage) == 0 || slices.Equal(s.Lineage, a.lineage)) && (s.Session == "" || s.Session == a.scope)
}

// entry begins a line of the record about an agent.
func (a *agent) entry(action moothall.AuditAction, status moothall.AuditStatus) moothall.AuditEntry {
	return moothall.AuditEntry{
		Scope: moothall.Scope{Session: a.scope, Lineage: a.lineage}, Agent: a.id, AgentType: a.kind,
		Query: a.query, Action: action, Status: status,
	}
}

// find resolves a handle.
func (b *Broker) find(h moothall.Handle) (*agent, error) {
	sum := digest(sha256.Sum256([]byte(h)))
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed()
	}
	a := b.agents[sum]
	if a == nil {
		return nil, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	return a, nil
}

type finishedEvent struct {
	Agent  moothall.AgentID   `json:"agent"`
	Type   moothall.AgentType `json:"agent_type"`
	Labels moothall.Label     `json:"labels"`
	Why    string             `json:"why"` // finished, parent, restart
}

// Finish ends an agent and all below it; their handles are void afterwards.
func (f face) Finish(ctx context.Context, s moothall.Scope, h moothall.Handle) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	a, err := f.b.find(h)
	if err != nil {
		return err
	}
	if !a.claims(s) {
		return moothall.Fail(moothall.CodeDenied, "finish", "the lineage or session claimed is not the agent's own")
	}
	if a.begin != nil { // it did nothing that its record had to be there for
		a.late.Stop()
		a.begin(false)
	}
	return f.b.finish(a)
}

func (b *Broker) finish(a *agent) error {
	b.mu.Lock()
	if b.agents[a.hash] != a { // finished by another in the same moment
		b.mu.Unlock()
		return moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	gone := b.remove(a, nil)
	if a.parent != nil {
		delete(a.parent.children, a)
	}
	b.mu.Unlock()
	a.afterwards(func() { b.gone(a, gone) })
	return nil
}

// gone writes down and tells that agents have ended, an agent and those below
// it. Nobody waits for these rows: after a crash every agent has ended.
func (b *Broker) gone(a *agent, list []*agent) {
	now := b.opt.Now().UnixMilli()
	b.writes.later(func(tx *store.Tx) error {
		for _, g := range list {
			if _, err := tx.Exec(context.Background(), `UPDATE broker_agents SET ended = ?, why = ? WHERE id = ?`, now, why(g, a), string(g.id)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, g := range list {
		b.tell(moothall.SubjectAgentFinished, g.about(string(g.id)), finishedEvent{Agent: g.id, Type: g.kind, Labels: g.touched(), Why: why(g, a)})
	}
}

// remove takes an agent and those below it out, the deepest first; the lock
// is held.
func (b *Broker) remove(a *agent, gone []*agent) []*agent {
	for child := range a.children {
		gone = b.remove(child, gone)
	}
	delete(b.agents, a.hash)
	b.closeSession(a.session)
	b.closeTask(a.task)
	return append(gone, a)
}

func why(g, ended *agent) string {
	if g == ended {
		return "finished"
	}
	return "parent"
}

// first returns the first error there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// short fits a remark into the record.
func short(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return cutText(s, most)
}
