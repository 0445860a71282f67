package orchestrator

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"moothall"
	"moothall/internal/engine/history"
	"moothall/internal/engine/telling"
	"moothall/internal/orchestrator/journal"
)

// Orchestrator does tasks. Make one with [Open].
type Orchestrator struct {
	opt     Options
	journal keeper
	meter   *history.Meter
	events  *telling.Teller

	parallel atomic.Int64 // of the settings, for tasks that hold their lock

	// births is read-held from a task's first row to its life: who holds it
	// alone knows that a task which is not among the living will not be soon.
	births sync.RWMutex // before mu

	mu       sync.Mutex // before a task's
	settings Settings
	tasks    map[moothall.TaskID]*task // that live
	closed   bool

	purseMu sync.Mutex // held while the journal is asked
	purses  map[moothall.SessionID]*atomic.Int64

	life context.Context // of the tasks
	end  context.CancelFunc
	work sync.WaitGroup
}

// Open prepares an orchestrator over tables that [Migrations] made. Call
// [Orchestrator.Recover] before the first Start, and Close at the end.
// Errors: CodeInvalid for missing options, and those of the store.
func Open(opt Options) (*Orchestrator, error) {
	if opt.DB == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, "open orchestrator", "a store is needed")
	}
	return open(opt, journal.New(opt.DB))
}

func open(opt Options, j keeper) (*Orchestrator, error) {
	const op = "open orchestrator"
	if opt.Model == nil || opt.Broker == nil || opt.Audit == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, op, "a gateway, a broker and a record are needed")
	}
	opt = opt.withDefaults()
	o := &Orchestrator{opt: opt, journal: j, meter: &history.Meter{}, settings: opt.Settings, tasks: map[moothall.TaskID]*task{},
		purses: map[moothall.SessionID]*atomic.Int64{}}
	if err := o.settings.Validate(); err != nil {
		return nil, err
	}
	o.parallel.Store(int64(o.settings.Parallel))
	if opt.Tell != nil {
		o.events = telling.New(context.Background(), opt.Tell, maxUntold, opt.Logger)
	}
	o.life, o.end = context.WithCancel(context.Background())
	return o, nil
}

// Close ends what runs and waits for it. To a task it is what a crash is:
// [Orchestrator.Recover] goes on with it.
func (o *Orchestrator) Close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.end()
	o.work.Wait()
	if o.events != nil {
		o.events.Close()
	}
}

func errClosed() error {
	return moothall.Fail(moothall.CodeUnavailable, "task", "the orchestrator is closed")
}

// living are the tasks that live; the lock is held.
func (o *Orchestrator) living() []*task {
	out := make([]*task, 0, len(o.tasks))
	for _, t := range o.tasks {
		out = append(out, t)
	}
	return out
}

// of returns the tasks of a session that live.
func (o *Orchestrator) of(session moothall.SessionID) []*task {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(o.living(), func(t *task) bool { return t.session != session })
}

// find returns a task that lives.
func (o *Orchestrator) find(id moothall.TaskID) *task {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tasks[id]
}

// launch lets a task live. The task must be in the journal.
func (o *Orchestrator) launch(t *task) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return errClosed()
	}
	if o.tasks[t.id] != nil {
		return moothall.Fail(moothall.CodeConflict, "task", "the task runs already")
	}
	o.tasks[t.id] = t
	ctx, stop := context.WithCancelCause(o.life)
	t.stop = stop
	if t.stopping { // before the hall went down
		stop(errStopped)
	}
	o.work.Go(func() {
		defer stop(nil)
		t.live(t.sending.Under(ctx))
	})
	return nil
}

// retire takes a task from those that live.
func (o *Orchestrator) retire(t *task) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.tasks, t.id)
}

// maxUntold is how many events wait for a slow bus; the journal is the record.
const maxUntold = 4096

// maxRecovered is how many tasks are taken up after a restart.
const maxRecovered = 10_000

// Recover goes on with the tasks that have not ended. The broker must have
// recovered before: it is asked what became of calls. A task that cannot be
// read is logged and left.
func (o *Orchestrator) Recover(ctx context.Context) error {
	ids, err := o.journal.List(ctx, true, maxRecovered)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if o.find(id) != nil {
			continue
		}
		row, list, err := o.journal.Load(ctx, id)
		if err != nil {
			o.opt.Logger.Error("a task cannot be taken up", "task", id, "err", err)
			continue
		}
		if err := o.launch(o.revive(row, list)); err != nil {
			return err
		}
	}
	return nil
}

// Forget takes away what is kept of a session's tasks. One that still runs
// is stopped first; one that begins meanwhile stays.
func (o *Orchestrator) Forget(ctx context.Context, session moothall.SessionID) error {
	for _, t := range o.of(session) {
		t.halt()
		select {
		case <-t.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	o.births.Lock()
	defer o.births.Unlock()
	var but []moothall.TaskID
	for _, t := range o.of(session) {
		but = append(but, t.id)
	}
	o.purseMu.Lock()
	defer o.purseMu.Unlock()
	delete(o.purses, session) // whoever comes next reads what is left
	_, err := o.journal.Forget(ctx, session, but)
	return err
}
