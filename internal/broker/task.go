package broker

import (
	"context"
	"crypto/sha256"
	"sync"

	"moothall"
	"moothall/internal/store"
)

// callHash names a call's tool and arguments.
type callHash [16]byte

func hashCall(tool moothall.ToolName, args []byte) callHash {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(args)
	return callHash(h.Sum(nil)[:16])
}

// task counts what one task has done, over all its agents and over restarts.
type task struct {
	id    string
	users int // agents; guarded by Broker.mu

	mu     sync.Mutex
	calls  int
	spawns int
	recent []callHash // the last calls, oldest first
}

// repeats counts a call in the window; the lock is held.
func (t *task) repeats(h callHash, window int) int {
	n := 0
	for _, r := range t.recent[max(0, len(t.recent)-window):] {
		if r == h {
			n++
		}
	}
	return n
}

// count notes a call; the lock is held.
func (t *task) count(h callHash, window int) {
	t.calls++
	t.recent = append(t.recent, h)
	if surplus := len(t.recent) - window; surplus > 0 {
		t.recent = append(t.recent[:0], t.recent[surplus:]...)
	}
}

// save writes the counters as they are now. Transactions follow one another,
// so the last to commit has the latest.
func (t *task) save(tx *store.Tx) error {
	t.mu.Lock()
	calls, spawns := t.calls, t.spawns
	recent := make([]byte, 0, len(t.recent)*len(callHash{}))
	for _, h := range t.recent {
		recent = append(recent, h[:]...)
	}
	t.mu.Unlock()
	_, err := tx.Exec(context.Background(), `INSERT INTO broker_tasks (id, calls, spawns, recent) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET calls = excluded.calls, spawns = excluded.spawns, recent = excluded.recent`,
		t.id, calls, spawns, recent)
	return err
}

func (t *task) load(ctx context.Context, tx *store.Tx) error {
	var recent []byte
	err := tx.QueryRow(ctx, `SELECT calls, spawns, recent FROM broker_tasks WHERE id = ?`, t.id).Scan(&t.calls, &t.spawns, &recent)
	if noRow(err) {
		return nil
	}
	for ; len(recent) >= len(callHash{}); recent = recent[len(callHash{}):] {
		t.recent = append(t.recent, callHash(recent))
	}
	return err
}

// openTask returns the counters of a task; closeTask must follow. Of a fresh
// one the store knows nothing.
func (b *Broker) openTask(ctx context.Context, id string, fresh bool) (*task, error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	b.mu.Lock()
	t := b.tasks[id]
	if t != nil {
		t.users++
	}
	b.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t = &task{id: id, users: 1}
	if !fresh {
		if err := b.opt.DB.Read(ctx, func(tx *store.Tx) error { return t.load(context.WithoutCancel(ctx), tx) }); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tasks[id] = t
	return t, nil
}

// closeTask ends a use; the lock is held.
func (b *Broker) closeTask(t *task) {
	if t.users--; t.users == 0 {
		delete(b.tasks, t.id)
	}
}
