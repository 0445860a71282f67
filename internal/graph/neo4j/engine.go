package neo4j

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"moothall"
	"moothall/internal/graph"
)

// Options say where the graph is.
type Options struct {
	URL      string        // neo4j://, bolt:// or the same with +s; needed
	User     string        // "" for a server without authentication
	Password string        // never shown
	Database string        // "" means the server's default
	Hall     string        // whose graph it is; "" means "moothall"
	Timeout  time.Duration // of each query; 0 means 30 s. Connecting may take 5 s
}

// Engine keeps a graph in a server. Make one with [Open].
type Engine struct {
	driver neo4j.DriverWithContext
	marks  neo4j.BookmarkManager // in a cluster, what was written is read
	o      Options
	writer chan struct{} // held by the one who writes; taken before gate
	gate   gate
}

var _ graph.Engine = (*Engine)(nil)

// Open connects, and makes the indexes that are missing. CodeUnavailable when
// no server answers, CodeDenied when it knows no such user, CodeInvalid when
// the address is none.
func Open(ctx context.Context, o Options) (*Engine, error) {
	o.Hall, o.Timeout = cmp.Or(o.Hall, "moothall"), cmp.Or(o.Timeout, 30*time.Second)
	scheme, _, _ := strings.Cut(o.URL, "://")
	switch scheme {
	case "neo4j", "bolt", "neo4j+s", "bolt+s":
	default:
		return nil, badAddress(nil)
	}
	auth := neo4j.NoAuth()
	if o.User != "" {
		auth = neo4j.BasicAuth(o.User, o.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(o.URL, auth, func(c *config.Config) {
		c.SocketConnectTimeout, c.ConnectionAcquisitionTimeout = min(o.Timeout, 5*time.Second), o.Timeout
		c.ConnectionLivenessCheckTimeout = time.Minute // a server that was restarted meanwhile
		c.TelemetryDisabled = true
	})
	if err != nil {
		return nil, badAddress(err)
	}
	e := &Engine{
		driver: driver, o: o, writer: make(chan struct{}, 1),
		marks: neo4j.NewBookmarkManager(neo4j.BookmarkManagerConfig{}),
	}
	if err := e.prepare(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Close ends the connections.
func (e *Engine) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := e.driver.Close(ctx); err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "close neo4j", Err: err}
	}
	return nil
}

// schema are the indexes. Uniqueness is also checked before, for the sake of
// a clear error; the constraint holds against other programs.
var schema = []string{
	`CREATE CONSTRAINT moot_hall IF NOT EXISTS FOR (n:MootHall) REQUIRE n.hall IS UNIQUE`,
	`CREATE CONSTRAINT moot_thing IF NOT EXISTS FOR (n:MootThing) REQUIRE (n.hall, n.id) IS UNIQUE`,
	`CREATE CONSTRAINT moot_name IF NOT EXISTS FOR (n:MootName) REQUIRE (n.hall, n.key) IS UNIQUE`,
	`CREATE CONSTRAINT moot_word IF NOT EXISTS FOR (n:MootWord) REQUIRE (n.hall, n.word) IS UNIQUE`,
	`CREATE CONSTRAINT moot_statement IF NOT EXISTS FOR (n:MootStatement) REQUIRE (n.hall, n.id) IS UNIQUE`,
	`CREATE CONSTRAINT moot_merge IF NOT EXISTS FOR (n:MootMerge) REQUIRE (n.hall, n.id) IS UNIQUE`,
	`CREATE CONSTRAINT moot_fact IF NOT EXISTS FOR ()-[f:MOOT_FACT]-() REQUIRE (f.hall, f.id) IS UNIQUE`,
	`CREATE INDEX moot_entity IF NOT EXISTS FOR (n:MootEntity) ON (n.hall, n.id)`,
	`CREATE INDEX moot_statement_seq IF NOT EXISTS FOR (n:MootStatement) ON (n.hall, n.seq)`,
	`CREATE INDEX moot_statement_group IF NOT EXISTS FOR (n:MootStatement) ON (n.hall, n.subject, n.relation)`,
	`CREATE INDEX moot_statement_object IF NOT EXISTS FOR (n:MootStatement) ON (n.hall, n.object)`,
	`CREATE INDEX moot_statement_source IF NOT EXISTS FOR (n:MootStatement) ON (n.hall, n.source)`,
	`CREATE INDEX moot_fact_recent IF NOT EXISTS FOR ()-[f:MOOT_FACT]-() ON (f.hall, f.observed)`,
}

// prepare makes what is missing, each in a transaction of its own, as Neo4j
// wants it.
func (e *Engine) prepare(ctx context.Context) error {
	session := e.session(ctx, neo4j.AccessModeWrite)
	defer e.end(ctx, session)
	for _, query := range append(schema, `CALL db.awaitIndexes(300)`) {
		err := e.define(ctx, session, query)
		// Two halls that start at once get in each other's way.
		for try := 1; try < 5*attempts && transient(err); try++ {
			err = e.define(ctx, session, query)
		}
		if err != nil && !already(err) {
			return err
		}
	}
	return nil
}

func (e *Engine) define(ctx context.Context, session neo4j.SessionWithContext, query string) error {
	limited, cancel := context.WithTimeout(ctx, e.o.Timeout)
	defer cancel()
	result, err := session.Run(limited, query, nil)
	if err == nil {
		_, err = result.Consume(limited)
	}
	return failure(ctx, "prepare neo4j", err)
}

func (e *Engine) session(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionWithContext {
	return e.driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: mode, DatabaseName: e.o.Database, BookmarkManager: e.marks})
}

// end closes what rolls back a transaction or gives a connection back, also
// when the caller has given up. An error has no reader: the connection is
// thrown away then.
func (e *Engine) end(ctx context.Context, c interface{ Close(context.Context) error }) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// Read runs f while no write of this process is committed.
func (e *Engine) Read(ctx context.Context, f func(graph.View) error) error {
	if err := e.gate.read(ctx); err != nil {
		return err
	}
	defer e.gate.done()
	return e.run(ctx, neo4j.AccessModeRead, func(tx neo4j.ExplicitTransaction) error { return f(view{e, tx}) }, func() error { return nil })
}

// Write runs f in a transaction, as the only one of the hall.
func (e *Engine) Write(ctx context.Context, f func(graph.Tx) error) error {
	select {
	case e.writer <- struct{}{}:
		defer func() { <-e.writer }()
	case <-ctx.Done():
		return failure(ctx, "write graph", ctx.Err())
	}
	return e.run(ctx, neo4j.AccessModeWrite, func(tx neo4j.ExplicitTransaction) error {
		c := change{view{e, tx}}
		// The node is locked until the commit: other processes wait here.
		if err := c.exec(ctx, `MERGE (h:MootHall {hall: $hall}) SET h.writes = coalesce(h.writes, 0) + 1`, nil); err != nil {
			return err
		}
		return f(c)
	}, func() error { return e.gate.commit(ctx) })
}

const attempts = 4

// run makes a transaction, again after a passing failure: one that the server
// calls so, or once when a connection turned out to be dead. Before says when it
// may be committed; what it took is given back by gate.committed.
func (e *Engine) run(ctx context.Context, mode neo4j.AccessMode, f func(neo4j.ExplicitTransaction) error, before func() error) error {
	for try := 1; ; try++ {
		err := e.attempt(ctx, mode, f, before)
		again := transient(err) && try < attempts || lost(err) && try == 1
		if !again || ctx.Err() != nil {
			return err
		}
	}
}

func (e *Engine) attempt(ctx context.Context, mode neo4j.AccessMode, f func(neo4j.ExplicitTransaction) error, before func() error) error {
	if ctx.Err() != nil {
		return failure(ctx, "begin", ctx.Err())
	}
	session := e.session(ctx, mode)
	defer e.end(ctx, session)
	limited, cancel := context.WithTimeout(ctx, e.o.Timeout)
	tx, err := session.BeginTransaction(limited)
	cancel()
	if err != nil {
		return failure(ctx, "begin", err)
	}
	defer e.end(ctx, tx) // rolls back what is not committed, also after a panic
	if err := f(tx); err != nil {
		return err
	}
	if mode == neo4j.AccessModeRead {
		return nil
	}
	if err := before(); err != nil {
		return err
	}
	defer e.gate.committed()
	limited, cancel = context.WithTimeout(context.WithoutCancel(ctx), e.o.Timeout)
	defer cancel()
	return commitFailure(tx.Commit(limited))
}
