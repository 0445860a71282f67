package broker

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/store"
)

// consent is a tool that a person approved for a type of agent.
type consent struct {
	tool moothall.ToolName
	kind moothall.AgentType
}

// switched is a person's overrides and when they end; zero time is never.
type switched struct {
	set bool
	moothall.Overrides
	until time.Time
}

func (s switched) inForce(now time.Time) bool {
	return s.set && (s.until.IsZero() || now.Before(s.until))
}

// session is what the broker knows of a conversation. It is kept in memory
// while an agent of it lives, and in the store for good.
type session struct {
	id    string
	users int           // guarded by Broker.mu
	left  chan struct{} // closed with the last use

	mu       sync.Mutex
	labels   moothall.Label     // durable
	standing switched           // for the session
	once     switched           // for one message
	onceFor  string             // that message; "" until it has come
	consents map[consent]string // and the definition that it was given to
	known    literals
	held     held
	made     map[pathHash]bool // files; durable
}

// openSession returns a session; closeSession must follow. Of a fresh one the
// store knows nothing.
func (b *Broker) openSession(ctx context.Context, id string, fresh bool) (*session, error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	b.mu.Lock()
	s := b.sessions[id]
	if s != nil {
		s.users++
	}
	b.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s = &session{id: id, users: 1, left: make(chan struct{}), consents: map[consent]string{}, known: newLiterals(b.key),
		held: held{key: b.key, marks: map[mark]bool{}}, made: map[pathHash]bool{}}
	if !fresh {
		if err := b.opt.DB.Read(ctx, func(tx *store.Tx) error { return s.load(context.WithoutCancel(ctx), tx) }); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions[id] = s
	return s, nil
}

// closeSession ends a use; the lock is held.
func (b *Broker) closeSession(s *session) {
	if s.users--; s.users == 0 {
		delete(b.sessions, s.id)
		close(s.left)
	}
}

func (b *Broker) leaveSession(s *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closeSession(s)
}

func (s *session) load(ctx context.Context, tx *store.Tx) error {
	var known bool // most are new, and one look is enough for them
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM broker_sessions WHERE id = ?1) OR EXISTS (SELECT 1 FROM broker_consents WHERE session = ?1)
		OR EXISTS (SELECT 1 FROM broker_addresses WHERE session = ?1) OR EXISTS (SELECT 1 FROM broker_texts WHERE session = ?1)
		OR EXISTS (SELECT 1 FROM broker_held WHERE session = ?1) OR EXISTS (SELECT 1 FROM broker_made WHERE session = ?1)`, s.id).Scan(&known); err != nil || !known {
		return err
	}
	var standing, once string
	var standingUntil, onceUntil int64
	err := tx.QueryRow(ctx, `SELECT labels, standing, standing_until, once, once_until, once_for FROM broker_sessions WHERE id = ?`, s.id).
		Scan(&s.labels, &standing, &standingUntil, &once, &onceUntil, &s.onceFor)
	if err != nil && !noRow(err) {
		return err
	}
	if s.standing, err = readSwitched(standing, standingUntil); err != nil {
		return err
	}
	if s.once, err = readSwitched(once, onceUntil); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT tool, agent_type, definition FROM broker_consents WHERE session = ?`, s.id)
	if err != nil {
		return err
	}
	for rows.Next() {
		var c consent
		var definition string
		if err := rows.Scan(&c.tool, &c.kind, &definition); err != nil {
			return err
		}
		s.consents[c] = definition
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := s.known.load(ctx, tx, s.id); err != nil {
		return err
	}
	if err := s.held.load(ctx, tx, s.id); err != nil {
		return err
	}
	return s.loadMade(ctx, tx)
}

func readSwitched(text string, until int64) (switched, error) {
	if text == "" {
		return switched{}, nil
	}
	s := switched{set: true}
	if until != 0 {
		s.until = time.UnixMilli(until)
	}
	if err := json.Unmarshal([]byte(text), &s.Overrides); err != nil {
		return s, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read overrides", Err: err}
	}
	return s, nil
}

func (s switched) columns() (text string, until int64) {
	if !s.set {
		return "", 0
	}
	b, err := json.Marshal(s.Overrides)
	if err != nil {
		panic(err) // plain words always marshal
	}
	if !s.until.IsZero() {
		until = s.until.UnixMilli()
	}
	return string(b), until
}

// save writes labels and overrides as they are now.
func (s *session) save(tx *store.Tx, labels moothall.Label) error {
	s.mu.Lock()
	standing, standingUntil := s.standing.columns()
	once, onceUntil := s.once.columns()
	onceFor := s.onceFor
	labels |= s.labels
	s.mu.Unlock()
	_, err := tx.Exec(context.Background(), `INSERT INTO broker_sessions (id, labels, standing, standing_until, once, once_until, once_for)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET labels = broker_sessions.labels | excluded.labels,
		standing = excluded.standing, standing_until = excluded.standing_until,
		once = excluded.once, once_until = excluded.once_until, once_for = excluded.once_for`,
		s.id, int64(labels), standing, standingUntil, once, onceUntil, onceFor)
	return err
}

// overrides returns what is in force for a message; "" is the next one.
func (s *session) overrides(message string, now time.Time) moothall.Overrides {
	s.mu.Lock()
	defer s.mu.Unlock()
	var o moothall.Overrides
	if s.standing.inForce(now) {
		o = s.standing.Overrides
	}
	if s.once.inForce(now) && s.onceFor == message {
		once := s.once.Overrides
		// What is switched off for the session stays off for the message.
		once.Disabled = slices.Concat(once.Disabled, o.Disabled)
		once.Grants = slices.Concat(once.Grants, o.Grants)
		o = once
	}
	fill(&o.Level, "none")
	o.Disabled, o.Grants = slices.Clone(o.Disabled), slices.Clone(o.Grants)
	return o
}

// arrive tells the session that a message has come: overrides for one
// message are its own if they wait for one, and gone if they were another's.
// It reports whether anything changed.
func (s *session) arrive(message string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.once.set || s.onceFor == message:
		return false
	case s.onceFor == "":
		s.onceFor = message
	default:
		s.once, s.onceFor = switched{}, ""
	}
	return true
}

// consented reports whether a person approved a tool as it is defined now.
func (s *session) consented(e *entry, kind moothall.AgentType) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	definition, given := s.consents[consent{e.spec.Name, kind}]
	return given && definition == e.definition
}

// Override replaces a session's overrides, or with Once those of its next
// message or of the query that is named, and returns what is then in force. The
// zero value changes nothing: it asks. A query without anything to override
// loses what was for it. Otherwise an empty level means none. A message is a
// query: with the next root agent of another query, what was for one is gone.
func (f face) Override(ctx context.Context, sc moothall.Scope, o moothall.Overrides) (moothall.Overrides, error) {
	const op = "override"
	if err := f.among(maySwitch, op); err != nil {
		return moothall.Overrides{}, err
	}
	if err := ctx.Err(); err != nil {
		return moothall.Overrides{}, err
	}
	switch {
	case sc.Session == "":
		return moothall.Overrides{}, moothall.Fail(moothall.CodeInvalid, op, "a session is needed")
	case !slices.Contains([]string{"", "none", "relax", "all"}, o.Level):
		return moothall.Overrides{}, moothall.Fail(moothall.CodeInvalid, op, "the level is none, relax or all")
	case o.Lasts < 0:
		return moothall.Overrides{}, moothall.Fail(moothall.CodeInvalid, op, "they cannot last for less than nothing")
	case o.Query != "" && !o.Once:
		return moothall.Overrides{}, moothall.Fail(moothall.CodeInvalid, op, "what is for one message is for once")
	}
	s, err := f.b.openSession(ctx, string(sc.Session), false)
	if err != nil {
		return moothall.Overrides{}, err
	}
	defer f.b.leaveSession(s)
	if o.Level != "" || o.Once || o.Lasts != 0 || len(o.Disabled)+len(o.Grants) > 0 {
		if err := f.b.override(ctx, sc.Session, s, o); err != nil {
			return moothall.Overrides{}, err
		}
	}
	return s.overrides(string(o.Query), f.b.opt.Now()), nil
}

func (b *Broker) override(ctx context.Context, id moothall.SessionID, s *session, o moothall.Overrides) error {
	over := o.Query != "" && o.Level == "" && len(o.Disabled)+len(o.Grants) == 0 // for that message
	fill(&o.Level, "none")
	o.Disabled, o.Grants = slices.Clone(o.Disabled), slices.Clone(o.Grants)
	next := switched{set: !over, Overrides: o}
	if o.Lasts > 0 {
		next.until = b.opt.Now().Add(o.Lasts).Round(0) // without the monotonic clock, which stands still while the machine sleeps
	}
	note, rule := "for the session", "override/"+o.Level
	switch {
	case over:
		note = "no longer for the message"
	case o.Query != "":
		note = "for one message"
	case o.Once:
		note = "for the next message"
	}
	params, _ := next.columns()
	if _, err := b.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: moothall.Scope{Session: id}, Action: moothall.ActionSessionChange, Status: moothall.StatusOK,
		Query: o.Query, Rule: rule, Note: note, Params: []byte(params), Time: b.opt.Now().UTC(),
	}); err != nil {
		return err
	}
	s.mu.Lock()
	was, wasOnce, wasFor := s.standing, s.once, s.onceFor
	switch {
	case over && s.onceFor != string(o.Query): // what is there now is another's
	case o.Once:
		s.once, s.onceFor = next, string(o.Query)
	default:
		s.standing = next
	}
	s.mu.Unlock()
	err := b.writes.do(func(tx *store.Tx) error { return s.save(tx, 0) })
	if err != nil { // what is not durable is not in force
		s.mu.Lock()
		s.standing, s.once, s.onceFor = was, wasOnce, wasFor
		s.mu.Unlock()
	}
	return err
}
