package broker

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// Spawn registers an agent and gives it its handle.
func (f face) Spawn(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	if err := f.b.enter(); err != nil {
		return moothall.Agent{}, err
	}
	defer f.b.work.Done()
	a, err := f.conceive(ctx, r, false)
	if err != nil {
		return moothall.Agent{}, err
	}
	if err := f.b.admit(ctx, a, r)(true)(); err != nil {
		f.b.leave(a)
		return moothall.Agent{}, err
	}
	a.enter()
	out, err := f.b.handOut(a)
	if err == nil {
		f.b.welcome(a, out)
	}
	return out, err
}

// SpawnEarly is [face.Spawn] of an agent without a parent, for one who has
// something else to do before its first call: it does not wait for the disk.
// Nothing that the agent does has an effect before it is on record: its calls
// and its children wait for that, and are refused with what kept it from
// being so. It is put on record with its first call, with its end or in a
// moment, whichever comes first. Fresh says that session and query were made
// for this: nothing can be known of them.
func (f face) SpawnEarly(ctx context.Context, r moothall.SpawnRequest, fresh bool) (moothall.Agent, error) {
	if r.Parent != "" {
		return f.Spawn(ctx, r)
	}
	if err := f.b.enter(); err != nil {
		return moothall.Agent{}, err
	}
	a, err := f.conceive(ctx, r, fresh)
	if err != nil {
		f.b.work.Done()
		return moothall.Agent{}, err
	}
	f.b.mu.Lock()
	f.b.use(a) // until it is on record, also when it has ended by then
	f.b.mu.Unlock()
	settled := f.b.admit(context.WithoutCancel(ctx), a, r)
	out, err := f.b.handOut(a)
	var once sync.Once
	a.begin = func(hurry bool) {
		once.Do(func() {
			wait := settled(hurry)
			enter := func() {
				defer f.b.release(a)
				if a.refused = wait(); a.refused == nil {
					f.b.welcome(a, out)
				}
				a.enter()
			}
			if hurry {
				go enter()
				return
			}
			time.AfterFunc(aside, enter)
		})
	}
	a.late = time.AfterFunc(aside, func() { a.begin(true) })
	return out, err
}

// conceive makes an agent that nobody can find yet. Its session and task are
// open afterwards.
func (f face) conceive(ctx context.Context, r moothall.SpawnRequest, fresh bool) (*agent, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.Parent == "" {
		return f.root(ctx, r, fresh)
	}
	return f.child(ctx, r)
}

// leave takes back an agent that nobody can find.
func (b *Broker) leave(a *agent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closeSession(a.session)
	b.closeTask(a.task)
}

// standing waits until an agent is on record.
func (a *agent) standing(ctx context.Context) error {
	if a.begin != nil {
		a.begin(true)
	}
	select {
	case <-a.admitted:
		return a.refused
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter says that it is known whether an agent is on record, and does what
// waited for that.
func (a *agent) enter() {
	a.mu.Lock()
	close(a.admitted)
	list := a.next
	a.next = nil
	a.mu.Unlock()
	for _, do := range list {
		do()
	}
}

// afterwards does something when it is known whether an agent is on record.
func (a *agent) afterwards(do func()) {
	a.mu.Lock()
	select {
	case <-a.admitted:
		a.mu.Unlock()
		do()
	default:
		a.next = append(a.next, do)
		a.mu.Unlock()
	}
}

// root makes an agent that a person's words start.
func (f face) root(ctx context.Context, r moothall.SpawnRequest, fresh bool) (*agent, error) {
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
		unattended: r.Unattended, authority: authority, admitted: make(chan struct{}),
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
	return a, f.b.place(ctx, a, sessionKey, taskKey, fresh)
}

// place opens an agent's session and task.
func (b *Broker) place(ctx context.Context, a *agent, session, task string, fresh bool) error {
	var err error
	if a.session, err = b.openSession(ctx, session, fresh); err != nil {
		return err
	}
	if a.task, err = b.openTask(ctx, task, fresh); err != nil {
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
	if err := p.standing(ctx); err != nil {
		return nil, err
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
		admitted: make(chan struct{}),
	}
	return a, f.b.place(ctx, a, p.session.id, p.task.id, false)
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

// admit makes the session know of an agent. What it returns begins to put the
// agent on record, in a hurry or with what comes next, and returns what waits
// for the end of that.
func (b *Broker) admit(ctx context.Context, a *agent, r moothall.SpawnRequest) (begin func(hurry bool) (settled func() error)) {
	changed, news := false, (*learned)(nil)
	if a.parent == nil {
		changed = !r.Aside && a.session.arrive(a.message)
		news = a.session.known.learnTyped(r.Words)
	}
	a.session.mu.Lock()
	changed = changed || r.Labels&^a.session.labels != 0
	a.session.labels |= r.Labels // the next agent may come before this one is on record
	a.labels |= a.session.labels
	a.session.mu.Unlock()
	began := b.opt.Now()
	return func(hurry bool) func() error {
		var rows <-chan error
		save := func() {
			rows = b.writes.begin(func(tx *store.Tx) error { return b.saveAgent(tx, a, changed, news, began) }, hurry)
		}
		if hurry {
			save()
		}
		e := a.entry(moothall.ActionSpawn, moothall.StatusOK)
		e.Time, e.Relaxed = began, !hurry
		_, recorded := moothall.Enqueue(ctx, b.opt.Audit, e)
		return func() error {
			if !hurry {
				save()
			}
			auditErr := recorded()
			return first(<-rows, auditErr)
		}
	}
}

// saveAgent writes an agent's row, and what its coming changed.
func (b *Broker) saveAgent(tx *store.Tx, a *agent, changed bool, news *learned, began time.Time) error {
	if changed {
		if err := a.session.save(tx, 0); err != nil {
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
		ON CONFLICT DO NOTHING`, string(a.id), string(a.scope), string(a.kind), a.lineage.String(), string(a.query), b.boot, began.UnixMilli())
	return err
}

// handOut makes the agent one that its handle finds.
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
	defer b.mu.Unlock()
	if p := a.parent; p != nil && b.agents[p.hash] != p {
		b.closeSession(a.session)
		b.closeTask(a.task)
		return moothall.Agent{}, moothall.Fail(moothall.CodeDenied, "spawn", "the parent has ended")
	}
	b.agents[a.hash] = a
	if a.parent != nil {
		a.parent.children[a] = true
	}
	return out, nil
}

// welcome tells of an agent that is on record.
func (b *Broker) welcome(a *agent, out moothall.Agent) {
	b.stats.spawned.Add(1)
	b.tell(moothall.SubjectAgentSpawned, a.about(string(a.id)), spawnedEvent{
		Agent: a.id, Type: a.kind, Lineage: a.lineage, Tools: out.Tools, Labels: out.Labels, Unattended: a.unattended,
	})
}

type spawnedEvent struct {
	Agent      moothall.AgentID    `json:"agent"`
	Type       moothall.AgentType  `json:"agent_type"`
	Lineage    moothall.Lineage    `json:"lineage"`
	Tools      []moothall.ToolName `json:"tools"`
	Labels     moothall.Label      `json:"labels"`
	Unattended bool                `json:"unattended,omitempty"`
}
