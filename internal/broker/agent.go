package broker

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"sync"

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

	mu      sync.Mutex
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
	return about{session: a.scope, query: a.query, lineage: a.lineage, correlation: correlation}
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

// Spawn registers an agent and gives it its handle.
func (f face) Spawn(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Agent{}, err
	}
	if err := f.b.enter(); err != nil {
		return moothall.Agent{}, err
	}
	defer f.b.work.Done()
	var a *agent
	var err error
	if r.Parent == "" {
		a, err = f.root(ctx, r)
	} else {
		a, err = f.child(ctx, r)
	}
	if err != nil {
		return moothall.Agent{}, err
	}
	return f.b.admit(ctx, a, r)
}

// root makes an agent that a person's words start. Its session and task are
// open afterwards.
func (f face) root(ctx context.Context, r moothall.SpawnRequest) (*agent, error) {
	const op = "spawn"
	if err := f.among(mayRoot, op); err != nil {
		return nil, err
	}
	if len(r.Lineage) > 0 {
		return nil, f.b.forged(ctx, nil, r)
	}
	authority, d := f.b.catalog.Load().rules.Root(r.Type)
	if d.Verdict != moothall.Allow {
		return nil, spawnError(d)
	}
	id := moothall.AgentID(moothall.NewID())
	a := &agent{
		id: id, kind: r.Type, lineage: moothall.Lineage{id}, scope: r.Session, query: r.Query,
		unattended: r.Unattended, authority: authority,
	}
	sessionKey, taskKey := string(r.Session), "agent:"+string(id)
	a.message = string(r.Query)
	if a.message == "" {
		a.message = string(id)
	}
	if sessionKey == "" { // a conversation of its own
		sessionKey = "agent:" + string(id)
	}
	switch {
	case r.Task != "":
		taskKey = "task:" + string(r.Task)
	case r.Query != "":
		taskKey = "query:" + string(r.Query)
	}
	return a, f.b.place(ctx, a, sessionKey, taskKey)
}

// place opens an agent's session and task.
func (b *Broker) place(ctx context.Context, a *agent, session, task string) error {
	var err error
	if a.session, err = b.openSession(ctx, session); err != nil {
		return err
	}
	if a.task, err = b.openTask(ctx, task); err != nil {
		b.leaveSession(a.session)
	}
	return err
}

// child makes an agent below another.
func (f face) child(ctx context.Context, r moothall.SpawnRequest) (*agent, error) {
	p, err := f.b.find(r.Parent)
	if err != nil {
		return nil, err
	}
	if !p.claims(r.Scope) {
		return nil, f.b.forged(ctx, p, r)
	}
	o := p.session.overrides(p.message, f.b.opt.Now())
	p.task.mu.Lock()
	authority, d := f.b.catalog.Load().rules.Spawn(p.authority, r.Type, p.task.spawns, o)
	if d.Verdict == moothall.Allow {
		p.task.spawns++ // under the lock: as many as are allowed, and no more
	}
	p.task.mu.Unlock()
	if d.Verdict != moothall.Allow {
		e := p.entry(moothall.ActionSpawn, moothall.StatusDenied)
		e.Rule, e.Note = d.Layer+"/"+d.Rule, short("type "+string(r.Type))
		if _, err := f.b.opt.Audit.Append(ctx, e); err != nil {
			return nil, err
		}
		return nil, spawnError(d)
	}
	id := moothall.AgentID(moothall.NewID())
	a := &agent{
		id: id, kind: r.Type, lineage: append(slices.Clone(p.lineage), id), scope: p.scope, query: p.query, parent: p,
		unattended: r.Unattended || p.unattended, authority: authority, message: p.message, labels: p.touched(),
	}
	return a, f.b.place(ctx, a, p.session.id, p.task.id)
}

func spawnError(d moothall.Decision) error {
	code := moothall.CodeDenied
	if d.Rule == "unknown_type" {
		code = moothall.CodeNotFound
	}
	return &moothall.Error{Code: code, Op: "spawn", Message: d.Reason, Remedy: d.Allows}
}

// forged puts on record that a caller said to be who it is not.
func (b *Broker) forged(ctx context.Context, p *agent, r moothall.SpawnRequest) error {
	e := moothall.AuditEntry{Scope: moothall.Scope{Session: r.Session}, Action: moothall.ActionSpawn, Status: moothall.StatusDenied}
	if p != nil {
		e = p.entry(moothall.ActionSpawn, moothall.StatusDenied)
	}
	e.Rule, e.Note = policy.LayerIdentity+"/lineage_mismatch", "another lineage or session was claimed"
	if _, err := b.opt.Audit.Append(ctx, e); err != nil {
		return err
	}
	return moothall.Fail(moothall.CodeDenied, "spawn", "the lineage or session claimed is not the agent's own")
}

// admit records an agent and gives out its handle.
func (b *Broker) admit(ctx context.Context, a *agent, r moothall.SpawnRequest) (moothall.Agent, error) {
	changed, news := false, (*learned)(nil)
	if a.parent == nil {
		changed = a.session.arrive(a.message)
		news = a.session.known.learnTyped(r.Words)
	}
	a.session.mu.Lock()
	changed = changed || r.Labels&^a.session.labels != 0
	a.labels |= a.session.labels | r.Labels
	a.session.mu.Unlock()
	rows := b.writes.start(func(tx *store.Tx) error {
		if changed {
			if err := a.session.save(tx, r.Labels); err != nil {
				return err
			}
		}
		if news != nil {
			if err := news.save(tx, a.session.id); err != nil {
				return err
			}
		}
		if a.parent != nil {
			if err := a.task.save(tx); err != nil {
				return err
			}
		}
		_, err := tx.Exec(context.Background(), `INSERT INTO broker_agents (id, session, type, lineage, query, boot, began) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, string(a.id), string(a.scope), string(a.kind), a.lineage.String(), string(a.query), b.boot, b.opt.Now().UnixMilli())
		return err
	})
	_, auditErr := b.opt.Audit.Append(ctx, a.entry(moothall.ActionSpawn, moothall.StatusOK))
	if err := first(<-rows, auditErr); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.closeSession(a.session)
		b.closeTask(a.task)
		return moothall.Agent{}, err
	}
	a.session.mu.Lock()
	a.session.labels |= r.Labels
	a.session.mu.Unlock()
	return b.handOut(a)
}

func (b *Broker) handOut(a *agent) (moothall.Agent, error) {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails: crypto/rand crashes the program instead
	h := moothall.Handle(base64.RawURLEncoding.EncodeToString(secret))
	a.hash, a.children = sha256.Sum256([]byte(h)), map[*agent]bool{}
	out := moothall.Agent{
		ID: a.id, Type: a.kind, Lineage: slices.Clone(a.lineage), Labels: a.touched(), Handle: h,
		Tools: b.catalog.Load().rules.Offered(a.authority, a.session.overrides(a.message, b.opt.Now())),
	}
	b.mu.Lock()
	if p := a.parent; p != nil && b.agents[p.hash] != p {
		b.closeSession(a.session)
		b.closeTask(a.task)
		b.mu.Unlock()
		return moothall.Agent{}, moothall.Fail(moothall.CodeDenied, "spawn", "the parent has ended")
	}
	b.agents[a.hash] = a
	if a.parent != nil {
		a.parent.children[a] = true
	}
	b.mu.Unlock()
	b.stats.spawned.Add(1)
	b.tell(moothall.SubjectAgentSpawned, a.about(string(a.id)), spawnedEvent{
		Agent: a.id, Type: a.kind, Lineage: a.lineage, Tools: out.Tools, Labels: out.Labels, Unattended: a.unattended,
	})
	return out, nil
}

type spawnedEvent struct {
	Agent      moothall.AgentID    `json:"agent"`
	Type       moothall.AgentType  `json:"agent_type"`
	Lineage    moothall.Lineage    `json:"lineage"`
	Tools      []moothall.ToolName `json:"tools"`
	Labels     moothall.Label      `json:"labels"`
	Unattended bool                `json:"unattended,omitempty"`
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
	// Nobody waits for this row: after a crash every agent has ended.
	b.writes.later(func(tx *store.Tx) error {
		for _, g := range gone {
			if _, err := tx.Exec(context.Background(), `UPDATE broker_agents SET ended = ?, why = ? WHERE id = ?`,
				b.opt.Now().UnixMilli(), why(g, a), string(g.id)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, g := range gone {
		b.tell(moothall.SubjectAgentFinished, g.about(string(g.id)), finishedEvent{Agent: g.id, Type: g.kind, Labels: g.touched(), Why: why(g, a)})
	}
	return nil
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
