package broker

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
	"moothall/internal/store"
)

// Broker is the only way to an effect. Make one with [Open].
type Broker struct {
	opt    Options
	boot   string // tells rows of this process from those of a dead one
	key    []byte // of the hashes that rows hold
	writes *writer
	events *teller
	// outcomes puts the ends of calls that only read on record.
	outcomes *recorder
	stats    stats
	files    written

	registering sync.Mutex              // one change of the catalogue at a time
	catalog     atomic.Pointer[catalog] // what is registered now

	loading sync.Mutex // one session or task is read from the store at a time; before mu

	mu        sync.Mutex // before the mutex of an agent, a session or a task
	agents    map[digest]*agent
	sessions  map[string]*session
	tasks     map[string]*task
	questions map[moothall.ApprovalID]*question
	vectors   map[string][]float32 // of tools' descriptions, by embedder and text
	closed    bool

	life context.Context // of tools that run
	end  context.CancelFunc
	work sync.WaitGroup // calls and tools that run
}

// Open prepares a broker over tables that [Migrations] made. Call
// [Broker.Recover] before the first agent is spawned, and Close at the end.
// Errors: CodeInvalid for missing options, CodeConflict for tools that share
// a name, and those of the store.
func Open(ctx context.Context, o Options) (*Broker, error) {
	if o.DB == nil || o.Audit == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, "open broker", "a store and a record are needed")
	}
	o = o.withDefaults()
	b := &Broker{
		opt: o, boot: moothall.NewID(), agents: map[digest]*agent{}, sessions: map[string]*session{},
		tasks: map[string]*task{}, questions: map[moothall.ApprovalID]*question{}, vectors: map[string][]float32{},
	}
	first, err := newCatalog(o.Manifest, o.Tools)
	if err != nil {
		return nil, err
	}
	b.catalog.Store(first)
	if b.key, err = hashKey(ctx, o.DB); err != nil {
		return nil, err
	}
	b.files.key = b.key
	if err := b.files.load(ctx, o.DB); err != nil {
		return nil, err
	}
	b.life, b.end = context.WithCancel(context.Background())
	b.writes, b.events, b.outcomes = newWriter(o.DB, o.Logger), newTeller(o), newRecorder(o)
	return b, nil
}

// hashKey returns the store's own key, made at the first start.
func hashKey(ctx context.Context, db *store.DB) ([]byte, error) {
	fresh := make([]byte, 32)
	rand.Read(fresh) // never fails: crypto/rand crashes the program instead
	var key []byte
	err := db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO broker_meta (name, value) VALUES ('key', ?) ON CONFLICT DO NOTHING`, fresh); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT value FROM broker_meta WHERE name = 'key'`).Scan(&key)
	})
	return key, err
}

// Close refuses new calls, stops those that run, writes what is to be
// written and publishes what is to be published. A tool that does not stop
// within the grace is left behind and logged.
func (b *Broker) Close() error {
	b.mu.Lock()
	again := b.closed
	b.closed = true
	b.mu.Unlock()
	if again {
		return nil
	}
	b.end()
	ended := make(chan struct{})
	go func() { b.work.Wait(); close(ended) }()
	late := time.NewTimer(2*b.opt.Grace + drainTime)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
		b.opt.Logger.Error("a tool did not stop and is left behind")
	}
	b.outcomes.close()
	b.writes.close()
	b.events.close()
	return nil
}

// enter counts a call in, so that Close waits for it.
func (b *Broker) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errClosed()
	}
	b.work.Add(1)
	return nil
}

// stats counts since the start.
type stats struct {
	spawned, allowed, denied, asked, unavailable atomic.Uint64
}

// Stats are plain figures about a broker, since its start.
type Stats struct {
	Spawned     uint64 // agents
	Allowed     uint64 // calls
	Denied      uint64 // calls
	Asked       uint64 // questions put to a person
	Unavailable uint64 // calls without an answer in time
	Dropped     uint64 // events that the bus did not take
	Agents      int    // living now
	Open        int    // questions open now
}

// Stats returns the figures of the moment.
func (b *Broker) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{
		Spawned: b.stats.spawned.Load(), Allowed: b.stats.allowed.Load(), Denied: b.stats.denied.Load(),
		Asked: b.stats.asked.Load(), Unavailable: b.stats.unavailable.Load(), Dropped: b.events.dropped.Load(),
		Agents: len(b.agents), Open: len(b.questions),
	}
}

// face is the broker as one participant sees it.
type face struct {
	b   *Broker
	who moothall.Identity
}

var _ moothall.Broker = face{}

// For returns the broker for one participant.
func (b *Broker) For(who moothall.Identity) moothall.Broker { return face{b, who} }

// Who may do what. Agents act by their handles, whoever holds them; these
// are the doors without one. Nothing that a model can talk to may answer
// questions or switch overrides.
var (
	mayRoot = []moothall.Identity{
		moothall.ChatHall, moothall.CommitteeTable, moothall.Orchestrator, moothall.Critic, moothall.FrontDoor, moothall.Hall, moothall.Person,
	}
	maySwitch = []moothall.Identity{moothall.Person, moothall.FrontDoor}
	mayList   = []moothall.Identity{moothall.Person, moothall.FrontDoor, moothall.Hall}
)

func (f face) among(list []moothall.Identity, op string) error {
	if slices.Contains(list, f.who) {
		return nil
	}
	return moothall.Fail(moothall.CodeDenied, op, "this is not for "+string(f.who))
}
