package sandbox

import "sync"

// output keeps the first bytes of a stream and counts the rest. A program that
// goes on for very long past the limit is stopped.
type output struct {
	limit int
	stop  func()

	mu    sync.Mutex
	kept  []byte
	total int64
}

// patience is how many times the limit a program may write before it is ended:
// most programs that write too much end by themselves soon after.
const patience = 16

// Write implements io.Writer; it always takes all of p, so that the program
// does not block on a full pipe.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := o.limit - len(o.kept); room > 0 {
		o.kept = append(o.kept, p[:min(room, len(p))]...)
	}
	before := o.total
	o.total += int64(len(p))
	if most := int64(o.limit) * patience; before <= most && o.total > most && o.stop != nil {
		o.stop()
	}
	return len(p), nil
}

func (o *output) result() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept, o.total > int64(o.limit)
}
