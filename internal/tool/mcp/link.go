package mcp

import (
	"context"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
)

const (
	firstPause = time.Second
	lastPause  = time.Minute
	// relistPause is the least time between two lists of one server.
	relistPause = time.Second
	maxTools    = 256
	maxPages    = 64
)

// link is the connection to one server and what is known of its tools.
type link struct {
	c      *Client
	server Server
	tried  chan struct{} // closed after the first attempt
	stale  chan struct{} // holds one wish to list again

	// The client's mu guards these.
	session *sdk.ClientSession // nil while there is no connection
	life    context.Context    // of the session
	hider   hider
	defs    []definition
	err     error
	since   time.Time
}

func newLink(c *Client, s Server) *link {
	return &link{c: c, server: s, tried: make(chan struct{}), stale: make(chan struct{}, 1), since: time.Now()}
}

// run keeps the connection up until ctx ends.
func (l *link) run(ctx context.Context) {
	pause := firstPause
	for {
		began := time.Now()
		err := l.live(ctx)
		if ctx.Err() != nil {
			l.down(ctx.Err())
			return
		}
		l.down(err)
		l.c.o.Logger.Warn("mcp server is away", "server", l.server.Name, "error", err)
		if time.Since(began) > lastPause {
			pause = firstPause
		}
		if !wait(ctx, pause) {
			return
		}
		pause = min(2*pause, lastPause)
	}
}

// wait reports whether the time passed before ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// live is one connection from its beginning to its end.
func (l *link) live(ctx context.Context) error {
	// Calls of this connection end with it, whatever their own limits.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	began, stop := context.WithTimeout(ctx, l.c.o.Connect)
	defer stop()
	server, hider, err := l.c.o.resolve(began, l.server)
	if err != nil {
		return err
	}
	session, end, err := l.dial(began, server)
	if err != nil {
		return l.failure("mcp connect", hider, err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		session.Wait()
	}()
	defer func() {
		cancel() // retires the calls, which Close would wait for
		if !server.Remote() {
			end() // a program that does not read would hold up Close
		}
		session.Close()
		end()
		<-over
	}()
	defs, err := l.list(began, session, hider)
	if err != nil {
		return l.failure("mcp list", hider, err)
	}
	l.up(ctx, session, hider, defs)
	return l.serve(ctx, session, over, hider)
}

// serve lists again when told to, until the connection ends.
func (l *link) serve(ctx context.Context, session *sdk.ClientSession, over <-chan struct{}, h hider) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return moothall.Fail(moothall.CodeUnavailable, "mcp connection", "the server ended the connection")
		case <-l.stale:
		}
		limited, stop := context.WithTimeout(ctx, l.c.o.Connect)
		defs, err := l.list(limited, session, h)
		stop()
		if err != nil {
			return l.failure("mcp list", h, err)
		}
		l.replace(defs)
		if !wait(ctx, relistPause) {
			return ctx.Err()
		}
	}
}

// list asks for all tools, page by page. A server that writes its secret into
// a definition would have models read it, so it is taken out there too.
func (l *link) list(ctx context.Context, session *sdk.ClientSession, h hider) ([]definition, error) {
	var tools []*sdk.Tool
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		tools = append(tools, page.Tools...)
		if len(tools) > maxTools {
			return nil, moothall.Fail(moothall.CodeTooLarge, "mcp list", fmt.Sprintf("the server has more than %d tools", maxTools))
		}
		if page.NextCursor == "" {
			return define(l.server, h, tools), nil
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return nil, moothall.Fail(moothall.CodeTooLarge, "mcp list", fmt.Sprintf("the server's list has more than %d pages", maxPages))
}

// failure is what a person reads of a connection's end.
func (l *link) failure(op string, h hider, err error) error {
	code := moothall.ErrorCode(err)
	if code == moothall.CodeInternal {
		code = moothall.CodeUnavailable
	}
	return moothall.Fail(code, op, l.say(h, err.Error()))
}

func (l *link) up(ctx context.Context, session *sdk.ClientSession, h hider, defs []definition) {
	l.c.mu.Lock()
	l.session, l.life, l.hider, l.err, l.since = session, ctx, h, nil, time.Now()
	l.defs = defs
	l.judge()
	l.c.mu.Unlock()
	l.c.o.Logger.Info("mcp server is there", "server", l.server.Name, "tools", len(defs))
	l.markTried()
	l.c.o.Changed()
}

func (l *link) replace(defs []definition) {
	l.c.mu.Lock()
	l.defs = defs
	l.judge()
	l.c.mu.Unlock()
	l.c.o.Changed()
}

// down notes that there is no connection. The definitions stay: whoever calls
// a tool is told that its server is away.
func (l *link) down(err error) {
	l.c.mu.Lock()
	l.session, l.life, l.err, l.since = nil, nil, err, time.Now()
	l.c.mu.Unlock()
	l.markTried()
}

// markTried is called by the link's own goroutine alone.
func (l *link) markTried() {
	select {
	case <-l.tried:
	default:
		close(l.tried)
	}
}

// recheck asks the link's goroutine for a new list.
func (l *link) recheck() {
	select {
	case l.stale <- struct{}{}:
	default:
	}
}
