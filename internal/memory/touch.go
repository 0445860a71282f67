package memory

import (
	"context"
	"sync"
	"time"
)

// touchEvery is how long counts of access wait to be written together.
const touchEvery = 30 * time.Second

// statisticsKey is where the engine keeps the built-in embedder's counts.
const statisticsKey = "statistics"

// touches are accesses that were not written yet. Losing some in a crash is
// harmless.
type touches struct {
	mu   sync.Mutex
	list map[uint64]Touch
}

func (t *touches) init() { t.list = map[uint64]Touch{} }

func (t *touches) add(n uint64, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.list[n]
	t.list[n] = Touch{N: n, Count: was.Count + 1, At: at}
}

func (t *touches) take() []Touch {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []Touch
	for _, v := range t.list {
		out = append(out, v)
	}
	clear(t.list)
	return out
}

// touch writes counts of access now and then, until Close.
func (s *Service) touch() {
	tick := time.NewTicker(touchEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
			if err := s.flushTouches(s.life); err != nil {
				s.o.Logger.Warn("counts of access could not be written", "err", err)
			}
			if err := s.saveStatistics(s.life); err != nil {
				s.o.Logger.Warn("the statistics of the memory's words could not be written", "err", err)
			}
		}
	}
}

func (s *Service) flushTouches(ctx context.Context) error {
	list := s.touched.take()
	if len(list) == 0 {
		return nil
	}
	_, err := s.o.Engine.Apply(ctx, &Change{Touch: list})
	return wrap("count accesses", err)
}

// restoreStatistics reads the embedder's counts. They only weigh words of
// queries: old ones, or none, cost some quality and nothing else.
func (s *Service) restoreStatistics(ctx context.Context) {
	data, err := s.o.Engine.State(ctx, statisticsKey)
	if err == nil && data != nil {
		err = s.builtin.Restore(data)
	}
	if err != nil {
		s.o.Logger.Warn("the statistics of the memory's words begin anew", "err", err)
	}
	if live, _ := s.catalog.size(); (err != nil || data == nil) && live > 0 {
		s.work.Go(s.observe)
	}
}

// observe counts the words of what is stored, after a crash that came before
// they were ever written.
func (s *Service) observe() {
	for r, err := range s.o.Engine.Scan(s.life, 0) {
		if err != nil {
			if s.life.Err() == nil {
				s.o.Logger.Warn("the words of the memory could not be counted", "err", err)
			}
			return
		}
		if !r.Proposed {
			s.builtin.Observe(observed(&r))
		}
	}
}

func (s *Service) saveStatistics(ctx context.Context) error {
	data := s.builtin.Snapshot()
	if len(data) == 0 {
		return nil
	}
	_, err := s.o.Engine.Apply(ctx, &Change{State: map[string][]byte{statisticsKey: data}})
	return wrap("keep statistics", err)
}
