package memory

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"moothall"
)

// EmbedFunc asks the gateway for vectors.
type EmbedFunc func(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error)

// Graph is the knowledge graph beside the entries.
type Graph interface {
	Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error]
	Assert(ctx context.Context, s moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error)
	Merge(ctx context.Context, m moothall.GraphMerge) error
	// Since returns what holds now in place of what entries say, for those that
	// say what is so no more.
	Since(ctx context.Context, sources []moothall.MemoryID) (map[moothall.MemoryID][]moothall.GraphFact, error)
	// Forget removes the facts that only this entry supports.
	Forget(ctx context.Context, source moothall.MemoryID) error
}

// Library is what the program itself knows: texts that nobody told the hall,
// that are never written, forgotten, exported or counted, and that are shown
// behind what is remembered.
type Library interface {
	// Recall returns the texts that fit a question, best first, none when
	// nothing does. The caller may keep what it gets.
	Recall(ctx context.Context, question string, most int) []moothall.Recall
	// Entry returns one of them.
	Entry(id moothall.MemoryID) (moothall.MemoryEntry, bool)
}

// Options are what a memory needs. Only Engine and Audit must be given.
type Options struct {
	Engine Engine
	Audit  moothall.Audit // as memory
	// Embed asks the gateway; nil: the built-in embedder alone.
	Embed EmbedFunc
	// Model names, extracts and reads turns; nil: rules do.
	Model moothall.Model
	// Thinks reports whether Model is now one that does this better than rules,
	// which a very small one is not; nil: it always is.
	Thinks func(context.Context) bool
	// Graph is where facts go; nil: calls for it are refused with
	// CodeNotConfigured.
	Graph Graph
	// Library is looked into behind the memories; nil: there is none.
	Library Library
	// Publish tells of memories as the memory keeper; nil: nobody listens.
	Publish func(ctx context.Context, e moothall.Event) error
	// Dir is a folder for index files, which only make opening faster;
	// empty: none are written.
	Dir string
	// Mode is what a query without one means: "staged" by default.
	Mode   string
	Limits Limits
	Cache  CacheOptions
	Now    func() time.Time // time.Now when nil
	Logger *slog.Logger     // nil discards
}

// Limits bound what is taken. Zero means the default.
type Limits struct {
	Corpus  int           // bytes of a text: 16 MiB
	Name    int           // bytes of a name: 300
	About   int           // bytes of a description: 4,000
	Tags    int           // of an entry: 64
	Part    int           // bytes of a part of a long text: 3,000
	Segment int           // bytes of an extracted segment: 1,200
	Results int           // of a query: 200
	Think   time.Duration // for a model call that somebody waits for: 20 s
	Retry   time.Duration // before the gateway is asked again for vectors: 15 s
}

// CacheOptions set the cache of answers. Zero means the default.
type CacheOptions struct {
	Entries   int     // 512; below 0: no cache
	Threshold float64 // how similar a query must be: 0.98
	// TTL by kind of what is in the answer; Default for the others, 10
	// minutes when it is 0.
	TTL     map[moothall.MemoryKind]time.Duration
	Default time.Duration
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func (o Options) filled() Options {
	l := &o.Limits
	l.Corpus, l.Name, l.About = or(l.Corpus, 16<<20), or(l.Name, 300), or(l.About, 4000)
	l.Tags, l.Part, l.Segment, l.Results = or(l.Tags, 64), or(l.Part, 3000), or(l.Segment, 1200), or(l.Results, 200)
	l.Think, l.Retry = or(l.Think, 20*time.Second), or(l.Retry, 15*time.Second)
	o.Cache.Entries, o.Cache.Threshold = or(o.Cache.Entries, 512), or(o.Cache.Threshold, 0.98)
	o.Cache.Default = or(o.Cache.Default, 10*time.Minute)
	o.Mode = or(o.Mode, ModeStaged)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Publish == nil {
		o.Publish = func(context.Context, moothall.Event) error { return nil }
	}
	return o
}
