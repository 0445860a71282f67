package mcp

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/tool/pin"
)

// Options say how servers are reached and what they may do.
type Options struct {
	// Start starts a server's program, in the sandbox, and returns its
	// standard input and output. Env is resolved: it holds secrets. Closing
	// the stream ends the program; a Read under way then returns. One that is
	// [LastWords] says why a program did not serve. Without Start, programs
	// are refused.
	Start func(ctx context.Context, s Server) (io.ReadWriteCloser, error)
	// HTTP calls addresses. Its redirects and cookies are not used. What it
	// sends is measured where its transport is HTTP's own or counts already.
	// Without it, addresses are refused.
	HTTP *http.Client
	// Hosts are the names, without port, that may be called beside this
	// machine itself.
	Hosts []string
	// Secret resolves a reference when a connection begins.
	Secret func(ctx context.Context, ref moothall.SecretRef) (moothall.Secret, error)
	// Pins remembers approvals: for this process alone when nil.
	Pins pin.Pins
	// Taken reports whether a name belongs to another tool of the hall.
	Taken func(moothall.ToolName) bool
	// Changed is called when what Tools or Pending return may have changed.
	Changed func()

	// Timeout bounds a call: 60 s when 0. Connect bounds connecting and
	// listing: 30 s when 0.
	Timeout time.Duration
	Connect time.Duration
	// MaxText bounds the text of a result: 256 KiB when 0. MaxFrame bounds
	// one message of a server: 16 MiB when 0.
	MaxText  int
	MaxFrame int

	// Logger hears of connections that come and go; nil discards.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Pins == nil {
		o.Pins = pin.NewMemory()
	}
	if o.Taken == nil {
		o.Taken = func(moothall.ToolName) bool { return false }
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Timeout = orDefault(o.Timeout, time.Minute)
	o.Connect = orDefault(o.Connect, 30*time.Second)
	o.MaxText = orDefault(o.MaxText, 256<<10)
	o.MaxFrame = orDefault(o.MaxFrame, 16<<20)
	return o
}

func orDefault[T ~int | ~int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// Client holds the connections to all servers.
type Client struct {
	o      Options
	cancel context.CancelFunc
	loops  sync.WaitGroup

	// mu guards all links, too: they are few, and what is offered depends on
	// all of them.
	mu     sync.Mutex
	links  []*link
	closed bool
	calls  sync.WaitGroup // added to under mu while not closed
}

// Open begins to connect to the servers and returns at once. CodeInvalid for
// an entry that [Parse] would refuse, CodeConflict for two with one name.
func Open(servers []Server, o Options) (*Client, error) {
	for _, s := range servers {
		if _, err := s.check(); err != nil {
			return nil, moothall.Fail(moothall.CodeInvalid, "mcp servers", err.Error())
		}
	}
	if err := checkNames(servers); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{o: o.withDefaults(), cancel: cancel}
	for _, s := range servers {
		if s.Disabled {
			continue
		}
		c.links = append(c.links, newLink(c, s))
	}
	slices.SortFunc(c.links, func(a, b *link) int { return strings.Compare(a.server.Name, b.server.Name) })
	for _, l := range c.links {
		c.loops.Go(func() { l.run(ctx) })
	}
	return c, nil
}

// Close ends all connections, their children and the calls under way.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.loops.Wait()
	c.calls.Wait()
	return nil
}

// Ready waits until every server was tried once. The error is that of ctx.
func (c *Client) Ready(ctx context.Context) error {
	for _, l := range c.links {
		select {
		case <-l.tried:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Status is how one server does.
type Status struct {
	Server    string
	Connected bool
	Since     time.Time // of the connection, or of its end
	Err       error     // why there is none
	Offered   int       // tools that are approved
	Waiting   int       // those that are not
}

// Status lists the servers by name.
func (c *Client) Status() []Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Status
	for _, l := range c.links {
		s := Status{Server: l.server.Name, Connected: l.session != nil, Since: l.since, Err: l.err}
		for _, d := range l.defs {
			if d.standing == pin.Approved {
				s.Offered++
			} else {
				s.Waiting++
			}
		}
		out = append(out, s)
	}
	return out
}

// Tools returns the approved tools, by server and name. A tool whose
// definition changes later refuses to run; it is not in the next list.
func (c *Client) Tools() []moothall.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []moothall.Tool
	for _, l := range c.links {
		for _, d := range l.defs {
			if d.standing == pin.Approved {
				out = append(out, newTool(l, d))
			}
		}
	}
	return out
}
