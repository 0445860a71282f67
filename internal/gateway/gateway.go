package gateway

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"moothall"
)

// Options configure a gateway.
type Options struct {
	// Providers in the order in which a choice looks at them.
	Providers []Provider
	// Roles are the configured bindings.
	Roles []moothall.ModelBinding
	// State is the file that keeps bindings made at run time; empty keeps
	// them until Close.
	State string
	// Cards is the folder that keeps what probes found; empty keeps it until
	// Close.
	Cards string
	// AllowHosted decides whether a call may leave the machine; its error is
	// returned to the caller. Nil refuses all.
	AllowHosted func(ctx context.Context, s moothall.Scope, provider, model string) error
	// Servers are the settings of local servers' queues, by provider name.
	Servers map[string]Server
	// Memory is how many bytes a chosen model may have; default [DefaultMemory].
	Memory int64
	// FirstToken bounds the wait for the first chunk once a call has its
	// turn; default 5 minutes, since a large model must be loaded first. With
	// tools, and for a whole reply, it is 10 minutes at least: the first chunk
	// may be a whole call, or is all there is.
	FirstToken time.Duration
	// Idle bounds the silence between two chunks; default 2 minutes, with
	// tools and for a whole reply 10 at least.
	Idle time.Duration
	// RetryWait is the longest wait that a server may ask for and get;
	// default 20 s, negative never waits.
	RetryWait time.Duration
	// Audit is where it is recorded that a role gets another model, before it
	// does, and that a model is tried out; nil records nothing. The calls of
	// others are recorded by these.
	Audit moothall.Audit
	// Sink is told of every finished call. It must not block.
	Sink func(Call)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Logger; nil means discard.
	Logger *slog.Logger
}

// DefaultMemory is how many bytes a model may have that is chosen unasked, where
// nothing is known of the machine.
const DefaultMemory = 16 << 30

func (o Options) withDefaults() Options {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.FirstToken <= 0 {
		o.FirstToken = 5 * time.Minute
	}
	if o.Idle <= 0 {
		o.Idle = 2 * time.Minute
	}
	if o.RetryWait == 0 {
		o.RetryWait = 20 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Gateway serves all callers. [Gateway.For] gives each its own face.
type Gateway struct {
	o        Options
	chats    map[string]*queue // by name of a local provider
	embeds   map[string]*queue
	bindings *bindings
	cards    *cards
	choice   *choice
	ledger   *ledger

	base context.Context // ends with Close
	end  context.CancelCauseFunc

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	where  map[string]string // provider by model, for requests that name only the model
}

// Open reads the state and returns a gateway. CodeInvalid names what is wrong
// with the options, CodeCorrupt a state file that cannot be read.
func Open(o Options) (*Gateway, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	b, err := openBindings(o.State, o.Roles)
	if err != nil {
		return nil, err
	}
	c, err := openCards(o.Cards, o.Logger)
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		o: o, bindings: b, cards: c, ledger: newLedger(o.Sink), where: map[string]string{},
		chats: map[string]*queue{}, embeds: map[string]*queue{},
	}
	g.choice = newChoice(g)
	g.base, g.end = context.WithCancelCause(context.Background())
	for _, p := range o.Providers {
		if isLocal(p) {
			g.chats[p.Name()] = newQueue(o.Servers[p.Name()], o.Now)
			g.embeds[p.Name()] = newQueue(o.Servers[p.Name()], o.Now)
		}
	}
	return g, nil
}

func (o Options) validate() error {
	names := map[string]bool{}
	for _, p := range o.Providers {
		name := p.Name()
		if !moothall.ValidToken(name) || names[name] {
			return moothall.Fail(moothall.CodeInvalid, "model providers", "the provider name "+name+" is given twice, or is no name")
		}
		names[name] = true
	}
	for _, b := range o.Roles {
		if b.Role == "" || b.Model == "" || !names[b.Provider] {
			return &moothall.Error{
				Code: moothall.CodeInvalid, Op: "model roles",
				Message: "the binding of " + string(b.Role) + " names no model, or the provider " + b.Provider + " that is not configured",
				Remedy:  "configured providers are: " + strings.Join(o.names(), ", "),
			}
		}
	}
	for name := range o.Servers {
		if !names[name] {
			return moothall.Fail(moothall.CodeInvalid, "model servers", "there are settings for "+name+", which is no provider")
		}
	}
	return nil
}

func (o Options) names() []string {
	var out []string
	for _, p := range o.Providers {
		out = append(out, p.Name())
	}
	return out
}

func isLocal(p Provider) bool {
	l, ok := p.(Local)
	return ok && l.Local()
}

// errClosed is the cause with which Close ends calls.
var errClosed = errors.New("the gateway is closing")

// Close ends the calls that run or wait, and waits for them. The providers
// belong to who made them.
func (g *Gateway) Close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.end(errClosed)
	g.calls.Wait()
	return nil
}

// begin registers a call. The context ends when the caller's does, with done,
// or with Close.
func (g *Gateway) begin(ctx context.Context) (_ context.Context, _ context.CancelCauseFunc, done func(), _ error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, nil, nil, moothall.Fail(moothall.CodeUnavailable, "model gateway", "the hall is shutting down")
	}
	g.calls.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(g.base, func() { cancel(errClosed) })
	return ctx, cancel, func() {
		stop()
		cancel(nil)
		g.calls.Done()
	}, nil
}

// provider returns a configured provider.
func (g *Gateway) provider(name string) (Provider, error) {
	for _, p := range g.o.Providers {
		if p.Name() == name {
			return p, nil
		}
	}
	return nil, &moothall.Error{
		Code: moothall.CodeNotConfigured, Op: "model provider", Message: "no provider " + name + " is configured",
		Remedy: "configured are: " + strings.Join(g.o.names(), ", "),
	}
}
