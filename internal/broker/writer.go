package broker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"moothall"
	"moothall/internal/store"
)

const (
	maxBatch = 128                   // how many writes share one transaction
	patience = 10 * time.Millisecond // how long one that nobody waits for waits
)

// write is rows to be written. Apply may run twice: when one of a batch
// fails, all of it is taken back and each is tried alone.
type write struct {
	apply func(*store.Tx) error
	done  chan<- error // buffered; nil when nobody wants to hear of it
	hurry bool         // somebody waits
}

// writer commits what many calls write at once in one transaction, so that
// their number is not bound by how often the disk can flush.
type writer struct {
	db   *store.DB
	log  *slog.Logger
	jobs chan write
	work sync.WaitGroup

	mu     sync.RWMutex // held for reading while a job is handed over
	closed bool
}

func newWriter(db *store.DB, log *slog.Logger) *writer {
	w := &writer{db: db, log: log, jobs: make(chan write, 4*maxBatch)}
	w.work.Go(w.loop)
	return w
}

// loop commits at once what somebody waits for, together with whatever else
// is there. Rows that nobody waits for alone wait a moment for company.
func (w *writer) loop() {
	batch := make([]write, 0, maxBatch)
	late := time.NewTimer(patience)
	late.Stop()
	defer late.Stop()
	for open := true; open; {
		select {
		case j, ok := <-w.jobs:
			if open = ok; ok {
				batch = append(batch, j)
			}
			if ok && !j.hurry && len(batch) < maxBatch {
				if len(batch) == 1 {
					late.Reset(patience)
				}
				continue
			}
		case <-late.C:
		}
		late.Stop()
		batch = w.more(batch)
		w.commit(batch)
		batch = batch[:0]
	}
}

// more adds what is waiting already.
func (w *writer) more(batch []write) []write {
	for len(batch) < maxBatch {
		select {
		case j, ok := <-w.jobs:
			if !ok {
				return batch
			}
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

func (w *writer) commit(batch []write) {
	if len(batch) == 0 {
		return
	}
	err := w.together(batch)
	for _, j := range batch {
		own := err
		if err != nil && len(batch) > 1 {
			own = w.together([]write{j})
		}
		if j.done != nil {
			j.done <- own
		} else if own != nil {
			w.log.Error("a row of the journal could not be written", "error", own)
		}
	}
}

func (w *writer) together(batch []write) error {
	return w.db.Write(context.Background(), func(tx *store.Tx) error {
		for _, j := range batch {
			if err := j.apply(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// start hands rows over and returns where to hear of their commit.
func (w *writer) start(apply func(*store.Tx) error) <-chan error { return w.begin(apply, true) }

// begin does so for rows that somebody waits for now, or may.
func (w *writer) begin(apply func(*store.Tx) error, hurry bool) <-chan error {
	done := make(chan error, 1)
	if !w.push(write{apply, done, hurry}) {
		done <- errClosed()
	}
	return done
}

// do writes rows and returns when they are durable.
func (w *writer) do(apply func(*store.Tx) error) error { return <-w.start(apply) }

// later writes rows whose loss in a crash is harmless.
func (w *writer) later(apply func(*store.Tx) error) { w.push(write{apply, nil, false}) }

// push waits for room: rows are never dropped.
func (w *writer) push(j write) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return false
	}
	w.jobs <- j
	return true
}

// close writes what waits.
func (w *writer) close() {
	w.mu.Lock()
	shut := !w.closed
	w.closed = true
	w.mu.Unlock()
	if shut {
		close(w.jobs)
	}
	w.work.Wait()
}

func errClosed() error {
	return moothall.Fail(moothall.CodeUnavailable, "broker", "the broker is closed")
}

// noRow reports whether a query found nothing.
func noRow(err error) bool {
	return errors.Is(err, &moothall.Error{Code: moothall.CodeNotFound}) || moothall.ErrorCode(err) == moothall.CodeNotFound
}
