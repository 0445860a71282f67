package graph

import (
	"context"
	"log/slog"
	"time"

	"moothall"
)

// Options of [New]. The zero value is a graph with the default rules.
type Options struct {
	// Rules come after [DefaultRules] and replace those of the same name.
	Rules []Rule
	// Limit is how many facts an answer has at most; 200 by default.
	Limit int
	// Fan is how many facts of one neighbour an answer follows; 50 by default.
	Fan int
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// Logger hears of contradictions, by id; nil discards.
	Logger *slog.Logger
}

// MaxDepth is how far an answer goes; more is treated as this.
const MaxDepth = 4

// maxHistory bounds what History and Contradictions look at.
const maxHistory = 10_000

// Service is the knowledge graph. Make one with [New].
type Service struct {
	engine Engine
	opt    Options
	rules  rules
}

// New returns a graph over an engine. Nil options mean the defaults.
func New(e Engine, opts *Options) *Service {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Limit <= 0 {
		o.Limit = 200
	}
	if o.Fan <= 0 {
		o.Fan = 50
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{engine: e, opt: o, rules: newRules(DefaultRules(), o.Rules)}
}

func (s *Service) now() Instant { return Instant(s.opt.Now().UnixMicro()) }

// find returns the entity of a name, which must be there.
func find(ctx context.Context, v View, op, name string) (Entity, error) {
	key, err := checkName(op, "name", name)
	if err != nil {
		return Entity{}, err
	}
	ids, err := v.Named(ctx, []string{key})
	if err != nil {
		return Entity{}, err
	}
	id, ok := ids[key]
	if !ok {
		return Entity{}, noEntity(op, name)
	}
	return byID(ctx, v, op, id)
}

func byID(ctx context.Context, v View, op string, id EntityID) (Entity, error) {
	all, err := v.Entities(ctx, []EntityID{id})
	if err != nil {
		return Entity{}, err
	}
	e, ok := all[id]
	if !ok {
		return Entity{}, moothall.Fail(moothall.CodeCorrupt, op, "a name of the graph leads nowhere")
	}
	return e, nil
}

// checkName returns the key of a name that can be used.
func checkName(op, what, name string) (string, error) {
	if len(name) > MaxName {
		return "", &moothall.Error{
			Code: moothall.CodeTooLarge, Op: op, Message: "the " + what + " is longer than a name can be",
			Remedy: "use a shorter name",
		}
	}
	key := Key(name)
	if key == "" {
		return "", moothall.Fail(moothall.CodeInvalid, op, "a fact needs a "+what+" that can be read")
	}
	return key, nil
}

func noEntity(op, name string) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: op, Message: "the graph knows nobody and nothing called " + short(Clean(name)),
		Remedy: "moothall graph show lists what there is",
	}
}

// Stats are plain figures about the graph.
type Stats struct {
	Entities   int64 `json:"entities"`
	Statements int64 `json:"statements"` // what was said
	Facts      int64 `json:"facts"`      // what follows from it
	Open       int64 `json:"open"`       // of those, without an end
	Merges     int64 `json:"merges"`     // that can be undone
	Sources    int64 `json:"sources"`    // memory entries that facts come from
}

// Stats counts.
func (s *Service) Stats(ctx context.Context) (Stats, error) {
	var c Counts
	err := s.engine.Read(ctx, func(v View) (err error) {
		c, err = v.Counts(ctx)
		return err
	})
	return Stats(c), err
}
