package builtin

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"moothall"
)

// holder keeps the network in memory while it is used, and a while longer.
type holder struct {
	load  func() (*bundle, error)
	free  func() // gives back what load looked at; may be nil
	idle  time.Duration
	slots chan struct{} // one for each generation that may run
	log   *slog.Logger

	mu     sync.Mutex // guards what follows
	bundle *bundle
	users  int
	timer  *time.Timer
	round  int // of the timer: one that fired too late is of an earlier one
	closed bool
	timers sync.WaitGroup // timers that may still fire
}

// take waits for a slot and returns the network, loaded if need be. Who has it
// gives it back with put.
func (h *holder) take(ctx context.Context) (*bundle, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b, err := h.use()
	if err != nil {
		<-h.slots
	}
	return b, err
}

func (h *holder) use() (*bundle, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, moothall.Fail(moothall.CodeUnavailable, opGenerate, "the built-in model is closed")
	}
	if h.bundle == nil {
		began := time.Now()
		b, err := h.load()
		if err != nil {
			return nil, err
		}
		h.bundle = b
		h.log.Info("built-in model loaded", "took", time.Since(began))
	}
	h.disarm()
	h.users++
	return h.bundle, nil
}

func (h *holder) put() {
	h.mu.Lock()
	if h.users--; h.users == 0 && !h.closed {
		h.timers.Add(1)
		round := h.round
		h.timer = time.AfterFunc(h.idle, func() { h.drop(round) })
	}
	h.mu.Unlock()
	<-h.slots
}

// disarm stops the timer; the lock is held.
func (h *holder) disarm() {
	if h.timer != nil && h.timer.Stop() {
		h.timers.Done()
	}
	h.timer = nil
	h.round++
}

// drop is the timer's: nobody came.
func (h *holder) drop(round int) {
	defer h.timers.Done()
	h.mu.Lock()
	idle := h.round == round
	if idle {
		h.bundle, h.timer = nil, nil
	}
	h.mu.Unlock()
	if idle {
		debug.FreeOSMemory() // it is the largest thing in memory, and nothing else would hurry
		if h.free != nil {
			h.free()
		}
		h.log.Info("built-in model given back")
	}
}

func (h *holder) loaded() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.bundle != nil
}

func (h *holder) close() {
	h.mu.Lock()
	h.closed = true
	h.disarm()
	h.bundle = nil
	h.mu.Unlock()
	h.timers.Wait()
}
