package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/memory/vector"
)

// closing bounds what Close still writes.
const closing = 30 * time.Second

// space is where the vectors of one embedder are searched. Descriptions are
// only ever compared among a few, so the engine keeps those alone.
type space struct {
	embedder       string
	names, corpora *vector.Index
	refused        sync.Map // places of entries whose texts the embedder does not take
}

func newSpace(embedder string, dim int) (*space, error) {
	names, err := vector.New(dim, vector.Options{})
	if err != nil {
		return nil, err
	}
	corpora, err := vector.New(dim, vector.Options{})
	return &space{embedder: embedder, names: names, corpora: corpora}, err
}

// put takes up the vectors of a record.
func (sp *space) put(v Vectors) error {
	if err := sp.names.Put(v.N, v.Name); err != nil {
		return err
	}
	return sp.corpora.Put(v.N, v.Corpus)
}

func (sp *space) remove(n uint64) {
	sp.names.Delete(n)
	sp.corpora.Delete(n)
	sp.refused.Delete(n)
}

func (sp *space) refuses(n uint64) bool {
	_, ok := sp.refused.Load(n)
	return ok
}

// spaces returns those in use, the better one first.
func (s *Service) spaces() []*space {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.remote != nil {
		return []*space{s.remote, s.local}
	}
	return []*space{s.local}
}

// remoteKey is where the engine notes which of the gateway's embedders served
// last.
const remoteKey = "embedder"

// openSpaces builds the indexes from files that match, or from the engine.
// The catalog is complete once heads has returned.
func (s *Service) openSpaces(ctx context.Context, heads func() error) error {
	version, err := s.o.Engine.Version(ctx)
	if err != nil {
		return err
	}
	if s.local, err = s.openSpace(ctx, s.builtin.Name(), s.builtin.Dim(), version, heads); err != nil {
		return err
	}
	noted, err := s.o.Engine.State(ctx, remoteKey)
	if err != nil || noted == nil || s.o.Embed == nil {
		return err
	}
	var dim int
	name, rest, _ := strings.Cut(string(noted), "\n")
	if _, err := fmt.Sscan(rest, &dim); err != nil || dim < 1 {
		return nil // the filler asks again
	}
	s.remote, err = s.openSpace(ctx, name, dim, version, heads)
	return err
}

func (s *Service) openSpace(ctx context.Context, embedder string, dim int, version uint64, heads func() error) (*space, error) {
	sp, err := s.loadSpace(embedder, dim, version)
	if err == nil {
		return sp, nil
	}
	if !errors.Is(err, fs.ErrNotExist) && s.o.Dir != "" {
		s.notUsed(ctx, embedder, err)
	}
	if err := heads(); err != nil {
		return nil, err
	}
	if sp, err = newSpace(embedder, dim); err != nil {
		return nil, err
	}
	began, n := s.o.Now(), 0
	for v, err := range s.o.Engine.Vectors(ctx, embedder) {
		if err != nil {
			return nil, err
		}
		if _, ok := s.catalog.head(v.N); !ok || len(v.Name) != dim {
			continue
		}
		if err := sp.put(v); err != nil {
			return nil, err
		}
		if n++; n%50_000 == 0 {
			s.o.Logger.Info("building the memory's index", "embedder", embedder, "entries", n)
		}
	}
	s.o.Logger.Debug("memory index built", "embedder", embedder, "entries", n, "took", s.o.Now().Sub(began))
	return sp, nil
}

// notUsed says why an index is built anew. A file of another state of the
// store is what every end without Close leaves behind; damage is not.
func (s *Service) notUsed(ctx context.Context, embedder string, err error) {
	level := slog.LevelWarn
	if errors.Is(err, vector.ErrStale) {
		level = slog.LevelInfo
	}
	s.o.Logger.Log(ctx, level, "the memory's index is built anew", "embedder", embedder, "reason", err)
}

// files are the two of a space. Embedders have names with slashes.
func (s *Service) files(embedder string) (names, corpora string) {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, embedder)
	base := filepath.Join(s.o.Dir, fmt.Sprintf("%s-%x", safe, printOf(embedder)&0xffffff))
	return base + ".names", base + ".corpora"
}

func fingerprint(embedder string, version uint64) string {
	return fmt.Sprintf("%s at %d", embedder, version)
}

func (s *Service) loadSpace(embedder string, dim int, version uint64) (*space, error) {
	if s.o.Dir == "" {
		return nil, fs.ErrNotExist
	}
	load := func(path string) (*vector.Index, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return vector.Load(f, dim, fingerprint(embedder, version), vector.Options{})
	}
	var names, corpora *vector.Index
	var failed [2]error
	var both sync.WaitGroup // one reads while the other checks
	a, b := s.files(embedder)
	both.Go(func() { names, failed[0] = load(a) })
	both.Go(func() { corpora, failed[1] = load(b) })
	both.Wait()
	if err := cmp.Or(failed[0], failed[1]); err != nil {
		return nil, err
	}
	if names.Len() != corpora.Len() {
		return nil, moothall.Fail(moothall.CodeCorrupt, "load index", "the two files do not hold the same entries")
	}
	return &space{embedder: embedder, names: names, corpora: corpora}, nil
}

// saveSpaces writes the index files. A failure costs time at the next start
// and nothing else, so it is no error of Close.
func (s *Service) saveSpaces(ctx context.Context) error {
	if s.o.Dir == "" {
		return nil
	}
	version, err := s.o.Engine.Version(ctx)
	if err != nil {
		return wrap("close memory", err)
	}
	for _, sp := range s.spaces() {
		if err := s.saveSpace(sp, version); err != nil {
			s.o.Logger.Warn("the index file of the memory cannot be written", "embedder", sp.embedder, "err", err)
		}
	}
	return nil
}

func (s *Service) saveSpace(sp *space, version uint64) error {
	names, corpora := s.files(sp.embedder)
	if err := s.saveIndex(names, sp.names, sp.embedder, version); err != nil {
		return err
	}
	return s.saveIndex(corpora, sp.corpora, sp.embedder, version)
}

// saveIndex writes one index beside its old file and renames. It can be
// large, so it is streamed. Nothing depends on its surviving a power cut: a
// file that does not match or is torn is not used.
func (s *Service) saveIndex(path string, x *vector.Index, embedder string, version uint64) (err error) {
	f, err := os.CreateTemp(s.o.Dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = errors.Join(x.Save(f, fingerprint(embedder, version)), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
