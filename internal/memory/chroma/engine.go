package chroma

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// Options say where the entries are.
type Options struct {
	URL      string        // http:// or https://; needed
	Token    string        // "" for a server that asks for none; never shown
	Tenant   string        // "" means default_tenant
	Database string        // "" means default_database
	Hall     string        // what collections' names begin with; "" means moothall
	Timeout  time.Duration // of one request; 0 means 30 s
	Logger   *slog.Logger  // nil: none
}

// Engine keeps entries in a server. Make one with [Open].
type Engine struct {
	c     *client
	log   *slog.Logger
	token string // that this engine is the writer

	entries, things, intents, vectors string // names of collections; vectors is a beginning

	mu    sync.RWMutex // held for writing while a change is carried out
	doubt bool         // a change failed midway: the catalog may be wrong
	cat   *catalog
}

var _ memory.Engine = (*Engine)(nil)

var hallName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,99}$`)

// Open reads what is needed in memory, completes a change that was cut off,
// and makes this engine the writer. CodeUnavailable when no server answers,
// CodeDenied when it wants another token, CodeInvalid for impossible options.
func Open(ctx context.Context, o Options) (*Engine, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "open chroma", Message: "the address of the Chroma server is none",
			Remedy: "write it as http://host:8000",
		}
	}
	hall := cmp.Or(o.Hall, "moothall")
	if !hallName.MatchString(hall) {
		return nil, moothall.Fail(moothall.CodeInvalid, "open chroma", "a hall's name is made of letters, digits, - and _")
	}
	e := &Engine{
		c: &client{
			http:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}, CheckRedirect: stay},
			base:  strings.TrimSuffix(o.URL, "/") + "/api/v2/tenants/" + url.PathEscape(cmp.Or(o.Tenant, "default_tenant")) + "/databases/" + url.PathEscape(cmp.Or(o.Database, "default_database")),
			token: o.Token, timeout: cmp.Or(o.Timeout, 30*time.Second), ids: map[string]string{},
		},
		log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), token: rand.Text(),
		entries: hall + ".entries", things: hall + ".things", intents: hall + ".intent", vectors: hall + ".v",
	}
	if err := e.refresh(ctx); err != nil {
		e.c.http.CloseIdleConnections()
		return nil, err
	}
	if err := e.c.to(ctx, e.things, "upsert", thing("owner", e.token), nil); err != nil {
		e.c.http.CloseIdleConnections()
		return nil, err
	}
	return e, nil
}

// stay refuses to carry the token elsewhere.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close ends the connections. The server goes on.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.c.http.CloseIdleConnections()
	return nil
}

// refresh completes what was begun and reads the catalog. The caller holds mu
// or has the engine for itself.
func (e *Engine) refresh(ctx context.Context) error {
	found, err := e.recover(ctx)
	if err != nil {
		return err
	}
	if found {
		e.log.InfoContext(ctx, "a change that was cut off has been completed")
	}
	cat, err := e.load(ctx)
	if err != nil {
		return err
	}
	e.cat, e.doubt = cat, false
	return nil
}

// read runs f while nothing changes.
func (e *Engine) read(ctx context.Context, f func(*catalog) error) error {
	if err := ctx.Err(); err != nil {
		return &moothall.Error{Code: moothall.ErrorCode(err), Op: "read memory", Err: err}
	}
	e.mu.RLock()
	if e.doubt {
		e.mu.RUnlock()
		if err := e.settle(ctx); err != nil {
			return err
		}
		e.mu.RLock()
	}
	defer e.mu.RUnlock()
	return f(e.cat)
}

// settle makes sure of what is stored after a failure.
func (e *Engine) settle(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.doubt {
		return nil
	}
	return e.refresh(ctx)
}

// write plans a change and carries it out. Plan returns false when there is
// nothing to do.
func (e *Engine) write(ctx context.Context, plan func(*plan) (bool, error)) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, &moothall.Error{Code: moothall.ErrorCode(err), Op: "write memory", Err: err}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.doubt {
		if err := e.refresh(ctx); err != nil {
			return false, err
		}
	}
	p := newPlan(e)
	if do, err := plan(p); err != nil || !do {
		return false, err
	}
	steps, err := p.steps()
	if err != nil {
		return false, err
	}
	if len(steps) == 0 {
		return true, nil
	}
	if err := e.owned(ctx); err != nil {
		return false, err
	}
	if err := e.carryOut(ctx, steps); err != nil {
		return false, err
	}
	if !e.doubt {
		p.keep()
		return true, nil
	}
	// It was completed on a second attempt: what is stored is right.
	return true, e.refresh(context.WithoutCancel(ctx))
}

// owned looks whether another engine was opened since.
func (e *Engine) owned(ctx context.Context) error {
	a, err := e.c.get(ctx, e.things, question{IDs: []string{"owner"}, Include: []string{"metadatas"}})
	if err != nil {
		return err
	}
	if len(a.IDs) == 1 && a.Metadatas[0]["value"] == e.token {
		return nil
	}
	e.doubt = true // what the other one wrote is not in the catalog
	return &moothall.Error{
		Code: moothall.CodeConflict, Op: "write memory", Message: "another hall has opened this memory in the Chroma server",
		Remedy: "stop one of the two, or give them different names, and start again",
	}
}

// carryOut makes a change. On a failure after which it may have been made, it
// tries once more to complete it. An error leaves the engine in doubt unless
// it is certain that nothing was made.
func (e *Engine) carryOut(ctx context.Context, steps []step) error {
	if one(steps) {
		err := e.c.run(ctx, steps[0])
		e.doubt = err != nil
		return err
	}
	pieces, err := pack(steps)
	if err != nil {
		return err
	}
	e.doubt = true
	ids, err := e.commit(ctx, pieces)
	// From here on the caller may not break it off: it is made.
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		if err = e.all(ctx, steps); err == nil {
			err = e.finish(ctx, ids)
		}
		if err == nil {
			e.doubt = false
			return nil
		}
	}
	found, again := e.recover(ctx)
	switch {
	case again != nil:
		return err // nobody knows until the server is back
	case found:
		return nil
	}
	return e.undecided(ctx, err)
}

// undecided answers for an intent that is gone: it was either carried out and
// deleted, the answer lost, or never stored. The things tell, since each
// change of several records raises the version among them.
func (e *Engine) undecided(ctx context.Context, err error) error {
	cat, failed := e.load(ctx)
	if failed != nil {
		return err
	}
	if cat.counters != e.cat.counters {
		return nil
	}
	return err
}

func (e *Engine) all(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if err := e.c.run(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
