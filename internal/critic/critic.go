package critic

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"moothall"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables of the critic.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "critic", Files: files}
}

// The respondents whose answers are compared: A's is the one that is shown.
const (
	respondentA moothall.RespondentID = "A"
	respondentB moothall.RespondentID = "B"
)

// Options are what a critic needs. DB, Model, Audit and Publish must be there.
type Options struct {
	DB    *store.DB        // with the tables of [Migrations]
	Model moothall.Gateway // as critic
	Audit moothall.Audit   // as critic
	// Publish publishes as critic. It may be called again with the same id.
	Publish func(context.Context, moothall.Event) error
	// Expect says whether B will answer the query too; nil: never. It is
	// asked when A's answer comes, and must not wait.
	Expect func(moothall.QueryID) bool
	// Settings to begin with; [DefaultSettings] when nil.
	Settings *Settings
	// Workers is how many jobs are done at once; 1 by default.
	Workers int
	// Attempts is how often a model is tried for one job; 5 by default.
	Attempts int
	// Backoff are the pauses after failures, the last repeats: 5 s, 30 s,
	// 2 min, 10 min when nil.
	Backoff []time.Duration
	// Keep is for how long results are kept; 90 days by default. The texts
	// of what was judged go after a day.
	Keep   time.Duration
	Now    func() time.Time // time.Now when nil
	Logger *slog.Logger     // nil discards
}

func (o Options) withDefaults() Options {
	if o.Expect == nil {
		o.Expect = func(moothall.QueryID) bool { return false }
	}
	if o.Workers <= 0 {
		o.Workers = 1
	}
	if o.Attempts <= 0 {
		o.Attempts = 5
	}
	if len(o.Backoff) == 0 {
		o.Backoff = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}
	}
	if o.Keep <= 0 {
		o.Keep = 90 * 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Critic judges answers. Make one with [Open].
type Critic struct {
	o       Options
	jobs    jobs
	wake    chan struct{} // one token: there may be something to do
	stop    context.CancelFunc
	workers sync.WaitGroup
	counts  counters

	mu       sync.Mutex
	settings Settings
	busy     map[string]bool // jobs that a worker is at
	swept    time.Time
}

// Open takes up what was left undone and starts the workers. CodeInvalid
// names what is missing or makes no sense; other codes are the store's.
func Open(ctx context.Context, o Options) (*Critic, error) {
	const op = "open critic"
	o = o.withDefaults()
	if o.DB == nil || o.Model == nil || o.Audit == nil || o.Publish == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, op, "a store, a model, a record and a way to publish are needed")
	}
	s := DefaultSettings()
	if o.Settings != nil {
		s = o.Settings.clone()
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	c := &Critic{o: o, jobs: jobs{o.DB}, wake: make(chan struct{}, 1), settings: s, busy: map[string]bool{}}
	now := o.Now()
	if err := c.jobs.resume(ctx, now, now.Add(s.wait())); err != nil {
		return nil, err
	}
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	for range o.Workers {
		c.workers.Go(func() { c.work(run) })
	}
	return c, nil
}

// Close breaks off what is being asked, which is begun anew after the next
// [Open], and waits for the workers. Calls after the first do nothing.
func (c *Critic) Close() error {
	c.stop()
	c.workers.Wait()
	return nil
}

// rouse tells the workers that there may be something to do.
func (c *Critic) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Last returns the grade of A's answer to a query. False means that there is
// none yet, or that none will come.
func (c *Critic) Last(ctx context.Context, q moothall.QueryID) (moothall.Critique, bool, error) {
	return c.jobs.critique(ctx, critiqueID(q, respondentA))
}

// Forget removes all that is kept about a conversation. What is being asked
// about it is not told.
func (c *Critic) Forget(ctx context.Context, s moothall.SessionID) error {
	return c.jobs.forget(ctx, s)
}
