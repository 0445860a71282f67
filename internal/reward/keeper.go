package reward

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"

	"moothall"
	"moothall/internal/store"
)

// Options are what a keeper needs. All but DB may be left out.
type Options struct {
	DB *store.DB // with the tables of [Migrations]
	// Publish publishes as moothall.Reward. Nil: nobody is told.
	Publish func(context.Context, moothall.Event) error
	// Bindings returns which model a role uses now. Nil: no proposals.
	Bindings func(context.Context) ([]moothall.ModelBinding, error)
	// MaxRows is how many answers are kept; 100,000 when 0.
	MaxRows int
	// Settings to begin with; [DefaultSettings] when nil.
	Settings *Settings
	Logger   *slog.Logger // nil discards
}

// Keeper keeps the score. Make one with [Open].
type Keeper struct {
	o        Options
	rows     atomic.Int64 // about how many there are
	behind   atomic.Bool  // something may be untold
	settings atomic.Pointer[Settings]

	telling sync.Mutex   // one tells at a time, so that the order stands
	life    sync.RWMutex // held by every call; Close waits for them
	closed  bool         // guarded by life
}

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that scores are kept in.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "reward", Files: files}
}

// Subjects are the events that [Keeper.Handle] wants to hear of, from a
// durable observer.
func Subjects() []moothall.Subject {
	return []moothall.Subject{
		moothall.SubjectUserFeedback, moothall.SubjectResponseGeneration,
		moothall.SubjectCritiqueResult, moothall.SubjectPairwiseResult,
	}
}

// Open returns a keeper on the rows that are there, and tells what the last
// one could not. When that fails it is tried again with the next event.
func Open(ctx context.Context, o Options) (*Keeper, error) {
	if o.DB == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, "open reward", "there is no store")
	}
	if o.MaxRows <= 0 {
		o.MaxRows = 100_000
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	k := &Keeper{o: o}
	settings := DefaultSettings()
	if o.Settings != nil {
		settings = *o.Settings
	}
	if err := k.Set(settings); err != nil {
		return nil, err
	}
	if err := k.retain(ctx, true); err != nil {
		return nil, err
	}
	k.behind.Store(true)
	k.catchUp(ctx)
	return k, nil
}

// Close waits for the calls that run. Later ones are refused with
// CodeUnavailable; closing again does nothing.
func (k *Keeper) Close() error {
	k.life.Lock()
	defer k.life.Unlock()
	k.closed = true
	return nil
}

// enter begins a call; the returned function ends it.
func (k *Keeper) enter(op string) (func(), error) {
	k.life.RLock()
	if k.closed {
		k.life.RUnlock()
		return nil, moothall.Fail(moothall.CodeUnavailable, op, "the keeper of scores is closed")
	}
	return k.life.RUnlock, nil
}
