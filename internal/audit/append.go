package audit

import (
	"context"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

// maxQueue bounds the entries waiting for the disk. Callers wait for their
// own, so only abandoned calls can fill it.
const maxQueue = 1 << 14

// face is the log bound to one caller.
type face struct {
	log *Log
	by  moothall.Identity
}

var (
	_ moothall.Audit    = face{}
	_ moothall.Enqueuer = face{}
)

// pending is an entry on its way to the disk, or a wish for a head.
type pending struct {
	json    []byte
	leaf    tlog.Hash
	relaxed bool
	runEnd  bool
	sealed  chan error  // of a wish for a head; else nil
	done    chan result // capacity 1: the committer never waits for a caller
	index   uint64      // where it comes to stand if all before it do
	placed  bool        // its caller counts on that
}

type result struct {
	index uint64
	err   error
}

// Append implements [moothall.Audit]. When ctx ends first it returns an error
// and the entry may or may not come to stand in the log: an intent without an
// outcome, whose effect must not happen.
func (f face) Append(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, err error) {
	list, _, err := f.enqueue(ctx, entries, false)
	if err != nil {
		return 0, err
	}
	return f.wait(ctx, list)
}

// Enqueue is Append in two steps.
func (f face) Enqueue(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, wait func() error, err error) {
	list, last, err := f.enqueue(ctx, entries, true)
	if err != nil {
		return 0, nil, err
	}
	return last, func() error {
		_, err := f.wait(ctx, list)
		return err
	}, nil
}

const opAppend = "append to audit log"

func (f face) enqueue(ctx context.Context, entries []moothall.AuditEntry, placed bool) (list []*pending, last uint64, err error) {
	if f.by == "" {
		return nil, 0, moothall.Fail(moothall.CodeDenied, opAppend, "the caller has no identity")
	}
	if ctx.Err() != nil {
		return nil, 0, gaveUp(ctx, opAppend)
	}
	list = make([]*pending, 0, len(entries))
	for i := range entries {
		p, err := f.accept(opAppend, &entries[i])
		if err != nil {
			return nil, 0, err
		}
		p.placed = placed
		list = append(list, p)
	}
	last, err = f.log.enqueue(list...)
	return list, last, err
}

func (f face) wait(ctx context.Context, list []*pending) (last uint64, err error) {
	for _, p := range list { // one batch has them all: they stand or fail together
		select {
		case r := <-p.done:
			f.log.pool.Put(p)
			last, err = r.index, r.err
		case <-ctx.Done(): // p stays with the committer
			return 0, gaveUp(ctx, opAppend)
		}
	}
	return last, err
}

// accept checks an entry and makes it ready.
func (f face) accept(op string, e *moothall.AuditEntry) (*pending, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if reserved(e.Action) {
		return nil, moothall.Fail(moothall.CodeInvalid, op, "the action "+string(e.Action)+" is the log's own")
	}
	return f.log.prepare(f.by, e)
}

// prepare does on the caller's goroutine all that needs no order: spelling
// and hashing.
func (l *Log) prepare(by moothall.Identity, e *moothall.AuditEntry) (*pending, error) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	if y := e.Time.UTC().Year(); y < 0 || y > 9999 {
		return nil, moothall.Fail(moothall.CodeInvalid, "audit entry", "time out of range")
	}
	p, ok := l.pool.Get().(*pending)
	if !ok {
		p = &pending{done: make(chan result, 1)}
	}
	p.json = appendEntry(p.json[:0], by, e, hashParams(l.keys.hash, e.Params))
	if len(p.json) > maxJSON {
		return nil, moothall.Fail(moothall.CodeTooLarge, "audit entry", "longer than 16 KiB")
	}
	p.leaf = tlog.RecordHash(p.json)
	p.relaxed = e.Relaxed
	p.runEnd = e.Action == moothall.ActionRunEnd
	return p, nil
}

// enqueue hands what came together to the committer, and returns the index of
// the last of it.
func (l *Log) enqueue(list ...*pending) (last uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.err != nil:
		return 0, l.err
	case l.closing:
		return 0, moothall.Fail(moothall.CodeUnavailable, opAppend, "the log is closed")
	case len(l.queue) >= maxQueue:
		return 0, moothall.Fail(moothall.CodeUnavailable, opAppend, "too many entries wait for the disk")
	}
	first := len(l.queue) == 0
	l.queue = append(l.queue, list...)
	for _, p := range list {
		l.urgent = l.urgent || !p.relaxed
		if p.sealed == nil {
			p.index, last = l.place, l.place
			l.place++
		}
	}
	if l.urgent || first && len(list) > 0 {
		l.nudge()
	}
	return last, nil
}

// nudge wakes the committer without waiting for it.
func (l *Log) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// gaveUp is the error of a caller whose context ended.
func gaveUp(ctx context.Context, op string) error {
	return &moothall.Error{Code: moothall.ErrorCode(ctx.Err()), Op: op, Err: context.Cause(ctx)}
}
