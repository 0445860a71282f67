package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine/history"
	"moothall/internal/store"
)

// Options are what a chat needs. All but Model, DB and Audit may be left out.
type Options struct {
	DB     *store.DB                                   // with the tables of [Migrations]
	Model  moothall.Gateway                            // as chat
	Broker moothall.Broker                             // as chat; nil, or one that is not configured: no tools
	Audit  moothall.Audit                              // as chat
	Tell   func(context.Context, moothall.Event) error // publishes as chat; nil: nobody listens
	// Received publishes query.received as the front, which let it in.
	Received func(context.Context, moothall.Event) error
	System   string           // the system prompt; a default when empty
	Now      func() time.Time // time.Now when nil
	Logger   *slog.Logger     // nil discards
}

// Chat answers people. Make one with [New].
type Chat struct {
	opt      Options
	sessions *sessions
	meter    *history.Meter

	mu        sync.Mutex
	rooms     map[moothall.SessionID]*room                 // sessions with a query
	running   map[moothall.QueryID]context.CancelCauseFunc // queries, waiting or not
	shrinking map[moothall.SessionID]bool                  // being compacted
	closed    bool

	life context.Context // of what runs beside conversations
	end  context.CancelFunc
	work sync.WaitGroup
}

// room lets one query of a session in at a time.
type room struct {
	turn  chan struct{} // holds one token
	users int           // who has it or waits for it; guarded by Chat.mu
}

// New returns a chat that has done nothing yet.
func New(o Options) *Chat {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.System == "" {
		o.System = systemPrompt
	}
	if o.Tell == nil {
		o.Tell = func(context.Context, moothall.Event) error { return nil }
	}
	if o.Received == nil {
		o.Received = o.Tell
	}
	c := &Chat{
		opt: o, sessions: &sessions{db: o.DB, now: o.Now}, meter: &history.Meter{},
		rooms: map[moothall.SessionID]*room{}, running: map[moothall.QueryID]context.CancelCauseFunc{},
		shrinking: map[moothall.SessionID]bool{},
	}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// systemPrompt is short: small models lose themselves in long ones.
const systemPrompt = `You are the assistant of Moothall, a program that runs on the person's own machine.
Answer what is asked, briefly and truthfully, in the person's language.
If you do not know something, say so. Never claim to have done something that you did not do.`

// Recover marks the turns that a stop or a crash cut off.
func (c *Chat) Recover(ctx context.Context) error {
	n, err := c.sessions.interrupt(ctx)
	if n > 0 {
		c.opt.Logger.Info("turns were cut off by the last stop", "turns", n)
	}
	return err
}

// enter waits for the session to be free. The returned function leaves it.
func (c *Chat) enter(ctx context.Context, id moothall.SessionID) (func(), error) {
	c.mu.Lock()
	r := c.rooms[id]
	if r == nil {
		r = &room{turn: make(chan struct{}, 1)}
		c.rooms[id] = r
	}
	r.users++
	c.mu.Unlock()
	forget := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if r.users--; r.users == 0 {
			delete(c.rooms, id)
		}
	}
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, context.Cause(ctx)
	}
}

// errStopped is why a query ends that a person stopped.
var errStopped = moothall.Fail(moothall.CodeCanceled, "query", "it was stopped")

// Stop ends a running or waiting query.
func (c *Chat) Stop(_ context.Context, id moothall.QueryID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	stop := c.running[id]
	if stop == nil {
		return moothall.Fail(moothall.CodeNotFound, "stop", "no query "+string(id)+" is running")
	}
	stop(errStopped)
	return nil
}

// Sessions lists the conversations, the one used last first.
func (c *Chat) Sessions(ctx context.Context) ([]moothall.Session, error) {
	return c.sessions.list(ctx)
}

// Session returns one conversation as the model sees it, with an estimate of
// what its parts take.
func (c *Chat) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	var out moothall.SessionDetail
	var err error
	if out.Session, err = c.sessions.get(ctx, id); err != nil {
		return out, err
	}
	if out.Messages, err = c.sessions.history(ctx, id); err != nil {
		return out, err
	}
	card, err := c.opt.Model.ShowModel(ctx, moothall.ModelRequest{})
	if err == nil {
		out.Window = card.Window
	}
	out.Tokens = c.gauge("/", out.Messages)
	return out, nil
}

// gauge estimates the tokens of a conversation's parts.
func (c *Chat) gauge(model string, messages []moothall.Message) map[string]int {
	size := map[string]int{"system": history.Size(moothall.Message{Role: moothall.RoleSystem, Content: c.opt.System})}
	for _, m := range messages {
		part := "history"
		if m.Role == moothall.RoleTool {
			part = "results"
		}
		size[part] += history.Size(m)
	}
	for part, n := range size {
		size[part] = c.meter.Tokens(model, n)
	}
	return size
}

// ChangeSession renames, compacts or deletes a conversation, and puts that on
// record.
func (c *Chat) ChangeSession(ctx context.Context, ch moothall.SessionChange) error {
	if ch.Compact {
		if _, err := c.sessions.get(ctx, ch.ID); err != nil {
			return err
		}
		leave, err := c.enter(ctx, ch.ID)
		if err != nil {
			return err
		}
		defer leave()
		return c.compact(ctx, ch.ID)
	}
	note := "renamed"
	if ch.Delete {
		note = "deleted"
	}
	if _, err := c.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: moothall.Scope{Session: ch.ID}, Action: moothall.ActionSessionChange, Status: moothall.StatusOK, Note: note,
	}); err != nil {
		return err
	}
	if ch.Delete {
		return c.sessions.remove(ctx, ch.ID)
	}
	return c.sessions.rename(ctx, ch.ID, ch.Title)
}
