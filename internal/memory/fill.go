package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moothall"
)

// fillBatch is how many entries get their vectors in one step.
const fillBatch = 64

// wake tells the filler to look.
func (s *Service) wake() {
	select {
	case s.lack <- struct{}{}:
	default:
	}
}

// fill gives vectors to entries that lack them, until Close. What it has done
// is durable; a restart goes on where it was.
func (s *Service) fill() {
	retry := time.NewTimer(time.Hour)
	retry.Stop()
	defer retry.Stop()
	for {
		select {
		case <-s.life.Done():
			return
		case <-s.lack:
		case <-retry.C:
		}
		err := s.fillAll(s.life)
		if s.life.Err() != nil {
			return
		}
		if err != nil {
			s.stats.fillErrors.Add(1)
			s.o.Logger.Info("entries wait for their vectors", "err", err) // Stats counts it; words and built-in vectors serve meanwhile
		}
		if err != nil && !errors.Is(err, errRefused) {
			retry.Reset(s.o.Limits.Retry)
			continue
		}
		s.caughtUp()
	}
}

// caughtUp tells who waits that no vectors are missing.
func (s *Service) caughtUp() {
	s.idleMu.Lock()
	defer s.idleMu.Unlock()
	close(s.idle)
	s.idle = make(chan struct{})
}

// Settle waits until every entry has the vectors of every embedder in use that
// does not refuse its text, or ctx ends. It is for commands that end after an
// import.
func (s *Service) Settle(ctx context.Context) error {
	for {
		s.idleMu.Lock()
		idle := s.idle
		s.idleMu.Unlock()
		s.wake()
		select {
		case <-idle:
		case <-ctx.Done():
			return wrap("fill in vectors", ctx.Err())
		case <-s.life.Done():
			return errClosed()
		}
		// What ended may have begun before the last write.
		if done, err := s.settled(ctx); err != nil || done {
			return wrap("fill in vectors", err)
		}
	}
}

func (s *Service) settled(ctx context.Context) (bool, error) {
	for _, sp := range s.spaces() {
		for after := uint64(0); ; {
			ns, err := s.o.Engine.Lacking(ctx, sp.embedder, after, fillBatch)
			if err != nil {
				return false, err
			}
			if len(ns) == 0 {
				break
			}
			after = ns[len(ns)-1]
			if len(slices.DeleteFunc(ns, sp.refuses)) > 0 {
				return false, nil
			}
		}
	}
	return true, nil
}

// enterFilling waits until nobody else fills in vectors: the same entry would
// be embedded twice.
func (s *Service) enterFilling(ctx context.Context) (leave func(), err error) {
	select {
	case s.filling <- struct{}{}:
		return func() { <-s.filling }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Service) fillAll(ctx context.Context) error {
	leave, err := s.enterFilling(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.fillSpace(ctx, s.local, s.embedLocal, nil); err != nil {
		return err
	}
	if s.o.Embed == nil {
		return nil
	}
	sp, err := s.remoteSpace(ctx)
	if err != nil || sp == nil {
		return err
	}
	return s.fillSpace(ctx, sp, s.embedRemote, nil)
}

// embedding makes the vectors of records that stand in order of place.
type embedding func(ctx context.Context, sp *space, list []*Record, before [][]string) ([]Vectors, error)

func (s *Service) embedLocal(_ context.Context, _ *space, list []*Record, before [][]string) ([]Vectors, error) {
	out := make([]Vectors, len(list))
	for i, r := range list {
		out[i] = s.localVectors(r, before[i])
		out[i].N = r.N
	}
	return out, nil
}

func (s *Service) embedRemote(ctx context.Context, sp *space, list []*Record, before [][]string) ([]Vectors, error) {
	var texts []string
	for i, r := range list {
		t := remoteTexts(r, before[i], embedded)
		texts = append(texts, t[:]...)
	}
	return s.embedTexts(ctx, sp, list, texts)
}

// embedTexts makes vectors of three texts a record.
func (s *Service) embedTexts(ctx context.Context, sp *space, list []*Record, texts []string) ([]Vectors, error) {
	got, err := s.o.Embed(ctx, moothall.EmbedRequest{Purpose: "document", Texts: texts, Priority: moothall.PriorityBackground})
	if err != nil {
		return nil, err
	}
	if got.Embedder != sp.embedder {
		return nil, moothall.Fail(moothall.CodeConflict, "embed", "the embedder changed to "+got.Embedder)
	}
	if len(got.Vectors) != len(texts) {
		return nil, moothall.Fail(moothall.CodeInternal, "embed", "another number of vectors came than there were texts")
	}
	if slices.ContainsFunc(got.Vectors, func(v []float32) bool { return len(v) != sp.names.Dim() }) {
		return nil, moothall.Fail(moothall.CodeConflict, "embed", "the vectors of "+got.Embedder+" have changed their length")
	}
	out := make([]Vectors, len(list))
	for i, r := range list {
		v := got.Vectors[3*i : 3*i+3]
		out[i] = Vectors{N: r.N, Embedder: sp.embedder, Name: v[0], Description: v[1], Corpus: v[2]}
	}
	return out, nil
}

// fillSpace goes through the places that lack an embedder's vectors. It tells
// in the end of the first text that was refused.
func (s *Service) fillSpace(ctx context.Context, sp *space, make embedding, report func()) error {
	var refusal error
	for after := uint64(0); ; {
		ns, err := s.o.Engine.Lacking(ctx, sp.embedder, after, fillBatch)
		if err != nil || len(ns) == 0 {
			return cmp.Or(err, refusal)
		}
		after = ns[len(ns)-1]
		err = s.fillSome(ctx, sp, make, slices.DeleteFunc(ns, sp.refuses))
		if err != nil && !errors.Is(err, errRefused) {
			return err
		}
		refusal = cmp.Or(refusal, err)
		if report != nil {
			report()
		}
	}
}

func (s *Service) fillSome(ctx context.Context, sp *space, make embedding, ns []uint64) error {
	records, err := s.o.Engine.At(ctx, ns, true)
	if err != nil {
		return err
	}
	list, before := []*Record{}, [][]string{}
	for i := range records {
		said, err := s.newContexts().of(ctx, &records[i])
		if err != nil {
			return err
		}
		list, before = append(list, &records[i]), append(before, said)
	}
	if len(list) == 0 {
		return nil
	}
	vectors, err := make(ctx, sp, list, before)
	if refused(err) { // as only the gateway's embedder does
		return s.fillEach(ctx, sp, list, before)
	}
	if err != nil {
		return err
	}
	return s.keepVectors(ctx, sp, list, before, vectors)
}

// keepVectors stores vectors of entries that have not been written since, nor
// has what was said before them.
func (s *Service) keepVectors(ctx context.Context, sp *space, list []*Record, before [][]string, vectors []Vectors) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	current := vectors[:0]
	for i, v := range vectors {
		if h, ok := s.catalog.head(v.N); !ok || h.Print != list[i].Print {
			continue
		}
		said, err := s.newContexts().of(ctx, list[i])
		if err != nil {
			return err
		}
		if slices.Equal(said, before[i]) {
			current = append(current, v)
		}
	}
	if len(current) == 0 {
		return nil
	}
	if _, err := s.o.Engine.Apply(ctx, &Change{Vectors: current}); err != nil {
		return err
	}
	for _, v := range current {
		if err := sp.put(v); err != nil {
			return fmt.Errorf("entry %d: %w", v.N, err)
		}
	}
	s.stats.filled.Add(uint64(len(current)))
	s.cache.clear()
	return nil
}

// remoteSpace returns the space of the embedder that the gateway has now. A
// change of embedder begins a new one; the old serves until it is complete.
func (s *Service) remoteSpace(ctx context.Context) (*space, error) {
	live, _ := s.catalog.size()
	if live == 0 {
		return nil, nil // nothing to embed, so nothing to learn
	}
	got, err := s.probe(ctx)
	if err != nil {
		return nil, err
	}
	if got.Embedder == "" || len(got.Vectors) != 1 {
		return nil, moothall.Fail(moothall.CodeInternal, "embed", "the embedder has no name or gave no vector")
	}
	s.mu.RLock()
	sp := s.remote
	s.mu.RUnlock()
	dim := len(got.Vectors[0])
	if sp != nil && sp.embedder == got.Embedder {
		if sp.names.Dim() == dim {
			return sp, nil
		}
		// Another model under the same name: what the old one made is of no use.
		if err := s.o.Engine.Drop(ctx, sp.embedder); err != nil {
			return nil, err
		}
	}
	return s.changeRemote(ctx, got.Embedder, dim)
}

// probe embeds a text that every embedder takes.
func (s *Service) probe(ctx context.Context) (moothall.Embeddings, error) {
	return s.o.Embed(ctx, moothall.EmbedRequest{Purpose: "document", Texts: []string{"moothall"}, Priority: moothall.PriorityBackground})
}
