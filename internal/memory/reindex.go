package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"moothall"
)

// changeRemote makes another embedder the gateway's. Its index begins with
// what the engine has of it, and is filled in while the built-in embedder's
// serves beside it.
func (s *Service) changeRemote(ctx context.Context, name string, dim int) (*space, error) {
	s.writing.Lock() // no write may fall between reading and switching
	defer s.writing.Unlock()
	version, err := s.o.Engine.Version(ctx)
	if err != nil {
		return nil, err
	}
	complete := func() error { return nil } // the catalog is, since Open
	sp, err := s.openSpace(ctx, name, dim, version, complete)
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%s\n%d", name, dim)
	if _, err := s.o.Engine.Apply(ctx, &Change{State: map[string][]byte{remoteKey: []byte(note)}}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.remote = sp
	s.mu.Unlock()
	s.cache.clear()
	return sp, nil
}

// Reindex asks the gateway which embedder it has now, gives every entry its
// vectors, and drops those of embedders that are no longer in use. Queries
// are served meanwhile by what there is. It may be ended and called again: it
// goes on where it was. A text that the embedder refuses is told of in the
// end, once. Report may be nil.
func (s *Service) Reindex(ctx context.Context, report func(moothall.Progress)) error {
	if s.closed.Load() {
		return errClosed()
	}
	if report == nil {
		report = func(moothall.Progress) {}
	}
	leave, err := s.enterFilling(ctx)
	if err != nil {
		return wrap("reindex", err)
	}
	defer leave()
	if err := s.recordWrite(ctx, moothall.Person, moothall.Scope{}, "reindex", nil); err != nil {
		return wrap("reindex", err)
	}
	live, _ := s.catalog.size()
	steps := []struct {
		name string
		find func() (*space, error)
		make embedding
	}{
		{"built-in", func() (*space, error) { return s.local, nil }, s.embedLocal},
		{"gateway", func() (*space, error) { return s.remoteSpace(ctx) }, s.embedRemote},
	}
	var refusal error
	for _, step := range steps {
		if step.name == "gateway" && s.o.Embed == nil {
			continue
		}
		sp, err := step.find()
		if absent(err) && s.remoteNow() == nil {
			report(moothall.Progress{Step: "no embedding model answers; the built-in embedder serves alone"})
			continue // none was ever there, so nothing of it is to be made anew
		}
		if err != nil {
			return wrap("reindex", err)
		}
		if sp == nil {
			continue
		}
		tell := func() {
			report(moothall.Progress{Step: "embed with " + sp.embedder, Done: int64(sp.names.Len()), Total: int64(live)})
		}
		tell()
		if refusal = s.fillSpace(ctx, sp, step.make, tell); refusal != nil && !errors.Is(refusal, errRefused) {
			return wrap("reindex", refusal)
		}
	}
	return cmp.Or(s.dropOthers(ctx, report), wrap("reindex", refusal))
}

// absent reports whether an error says that there is no embedding model.
func absent(err error) bool {
	code := moothall.ErrorCode(err)
	return code == moothall.CodeNotConfigured || code == moothall.CodeUnavailable
}

// remoteNow is the space of the gateway's embedder, if one has answered.
func (s *Service) remoteNow() *space {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.remote
}

// dropOthers deletes the vectors of embedders that serve no more.
func (s *Service) dropOthers(ctx context.Context, report func(moothall.Progress)) error {
	names, err := s.o.Engine.Embedders(ctx)
	if err != nil {
		return wrap("reindex", err)
	}
	used := map[string]bool{}
	for _, sp := range s.spaces() {
		used[sp.embedder] = true
	}
	for _, n := range names {
		if used[n] || s.o.Embed == nil && n != s.builtin.Name() {
			continue // without a gateway its vectors are only asleep
		}
		report(moothall.Progress{Step: "drop " + n})
		if err := s.o.Engine.Drop(ctx, n); err != nil {
			return wrap("reindex", err)
		}
	}
	return nil
}
