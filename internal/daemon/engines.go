package daemon

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/neo4j"
	graphsqlite "moothall/internal/graph/sqlite"
	"moothall/internal/memory"
	"moothall/internal/memory/chroma"
	"moothall/internal/memory/sqlite"
)

// MemoryEngineConfig says where memories are kept.
type MemoryEngineConfig struct {
	Kind  string `yaml:"kind" doc:"The hall's own database, DuckDB (in builds that have it), or a Chroma server." enum:"sqlite,duckdb,chroma"`
	Path  string `yaml:"path" doc:"DuckDB's file; memory.duckdb in the home when empty."`
	URL   string `yaml:"url" doc:"Chroma's address." example:"http://127.0.0.1:8000"`
	Token string `yaml:"token" doc:"The name of Chroma's token in the keyring."`
}

// GraphConfig says where the knowledge graph is kept.
type GraphConfig struct {
	Kind     string `yaml:"kind" doc:"The hall's own database, or a Neo4j server." enum:"sqlite,neo4j"`
	URL      string `yaml:"url" doc:"Neo4j's address." example:"bolt://127.0.0.1:7687"`
	User     string `yaml:"user" doc:"Its user."`
	Password string `yaml:"password" doc:"The name of the password in the keyring."`
	Database string `yaml:"database" doc:"Its database; the server's default when empty."`
}

// closer is the end of an engine that has nothing to close.
type closer func() error

func (c closer) Close() error { return c() }

var nothingToClose io.Closer = closer(func() error { return nil })

// memoryEngine opens the engine that is configured.
func (h *Hall) memoryEngine(ctx context.Context, c MemoryEngineConfig) (memory.Engine, io.Closer, error) {
	switch c.Kind {
	case "chroma":
		token, err := h.engineSecret(ctx, c.Token)
		if err != nil {
			return nil, nil, err
		}
		e, err := chroma.Open(ctx, chroma.Options{URL: c.URL, Token: token, Logger: h.log})
		if err != nil {
			return nil, nil, err
		}
		return e, closer(func() error { return e.Close() }), nil
	case "duckdb":
		path := c.Path
		if path == "" {
			path = filepath.Join(h.home.Data, "memory.duckdb")
		}
		return openDuckDB(ctx, path, h.log)
	}
	return sqlite.New(h.db), nothingToClose, nil
}

// graphEngine opens the engine that is configured.
func (h *Hall) graphEngine(ctx context.Context, c GraphConfig) (graph.Engine, io.Closer, error) {
	if c.Kind != "neo4j" {
		return graphsqlite.New(h.db), nothingToClose, nil
	}
	password, err := h.engineSecret(ctx, c.Password)
	if err != nil {
		return nil, nil, err
	}
	e, err := neo4j.Open(ctx, neo4j.Options{URL: c.URL, User: c.User, Password: password, Database: c.Database})
	if err != nil {
		return nil, nil, err
	}
	return e, closer(func() error { return e.Close() }), nil
}

// engineSecret fetches what an engine needs to connect, by the broker's own
// handle: engines are opened before the broker that could ask.
func (h *Hall) engineSecret(ctx context.Context, ref string) (string, error) {
	if ref == "" {
		return "", nil
	}
	s, err := h.peer(moothall.ToolBroker).Secrets()
	if err != nil {
		return "", err
	}
	value, err := s.GetSecret(ctx, moothall.SecretRequest{Ref: moothall.SecretRef(ref)})
	return string(value.Reveal()), err
}

// MoveMemory copies memories and graph from the engines that are configured
// to others, and counts on both sides. The configuration is the person's to
// change afterwards.
func MoveMemory(ctx context.Context, c moothall.Client, to MemoryEngineConfig, toGraph GraphConfig, report func(moothall.Progress)) (entries, facts int64, err error) {
	o, ok := c.(*owned)
	if !ok {
		return 0, 0, &moothall.Error{
			Code: moothall.CodeConflict, Op: "move memory", Message: "a hall runs on this home and may write meanwhile",
			Remedy: "stop it first",
		}
	}
	h := o.hall
	if err := movable(h.conf.Memory, to, toGraph); err != nil {
		return 0, 0, err
	}
	if to.Kind != h.conf.Memory.Engine.Kind {
		target, end, err := h.memoryEngine(ctx, to)
		if err != nil {
			return 0, 0, err
		}
		got, err := memory.Move(ctx, h.entries, target, report)
		if err = errors.Join(err, end.Close()); err != nil {
			return got.Entries, 0, err
		}
		entries = got.Entries
	}
	if toGraph.Kind != h.conf.Memory.Graph.Kind {
		target, end, err := h.graphEngine(ctx, toGraph)
		if err != nil {
			return entries, 0, err
		}
		got, err := graph.Move(ctx, h.statements, target, nil, report)
		if err = errors.Join(err, end.Close()); err != nil {
			return entries, got.Statements, err
		}
		facts = got.Statements
	}
	return entries, facts, nil
}

// movable refuses engines that there are not, and a move that would move
// nothing.
func movable(from MemoryConfig, to MemoryEngineConfig, toGraph GraphConfig) error {
	e := &moothall.Error{Code: moothall.CodeInvalid, Op: "move memory"}
	switch {
	case !slices.Contains([]string{"sqlite", "duckdb", "chroma"}, to.Kind):
		e.Message, e.Remedy = "there is no engine "+clip(to.Kind, 40)+" for memories", "use sqlite, duckdb or chroma"
	case !slices.Contains([]string{"sqlite", "neo4j"}, toGraph.Kind):
		e.Message, e.Remedy = "there is no engine "+clip(toGraph.Kind, 40)+" for facts", "use sqlite or neo4j"
	case to.Kind == from.Engine.Kind && toGraph.Kind == from.Graph.Kind:
		e.Message = "memories are kept in " + to.Kind + " and facts in " + toGraph.Kind + " already"
		e.Remedy = "name another engine with --to or --graph-to"
	default:
		return nil
	}
	return e
}
