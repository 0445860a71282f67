package memory

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"moothall"
	"moothall/internal/memory/embed"
)

// Service remembers. Make one with [Open].
type Service struct {
	o       Options
	catalog *catalog
	builtin *embed.Embedder
	cache   *cache
	recent  *recent

	// writing is held from looking for duplicates until the index knows
	// what was stored. It is taken before any other lock.
	writing sync.Mutex
	// turns were answered lately or have notes that wait, oldest first;
	// guarded by writing.
	turns []moothall.QueryID

	mu     sync.RWMutex
	local  *space // of the built-in embedder
	remote *space // of the gateway's; nil until it has answered once

	touched touches
	stats   counters

	life    context.Context // of what runs beside calls
	end     context.CancelFunc
	work    sync.WaitGroup
	lack    chan struct{} // tells the filler that vectors may be missing
	filling chan struct{} // holds a token while vectors are filled in
	idleMu  sync.Mutex
	idle    chan struct{} // closed and replaced when the filler has caught up
	closed  atomic.Bool
}

// Open reads what the engine holds, builds the index in memory, and begins to
// fill in vectors that are missing.
func Open(ctx context.Context, o Options) (*Service, error) {
	const op = "open memory"
	if o.Engine == nil || o.Audit == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, op, "an engine and a record are needed")
	}
	o = o.filled()
	s := &Service{
		o: o, catalog: newCatalog(), builtin: embed.New(embed.Options{}), cache: newCache(o.Cache, o.Now), recent: newRecent(),
		lack: make(chan struct{}, 1), idle: make(chan struct{}), filling: make(chan struct{}, 1),
	}
	s.touched.init()
	if err := s.restore(ctx); err != nil {
		return nil, wrap(op, err)
	}
	if err := s.restoreTurns(ctx); err != nil {
		return nil, wrap(op, err)
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.restoreStatistics(ctx)
	s.work.Go(s.fill)
	s.work.Go(s.touch)
	s.wake()
	return s, nil
}

// restore reads the heads of all records and, beside that, the index files:
// neither keeps both cores busy alone.
func (s *Service) restore(ctx context.Context) error {
	var reading sync.WaitGroup
	var failed error
	reading.Go(func() { failed = s.readHeads(ctx) })
	heads := func() error { reading.Wait(); return failed }
	err := s.openSpaces(ctx, heads)
	return cmp.Or(heads(), err)
}

func (s *Service) readHeads(ctx context.Context) error {
	for h, err := range s.o.Engine.Heads(ctx) {
		if err != nil {
			return err
		}
		s.catalog.put(h)
	}
	return nil
}

// Close ends the background work, writes what was counted and the index
// files. Calls after the first do nothing.
func (s *Service) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.end()
	s.work.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	s.writing.Lock()
	defer s.writing.Unlock()
	return errors.Join(s.flushTouches(ctx), s.saveStatistics(ctx), s.saveSpaces(ctx))
}

// For returns the memory as one participant sees it. Who may do what is in
// the table of [Rights].
func (s *Service) For(id moothall.Identity) moothall.Memory { return &face{s, id} }

// Stats are plain figures about a memory.
type Stats struct {
	Entries      int64           `json:"entries"`
	Candidates   int64           `json:"candidates"`
	Turns        int             `json:"turns"` // entries that belong to threads
	Embedders    []EmbedderStats `json:"embedders"`
	Writes       uint64          `json:"writes"`
	Recalls      uint64          `json:"recalls"`
	Merged       uint64          `json:"merged"`    // near-duplicates that were taken up
	Contested    uint64          `json:"contested"` // entries that contradict another
	Refused      uint64          `json:"refused"`   // recalled text that was to be stored again
	CacheHits    uint64          `json:"cache_hits"`
	CacheMisses  uint64          `json:"cache_misses"`
	CacheEntries int             `json:"cache_entries"`
	Filled       uint64          `json:"filled"` // entries that got vectors in the background
	FillErrors   uint64          `json:"fill_errors"`
}

// EmbedderStats says how far an embedder has come.
type EmbedderStats struct {
	Name    string `json:"name"`
	Dim     int    `json:"dim"`
	Entries int    `json:"entries"` // that have its vectors
	Bytes   int64  `json:"bytes"`
	Kernel  string `json:"kernel"`
}

type counters struct {
	writes, recalls, merged, contested, refused, filled, fillErrors atomic.Uint64
}

// Stats returns figures of the moment.
func (s *Service) Stats(ctx context.Context) (Stats, error) {
	records, candidates, err := s.o.Engine.Count(ctx)
	if err != nil {
		return Stats{}, wrap("memory stats", err)
	}
	_, turns := s.catalog.size()
	out := Stats{
		Entries: records, Candidates: candidates, Turns: turns,
		Writes: s.stats.writes.Load(), Recalls: s.stats.recalls.Load(), Merged: s.stats.merged.Load(),
		Contested: s.stats.contested.Load(), Refused: s.stats.refused.Load(),
		Filled: s.stats.filled.Load(), FillErrors: s.stats.fillErrors.Load(),
	}
	out.CacheHits, out.CacheMisses, out.CacheEntries = s.cache.figures()
	for _, sp := range s.spaces() {
		st := sp.names.Stats()
		out.Embedders = append(out.Embedders, EmbedderStats{
			Name: sp.embedder, Dim: sp.names.Dim(), Entries: st.Rows, Bytes: st.Bytes + sp.corpora.Stats().Bytes, Kernel: st.Kernel,
		})
	}
	return out, nil
}

// wrap gives an error a code and the step that failed, unless it has one.
func wrap(op string, err error) error {
	var known *moothall.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &moothall.Error{Code: moothall.ErrorCode(err), Op: op, Err: err}
}

func errClosed() error {
	return moothall.Fail(moothall.CodeUnavailable, "memory", "the memory is closed")
}
