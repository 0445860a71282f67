package audit

import (
	"syscall"
	"time"

	"moothall"
)

// run is the committer: the only goroutine that touches the log file.
func (l *Log) run() {
	defer close(l.done)
	for open := true; open; {
		var batch []*pending
		batch, open = l.next()
		l.commit(batch, !open)
	}
}

// next waits until there is something that should be written now, and takes
// the whole queue. open is false when nothing can follow.
func (l *Log) next() (batch []*pending, open bool) {
	var window <-chan time.Time
	for {
		l.mu.Lock()
		ready := l.urgent || l.closing || len(l.queue) > 0 && l.window < 0
		if ready {
			batch, open = l.queue, !l.closing
			l.queue, l.urgent = nil, false
			l.mu.Unlock()
			return batch, open
		}
		waiting := len(l.queue) > 0
		l.mu.Unlock()

		if waiting && window == nil {
			t := time.NewTimer(l.window)
			defer t.Stop()
			window = t.C
		}
		select {
		case <-l.wake:
		case <-window:
			l.mu.Lock()
			l.urgent = true
			l.mu.Unlock()
		}
	}
}

// commit makes a batch durable with one write and one flush, answers the
// callers, and only then does what nobody waits for.
func (l *Log) commit(batch []*pending, last bool) {
	first, own := uint64(l.tree.size), len(l.owed)
	records := make([]*pending, own, own+len(batch))
	copy(records, l.owed)
	var sealed []chan<- error
	runEnd, slipped := false, false
	for _, p := range batch {
		index := first + uint64(len(records))
		switch {
		case p.sealed != nil:
			sealed = append(sealed, p.sealed)
		case p.placed && p.index != index: // what was to stand before it could not be written
			p.done <- result{err: l.lost}
			slipped = true
		default:
			p.index = index
			records = append(records, p)
			runEnd = runEnd || p.runEnd
		}
	}
	err := l.write(records, first)
	if err == nil {
		l.grow(records)
		l.owed = nil
	} else {
		l.lost, slipped = err, true
	}
	answer(records[own:], err)
	if slipped {
		l.renumber()
	}
	l.seal(sealed, runEnd || last, err)
}

// answer tells the callers of records. After it, those belong to their callers
// again.
func answer(records []*pending, err error) {
	for _, p := range records {
		if err != nil {
			p.done <- result{err: err}
			continue
		}
		p.done <- result{index: p.index}
	}
}

// renumber counts anew what index comes next, after entries that were counted
// and are not in the log. Those placed behind them will not be either.
func (l *Log) renumber() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.place = l.stats.Entries + uint64(len(l.owed))
	for _, p := range l.queue {
		if p.sealed == nil && !p.placed {
			l.place++
		}
	}
}

// write puts records on the disk. A failed write that could be taken back
// leaves the log usable; a failed flush does not.
func (l *Log) write(records []*pending, first uint64) error {
	if err := l.Err(); err != nil || len(records) == 0 {
		return err
	}
	buf := l.buf[:0]
	for i, p := range records {
		buf = appendLine(buf, first+uint64(i), first, p.json)
	}
	l.buf = buf
	durable := l.length()
	err := l.put(buf, durable)

	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.stats.LastError = err.Error()
		l.stats.Denied += uint64(len(records))
		return err
	}
	l.stats.Entries += uint64(len(records))
	l.stats.Bytes += int64(len(buf))
	l.stats.Commits++
	return nil
}

// put writes and flushes, or puts things back as they were.
func (l *Log) put(buf []byte, durable int64) error {
	const op = "write audit log"
	if err := l.untouched(durable); err != nil {
		return l.poison(err)
	}
	if _, err := l.file.Write(buf); err != nil {
		fail := ioFailure(op, err)
		if l.file.Truncate(durable) != nil || l.untouched(durable) != nil {
			return l.poison(fail)
		}
		l.logger.Warn("audit write refused", "err", err)
		return fail
	}
	if err := l.file.Sync(); err != nil {
		// What was not acknowledged should not reappear after a restart: the
		// kernel may hold pages that it will never write.
		_ = l.file.Truncate(durable)
		return l.poison(ioFailure("flush audit log", err))
	}
	return nil
}

// untouched makes sure that nobody else changed the file's length or removed
// it while it was open.
func (l *Log) untouched(size int64) error {
	info, err := l.file.Stat()
	if err != nil {
		return ioFailure("inspect audit log", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink == 0 {
		return tampered("inspect audit log", "the log file was removed while in use")
	}
	if info.Size() != size {
		return tampered("inspect audit log", "the log file has %d bytes where %d were written", info.Size(), size)
	}
	return nil
}

// poison ends all writing, for the first reason that comes.
func (l *Log) poison(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		l.stats.LastError = err.Error()
		l.logger.Error("audit log refuses all writing from now on", "err", err)
	}
	return l.err
}

func (l *Log) length() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats.Bytes
}

// grow adds durable records to the tree.
func (l *Log) grow(records []*pending) {
	for _, p := range records {
		if err := l.tree.add(p.leaf); err != nil {
			l.poison(&moothall.Error{Code: moothall.CodeInternal, Op: "hash audit log", Err: err})
			return
		}
	}
}

// seal asks for a head when one is due: somebody waits for it, a run or the
// log ends, or enough entries came together.
func (l *Log) seal(waiting []chan<- error, due bool, err error) {
	if reason := l.Err(); reason != nil {
		tell(waiting, reason)
		return
	}
	if err != nil { // nothing new is durable, but what was before can be signed
		tell(waiting, err)
		waiting = nil
	}
	size := uint64(l.tree.size)
	if !due && len(waiting) == 0 && size-l.headed < l.every {
		return
	}
	h, err := l.tree.head()
	if err != nil {
		tell(waiting, err)
		return
	}
	l.headed = size
	l.seals.ask(h, waiting)
}

func tell(waiting []chan<- error, err error) {
	for _, w := range waiting {
		w <- err
	}
}
