package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/broker"
	"moothall/internal/bus"
	"moothall/internal/chat"
	"moothall/internal/critic"
	"moothall/internal/gateway"
	"moothall/internal/graph"
	graphsqlite "moothall/internal/graph/sqlite"
	"moothall/internal/library"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/orchestrator"
	"moothall/internal/reward"
	"moothall/internal/rpc"
	"moothall/internal/store"
	"moothall/internal/web"
)

// Grace is how long stopping may take before what still runs is cut off.
const Grace = 10 * time.Second

// Options configure a [Hall].
type Options struct {
	Home   Home
	Config Config
	What   string // what the lock says about this process; "up" when empty
	// Helper starts this program as the sandbox's helper; itself with
	// [HelperCommand] when nil.
	Helper []string
	Logger *slog.Logger
}

// Hall is an open home with its services. Make one with [Open].
type Hall struct {
	home  Home
	conf  Config
	log   *slog.Logger
	since time.Time

	record     *audit.Log // nil when the record is kept elsewhere
	db         *store.DB
	bus        *bus.Bus
	gateway    *gateway.Gateway // nil when it is elsewhere
	broker     *broker.Broker   // nil when it is elsewhere
	tools      *toolset         // behind it
	foreign    *foreign         // and what others offer
	memory     *memory.Service  // nil when it is elsewhere
	graph      *graph.Service   // beside it
	entries    memory.Engine    // behind them
	statements graph.Engine
	forgotten  error // why there is no memory
	books      *library.Library
	chat       *chat.Chat
	critic     *critic.Critic
	tasks      *orchestrator.Orchestrator
	reward     *reward.Keeper
	judging    sync.RWMutex // held by who hears for the judges; to forget waits for them
	copying    sync.RWMutex // held by a backup from the database to the bus
	copied     func()       // called between the two; nil but in a test
	here       rpc.Offers   // what runs in this process
	far        *far         // what runs elsewhere
	web        *web.Server
	traces     *traces
	helper     []string

	mu           sync.Mutex
	participants map[string]participant
	bases        map[string]string // their settings as configured
	adjusting    sync.Mutex        // one change of settings at a time
	parts        []part            // started, in order
	address      string            // of the HTTP front
	failed       chan error
}

// part is one started thing and how to stop it.
type part struct {
	name string
	stop func(context.Context) error
}

// step is one line of the start order.
type step struct {
	name  string
	start func(context.Context) (stop func(context.Context) error, err error)
}

// Open takes the home and starts everything that faces nobody. The caller
// must Close, also after an error of [Hall.Serve].
func Open(ctx context.Context, o Options) (*Hall, error) {
	h := newHall(o)
	what := cmp.Or(o.What, up)
	err := h.start(ctx, []step{
		{"lock", func(context.Context) (func(context.Context) error, error) { return h.openLock(what) }},
		{"traces", h.openTraces},
		{"peers", h.openPeers},
		{"audit", h.openAudit},
		{"database", h.openDatabase},
		{"bus", h.openBus},
		{"services", h.openServices},
		{"deleted", h.finishDeleting},
	})
	return h, err
}

func newHall(o Options) *Hall {
	h := &Hall{home: o.Home, conf: o.Config, log: o.Logger, since: time.Now().UTC(), helper: o.Helper, books: library.Open(), failed: make(chan error, 1)}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if self, err := os.Executable(); h.helper == nil && err == nil {
		h.helper = []string{self, HelperCommand}
	}
	return h
}

// start runs the steps in order. When one fails those before it are stopped
// again, in reverse.
func (h *Hall) start(ctx context.Context, steps []step) error {
	for _, s := range steps {
		began := time.Now()
		stop, err := s.start(ctx)
		if err != nil {
			stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
			defer cancel()
			return errors.Join(err, h.Close(stopCtx))
		}
		h.mu.Lock()
		h.parts = append(h.parts, part{s.name, stop})
		h.mu.Unlock()
		h.log.Debug("started", "part", s.name, "took", time.Since(began))
	}
	return nil
}

// Close stops what was started, last first. It can be called again.
func (h *Hall) Close(ctx context.Context) error {
	if h.tasks != nil {
		// First of all: a task whose caller goes away is stopped for good,
		// one that the hall leaves goes on with the next start.
		h.tasks.Close()
	}
	var all error
	for {
		h.mu.Lock()
		n := len(h.parts)
		if n == 0 {
			h.mu.Unlock()
			return all
		}
		p := h.parts[n-1]
		h.parts = h.parts[:n-1]
		h.mu.Unlock()
		if p.stop == nil {
			continue
		}
		if err := p.stop(ctx); err != nil {
			all = errors.Join(all, fmt.Errorf("stop %s: %w", p.name, err))
		}
	}
}

func (h *Hall) openLock(what string) (func(context.Context) error, error) {
	if err := h.home.make(); err != nil {
		return nil, err
	}
	lock, err := lockHome(h.home, what)
	if err != nil {
		return nil, err
	}
	return func(context.Context) error { return lock.Close() }, nil
}

// openTraces starts sending spans, where somebody wants them.
func (h *Hall) openTraces(context.Context) (stop func(context.Context) error, err error) {
	h.traces, err = openTraces(h.conf.Traces, h.log)
	return func(ctx context.Context) error { return h.traces.out.Close(ctx) }, err
}

// openPeers makes ready to reach services elsewhere; nothing is dialled yet.
func (h *Hall) openPeers(context.Context) (func(context.Context) error, error) {
	p, err := loadProofs(h.home, h.conf)
	if err != nil {
		return nil, err
	}
	h.far = newFar(h.conf.Services, p)
	return func(context.Context) error { return h.far.Close() }, nil
}

// openAudit opens the record, here or elsewhere, and makes the start its
// first entry. A hall whose start cannot be recorded does not start.
func (h *Hall) openAudit(ctx context.Context) (func(context.Context) error, error) {
	closeLog := func() error { return nil }
	if h.conf.Services.address(rpc.Audit).Transport == rpc.Here {
		l, err := audit.Open(h.home.Audit(), auditOptions(h.conf, h.log))
		if err != nil {
			return nil, err
		}
		h.record, closeLog = l, l.Close
		h.here.Audit = l.For
	}
	note := "version " + Version()
	if err := h.note(ctx, moothall.ActionHallStart, note); err != nil {
		return nil, errors.Join(err, closeLog())
	}
	return func(ctx context.Context) error {
		ctx, cancel := farewell(ctx)
		defer cancel()
		return errors.Join(h.note(ctx, moothall.ActionHallStop, note), closeLog())
	}, nil
}

// auditOptions is what the configuration says of the record. Its window of 0,
// which says "do not wait", is -1 to the log, whose 0 is its default.
func auditOptions(c Config, log *slog.Logger) *audit.Options {
	window := time.Duration(c.Audit.Window)
	if window == 0 {
		window = -1
	}
	return &audit.Options{HeadEvery: c.Audit.HeadEvery, Window: window, Logger: log}
}

// farewell is the time for a part's last word. It is the part's own: that a
// hall has stopped is on record also when others took all of [Grace].
func farewell(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), Grace/2)
}

// note records something that the hall itself did.
func (h *Hall) note(ctx context.Context, action moothall.AuditAction, note string) error {
	a, err := h.peer(moothall.Hall).Audit()
	if err != nil {
		return err
	}
	_, err = a.Append(ctx, moothall.AuditEntry{Action: action, Status: moothall.StatusOK, Note: note})
	return err
}

func (h *Hall) openDatabase(ctx context.Context) (func(context.Context) error, error) {
	db, err := store.Open(ctx, h.home.Database(), &store.Options{
		Program: "moothall " + Version(), Migrations: schemas(), Logger: h.log,
	})
	if err != nil {
		return nil, err
	}
	h.db = db
	return func(context.Context) error { return db.Close() }, nil
}

// schemas are the tables of everything that is kept in the database.
func schemas() []store.Set {
	return []store.Set{hallMigrations(), chat.Migrations(), critic.Migrations(), reward.Migrations(), orchestrator.Migrations(), broker.Migrations(), sqlite.Migrations(), graphsqlite.Migrations()}
}

func (h *Hall) openBus(ctx context.Context) (func(context.Context) error, error) {
	o := busOptions(h.home, h.conf, h.log)
	for _, g := range h.conf.Bus.Guests {
		secret, err := guestPassword(h.home, g.Name)
		if err != nil {
			return nil, err
		}
		o.Guests = append(o.Guests, bus.Guest{Name: g.Name, Password: secret, Tools: names[moothall.ToolName](g.Tools)})
	}
	o.Observers = []bus.Durable{asked, shadowed, ingest, grading, scoring}
	b, err := bus.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	h.bus = b
	if err := h.tell(ctx, "started"); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return func(ctx context.Context) error {
		ctx, cancel := farewell(ctx)
		defer cancel()
		return errors.Join(h.tell(ctx, "stopping"), b.Close())
	}, nil
}

// busOptions is what the configuration says of the event plane.
func busOptions(home Home, c Config, log *slog.Logger) bus.Options {
	o := bus.Options{
		URL: c.Bus.URL, Listen: c.Bus.Listen, MaxAge: time.Duration(c.Bus.MaxAge), MaxBytes: int64(c.Bus.MaxSize), Logger: log,
	}
	if c.Bus.URL == "" {
		o.Dir = home.Bus()
	}
	for name, file := range c.Bus.Credentials {
		if name == "default" {
			o.DefaultCredentials = file
			continue
		}
		if o.Credentials == nil {
			o.Credentials = map[moothall.Identity]string{}
		}
		o.Credentials[moothall.Identity(name)] = file
	}
	return o
}

// hallState is the payload of hall.state.
type hallState struct {
	State   string `json:"state"`
	Version string `json:"version"`
	PID     int    `json:"pid"`
}

// tell publishes how the hall is.
func (h *Hall) tell(ctx context.Context, state string) error {
	e, err := moothall.NewEvent(moothall.SubjectHallState, hallState{state, Version(), os.Getpid()})
	if err != nil {
		return err
	}
	return h.publisher(moothall.Hall)(ctx, e)
}

// publisher lets one participant publish.
func (h *Hall) publisher(as moothall.Identity) func(context.Context, moothall.Event) error {
	return func(ctx context.Context, e moothall.Event) error {
		p, err := h.bus.As(as)
		if err != nil {
			return err
		}
		_, err = p.Publish(ctx, e)
		e.Sender = as
		h.traces.event(e)
		return err
	}
}
