package bus

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"moothall"
)

// tally remembers which events an observer has begun and not finished, so that
// one which ends the process each time is noticed. The server counts deliveries,
// too, but writes that count down up to a tenth of a second later, so that in
// process it dies with the handler, and forgets it where the next process begins
// (see [Bus.free]). A server elsewhere lives on and needs no tally.
//
// The file holds slots of three numbers: an event's place, how often it was
// begun, and until when it waits for its next try, in nanoseconds. It is not
// synced: what a process wrote outlives it, and after a power cut the server's
// own count has to do.
type tally struct {
	mu    sync.Mutex
	f     *os.File
	slots []inHand
}

// inHand is one slot; free when seq is 0.
type inHand struct{ seq, begun, until uint64 }

const slotSize = 24

// openTally reads what the last process had in hand when it ended.
func openTally(dir, consumer string) (*tally, error) {
	dir = filepath.Join(dir, "observers")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, consumer), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	t := &tally{f: f}
	for b := make([]byte, slotSize); ; {
		switch _, err := f.ReadAt(b, int64(len(t.slots))*slotSize); {
		case err == nil:
			t.slots = append(t.slots, inHand{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])})
		case errors.Is(err, io.EOF):
			return t, nil
		default:
			f.Close()
			return nil, unwritable(dir, err)
		}
	}
}

// begin notes that an event is taken in hand and returns how often that was.
func (t *tally) begin(seq uint64) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.slots, func(s inHand) bool { return s.seq == seq })
	if i < 0 {
		i = slices.IndexFunc(t.slots, func(s inHand) bool { return s.seq == 0 })
	}
	if i < 0 {
		i = len(t.slots)
		t.slots = append(t.slots, inHand{})
	}
	t.slots[i] = inHand{seq: seq, begun: t.slots[i].begun + 1}
	return int(t.slots[i].begun), t.write(i)
}

// wait notes that an event is not to be tried before a moment.
func (t *tally) wait(seq uint64, until time.Time) error {
	return t.change(seq, func(s *inHand) { s.until = uint64(until.UnixNano()) })
}

// leave notes that an event was begun and is left as it was.
func (t *tally) leave(seq uint64) error {
	return t.change(seq, func(s *inHand) {
		if s.begun--; s.begun == 0 {
			*s = inHand{}
		}
	})
}

// end notes that an event is done, or given up.
func (t *tally) end(seq uint64) error {
	return t.change(seq, func(s *inHand) { *s = inHand{} })
}

func (t *tally) change(seq uint64, change func(*inHand)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.slots, func(s inHand) bool { return s.seq == seq })
	if i < 0 {
		return nil
	}
	change(&t.slots[i])
	return t.write(i)
}

// waits reports whether an event waits for its next try.
func (t *tally) waits(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.slots, func(s inHand) bool { return s.until > uint64(now.UnixNano()) })
}

func (t *tally) write(i int) error {
	var b [slotSize]byte
	binary.BigEndian.PutUint64(b[:], t.slots[i].seq)
	binary.BigEndian.PutUint64(b[8:], t.slots[i].begun)
	binary.BigEndian.PutUint64(b[16:], t.slots[i].until)
	_, err := t.f.WriteAt(b[:], int64(i)*slotSize)
	return err
}

// tallyOf returns the tally of an observer, nil at a remote server.
func (b *Bus) tallyOf(consumer string) (*tally, error) {
	if b.emb == nil {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, moothall.Fail(moothall.CodeUnavailable, "observe", "the bus is closed")
	}
	if t := b.tallies[consumer]; t != nil {
		return t, nil
	}
	t, err := openTally(b.opts.Dir, consumer)
	if err != nil {
		return nil, err
	}
	b.tallies[consumer] = t
	return t, nil
}
