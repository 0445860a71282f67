package bustool

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"sync"
	"time"

	"moothall"
	"moothall/internal/tool/pin"
)

// Guest is a process that the person lets offer tools.
type Guest struct {
	Name  string
	Tools []moothall.ToolName
	// ReadOnly are those of them that change nothing.
	ReadOnly []moothall.ToolName
}

// Options connect the registry to the bus.
type Options struct {
	// Guests who may offer tools. Others are not heard.
	Guests []Guest
	// Subscribe hears a subject as the broker, from the moment it returns
	// and, with all, from the beginning of the record. It ends with ctx.
	Subscribe func(ctx context.Context, s moothall.Subject, all bool) iter.Seq2[moothall.Event, error]
	// Publish says something as the broker.
	Publish func(ctx context.Context, e moothall.Event) error

	// Pins remembers approvals: for this process alone when nil.
	Pins pin.Pins
	// Taken reports whether a name belongs to another tool of the hall.
	Taken func(moothall.ToolName) bool
	// Changed is called when what Tools or Pending return has changed.
	Changed func()

	// Timeout bounds a call: 30 s when 0.
	Timeout time.Duration
	// MaxText bounds the text of a result: 256 KiB when 0.
	MaxText int
	// Now is the clock: time.Now when nil.
	Now func() time.Time
	// Logger hears of announcements that do not count; nil discards.
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
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.MaxText <= 0 {
		o.MaxText = 256 << 10
	}
	return o
}

// Registry keeps what guests have announced.
type Registry struct {
	o      Options
	owners map[moothall.ToolName]Guest

	mu   sync.Mutex
	defs map[moothall.ToolName]definition
}

// definition is a tool as its guest last announced it.
type definition struct {
	announcement
	hash     string
	standing pin.Standing
	reason   string
}

// New checks the guests. CodeInvalid for a name that is none or a missing
// way to the bus, CodeConflict for a tool that two guests have.
func New(o Options) (*Registry, error) {
	if o.Subscribe == nil || o.Publish == nil {
		return nil, moothall.Fail(moothall.CodeInvalid, "bus tools", "there is no way to the bus")
	}
	r := &Registry{o: o.withDefaults(), owners: map[moothall.ToolName]Guest{}, defs: map[moothall.ToolName]definition{}}
	for _, g := range o.Guests {
		if !moothall.ValidToken(g.Name) || moothall.Identity(g.Name).Known() {
			return nil, moothall.Fail(moothall.CodeInvalid, "bus tools", fmt.Sprintf("%q is not a name for a guest", g.Name))
		}
		for _, t := range g.Tools {
			if !moothall.ValidToken(string(t)) {
				return nil, moothall.Fail(moothall.CodeInvalid, "bus tools", fmt.Sprintf("guest %q: %q is not a name for a tool", g.Name, t))
			}
			if other, ok := r.owners[t]; ok {
				return nil, &moothall.Error{
					Code: moothall.CodeConflict, Op: "bus tools", Message: fmt.Sprintf("guests %q and %q both have the tool %s", other.Name, g.Name, t),
					Remedy: "take it from one of them",
				}
			}
			r.owners[t] = g
		}
	}
	return r, nil
}

// Run hears announcements until ctx ends, which is no error. Announcements of
// earlier times count: a guest need not know that the hall has started anew.
func (r *Registry) Run(ctx context.Context) error {
	for e, err := range r.o.Subscribe(ctx, moothall.SubjectToolSchema, true) {
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		if e.Subject == moothall.SubjectToolSchema && r.hear(e) {
			r.o.Changed()
		}
	}
	return nil
}

// hear takes in an announcement and reports whether it changed anything.
func (r *Registry) hear(e moothall.Event) bool {
	if e.Sender.Known() {
		return false // the broker tells of its own tools here, too
	}
	a, err := parseAnnouncement(e.Payload)
	if err != nil {
		r.o.Logger.Warn("bus tool is not understood", "guest", e.Sender, "error", err)
		return false
	}
	guest, ok := r.owners[a.Name]
	if !ok || guest.Name != string(e.Sender) {
		r.o.Logger.Warn("bus tool is not the guest's to offer", "guest", e.Sender, "tool", a.Name)
		return false
	}
	d := definition{announcement: a, hash: pin.Definition{
		Owner: owner(guest), Name: string(a.Name), Description: a.raw, Schema: a.Parameters,
	}.Hash()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge(&d)
	old, had := r.defs[a.Name]
	r.defs[a.Name] = d
	return !had || old.hash != d.hash || old.standing != d.standing
}

// owner is where a guest's tools come from, in pins and specs.
func owner(g Guest) string { return "bus:" + g.Name }

// judge decides the standing of a definition.
func (r *Registry) judge(d *definition) {
	if r.o.Taken(d.Name) {
		d.standing, d.reason = pin.Conflict, fmt.Sprintf("another tool of the hall is called %s", d.Name)
		return
	}
	d.standing, d.reason = pin.Compare(r.o.Pins, owner(r.owners[d.Name]), string(d.Name), d.hash)
}
