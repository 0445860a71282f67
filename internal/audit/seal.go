package audit

import (
	"errors"
	"sync"
	"time"
)

// sealer signs heads and writes them, on its own goroutine. It is asked for
// heads of durable entries only. A head not yet begun gives way to a newer
// one, which covers more.
type sealer struct {
	keys   *keys
	file   file
	poison func(error) error
	wake   chan struct{}
	done   chan struct{}
	bytes  int64 // length of the file; the goroutine's own

	mu      sync.Mutex
	next    head // to be signed
	waiting []chan<- error
	closing bool
	signed  uint64
	heads   uint64
	lastErr error
}

// ask has h signed. Those waiting are told the result.
func (s *sealer) ask(h head, waiting []chan<- error) {
	s.mu.Lock()
	s.next = h
	s.waiting = append(s.waiting, waiting...)
	s.mu.Unlock()
	s.nudge()
}

func (s *sealer) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *sealer) run() {
	defer close(s.done)
	for range s.wake {
		s.stepAside()
		s.mu.Lock()
		h, waiting, closing, behind := s.next, s.waiting, s.closing, s.next.size > s.signed
		s.waiting = nil
		s.mu.Unlock()
		var err error
		if behind {
			err = s.write(h)
			s.note(h, err)
		}
		tell(waiting, err)
		if closing {
			return
		}
	}
}

// aside is for how long a head that nobody waits for waits: who ended a run
// needs the disk for what it found.
const aside = 5 * time.Millisecond

func (s *sealer) stepAside() {
	late := time.NewTimer(aside)
	defer late.Stop()
	for {
		s.mu.Lock()
		wanted := s.closing || len(s.waiting) > 0
		s.mu.Unlock()
		if wanted {
			return
		}
		select {
		case <-s.wake: // somebody may wait now
		case <-late.C:
			return
		}
	}
}

func (s *sealer) note(h head, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastErr = err
	if err == nil {
		s.signed = h.size
		s.heads++
	}
}

// write appends one head. A write that fails is taken back and tried again
// when the next head is due; a flush that fails ends all writing.
func (s *sealer) write(h head) error {
	msg, err := s.keys.sign(h)
	if err != nil {
		return ioFailure("sign head", err)
	}
	msg = append(msg, headEnd...)
	if _, err := s.file.Write(msg); err != nil {
		fail := ioFailure("write head", err)
		if s.file.Truncate(s.bytes) != nil {
			return s.poison(fail)
		}
		return fail
	}
	if err := s.file.Sync(); err != nil {
		_ = s.file.Truncate(s.bytes)
		return s.poison(ioFailure("flush head", err))
	}
	s.bytes += int64(len(msg))
	return nil
}

// close signs what was asked for and ends the goroutine. It returns why the
// last head is missing, if it is.
func (s *sealer) close() error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.nudge()
	<-s.done
	return errors.Join(s.lastErr, s.file.Close())
}

func (s *sealer) addStats(out *Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Signed, out.Heads = s.signed, s.heads
	if s.lastErr != nil {
		out.LastError = s.lastErr.Error()
	}
}
