package verify

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"moothall"
)

// Filter selects entries. Zero fields select all; the others must all match.
type Filter struct {
	Since, Until time.Time // Since <= time < Until
	From, To     uint64    // From <= index < To; To 0 means no end
	By           moothall.Identity
	Agent        moothall.AgentID
	Action       moothall.AuditAction
	Tool         moothall.ToolName
	Status       moothall.AuditStatus
	Session      moothall.SessionID
	Query        moothall.QueryID
	Call         moothall.CallID
}

// Match reports whether the filter selects the entry.
func (f *Filter) Match(e *Entry) bool {
	return !(e.Index < f.From || f.To > 0 && e.Index >= f.To ||
		!f.Since.IsZero() && e.Time.Before(f.Since) || !f.Until.IsZero() && !e.Time.Before(f.Until) ||
		f.By != "" && f.By != e.By || f.Agent != "" && f.Agent != e.Agent ||
		f.Action != "" && f.Action != e.Action || f.Tool != "" && f.Tool != e.Tool ||
		f.Status != "" && f.Status != e.Status || f.Session != "" && f.Session != e.Session ||
		f.Query != "" && f.Query != e.Query || f.Call != "" && f.Call != e.Call)
}

// past reports whether nothing after this index can match.
func (f *Filter) past(index uint64) bool { return f.To > 0 && index >= f.To }

// Entries yields the entries that the filter selects, in order, up to the
// last that stands in the log when the sequence begins. Form, order
// and checksums are checked on the way, signatures are not: that is [Dir]'s
// work. A bad record ends the sequence with CodeCorrupt; an unfinished last
// one ends it without error.
func Entries(dir string, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		file, err := openLog(dir)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer file.Close()
		now, err := asOfNow(file)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		drain(newReader(now), f, yield)
	}
}

// drain yields what the log holds now. It returns false when nothing more is
// wanted or possible.
func drain(r *reader, f Filter, yield func(Entry, error) bool) bool {
	for !f.past(r.next) {
		e, err := r.entry()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			yield(Entry{}, corrupt(err))
			return false
		}
		if f.Match(&e) && !yield(e, nil) {
			return false
		}
	}
	return false
}

func corrupt(err error) error {
	var bad *badRecord
	if !errors.As(err, &bad) {
		return err
	}
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: "read audit log", Message: "a record is damaged",
		Remedy: "run \"moothall audit verify\"", Err: err,
	}
}

// FollowOptions say when [Follow] looks again.
type FollowOptions struct {
	// Interval between looks. Default 250 ms.
	Interval time.Duration
	// Tick replaces the interval: every value received is a look.
	Tick <-chan time.Time
}

// Follow is [Entries] from an index on, and then yields new entries as they
// become whole, until ctx ends. That end is no error. An entry seen by
// Follow may not be durable yet. A log that becomes shorter, which a crash
// and its recovery can cause, or is moved away, as by a restore, ends the
// sequence with CodeInterrupted.
func Follow(ctx context.Context, dir string, f Filter, from uint64, o *FollowOptions) iter.Seq2[Entry, error] {
	f.From = max(f.From, from)
	return func(yield func(Entry, error) bool) {
		file, err := openLog(dir)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer file.Close()
		tick, stop := o.ticks()
		defer stop()
		r := newReader(file)
		for ctx.Err() == nil && drain(r, f, yield) {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if err := sameLog(file, r.at); err != nil {
				yield(Entry{}, err)
				return
			}
		}
	}
}

func (o *FollowOptions) ticks() (<-chan time.Time, func()) {
	if o != nil && o.Tick != nil {
		return o.Tick, func() {}
	}
	interval := 250 * time.Millisecond
	if o != nil && o.Interval > 0 {
		interval = o.Interval
	}
	t := time.NewTicker(interval)
	return t.C, t.Stop
}

// sameLog says of a file that was followed up to a byte whether it still is the
// log: a recovery shortens it, and a restore puts another in its place.
func sameLog(f *os.File, at int64) error {
	info, err := f.Stat()
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "read audit log", Err: err}
	}
	now, err := os.Stat(f.Name())
	what := ""
	switch {
	case info.Size() < at:
		what = "the log became shorter"
	case errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, info):
		what = "the log was moved away"
	default:
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeInterrupted, Op: "follow audit log", Message: what,
		Remedy: "follow it again; \"moothall audit verify\" tells whether it was a recovery",
	}
}
