package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/policy"
	"moothall/internal/tool/bustool"
	"moothall/internal/tool/mcp"
	"moothall/internal/tool/pin"
	"moothall/internal/tool/sandbox"
)

// GuestConfig admits a tool that lives on the bus.
type GuestConfig struct {
	Name     string   `yaml:"name" doc:"Its name on the bus. Its password is in a file of that name in the home's guests folder, made at the first start."`
	Tools    []string `yaml:"tools" doc:"The tools that it may offer."`
	ReadOnly []string `yaml:"read_only" doc:"Those of them that change nothing."`
}

// foreign are the tools of others: MCP servers, and processes on the bus.
// What they offer is registered once the person approved it.
type foreign struct {
	hall *Hall
	rows map[moothall.AgentType]policy.Type
	mcp  *mcp.Client       // nil without mcp.json
	bus  *bustool.Registry // nil without guests

	changed chan struct{} // something may be there or gone
	stop    context.CancelFunc
	work    sync.WaitGroup

	mu   sync.Mutex
	here map[moothall.ToolName]moothall.Tool // registered now
}

// openForeign connects to what the person configured. It returns at once;
// tools appear as their owners answer.
func (h *Hall) openForeign(m policy.Manifest) (stop func() error, err error) {
	pins, err := pin.Open(h.home.Pins())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &foreign{hall: h, rows: m.Types, changed: make(chan struct{}, 1), stop: cancel, here: map[moothall.ToolName]moothall.Tool{}}
	if err := errors.Join(f.openMCP(pins), f.openBus(ctx, pins)); err != nil {
		return nil, errors.Join(err, f.close())
	}
	f.sync() // a hall that is open has what is offered by then
	f.work.Go(func() { f.follow(ctx) })
	h.foreign = f
	return f.close, nil
}

func (f *foreign) close() error {
	f.stop()
	f.work.Wait()
	if f.mcp == nil {
		return nil
	}
	return f.mcp.Close()
}

// loadMCP reads mcp.json; nil where there is none.
func loadMCP(h Home) ([]mcp.Server, error) {
	text, err := os.ReadFile(h.MCP())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, homeError("mcp.json", h.MCP(), err)
	}
	return mcp.Parse(h.MCP(), text)
}

func (f *foreign) openMCP(pins pin.Pins) error {
	h := f.hall
	servers, err := loadMCP(h.home)
	if err != nil || servers == nil {
		return err
	}
	o := mcp.Options{
		Start: f.startServer, HTTP: &http.Client{}, Pins: pins, Taken: f.taken, Changed: f.tell, Logger: h.log,
		Secret: func(ctx context.Context, ref moothall.SecretRef) (moothall.Secret, error) {
			s, err := h.peer(moothall.ToolBroker).Secrets()
			if err != nil {
				return moothall.Secret{}, err
			}
			return s.GetSecret(ctx, moothall.SecretRequest{Ref: ref})
		},
	}
	for _, s := range servers {
		if s.Remote() { // the person wrote the address down: that is the permission to call it
			o.Hosts = append(o.Hosts, s.Host())
		}
	}
	f.mcp, err = mcp.Open(servers, o)
	return err
}

var _ mcp.LastWords = (*sandbox.Process)(nil)

// startServer starts a server's program in the sandbox. It sees what mcp.json
// gives it and nothing else.
func (f *foreign) startServer(ctx context.Context, s mcp.Server) (io.ReadWriteCloser, error) {
	box, err := f.hall.tools.cage.open(ctx)
	if err != nil {
		return nil, err
	}
	if strings.Contains(s.Command, "/") {
		s.Command = f.hall.place(s.Command)
	}
	// ctx is over when the connection is made or given up; the program lives
	// until its stream is closed.
	return box.Start(context.WithoutCancel(ctx), sandbox.Command{
		Argv: append([]string{s.Command}, s.Args...), Env: s.Env,
		Reads: f.hall.places(s.Reads), Writes: f.hall.places(s.Writes),
	})
}

func (f *foreign) openBus(ctx context.Context, pins pin.Pins) error {
	h := f.hall
	if len(h.conf.Bus.Guests) == 0 {
		return nil
	}
	o := bustool.Options{
		Pins: pins, Taken: f.taken, Changed: f.tell, Logger: h.log,
		Publish: h.publisher(moothall.ToolBroker), Subscribe: h.hear(moothall.ToolBroker),
	}
	for _, g := range h.conf.Bus.Guests {
		o.Guests = append(o.Guests, bustool.Guest{
			Name: g.Name, Tools: names[moothall.ToolName](g.Tools), ReadOnly: names[moothall.ToolName](g.ReadOnly),
		})
	}
	var err error
	if f.bus, err = bustool.New(o); err != nil {
		return err
	}
	f.work.Go(func() {
		if err := f.bus.Run(ctx); err != nil {
			h.log.Error("tools on the bus are no longer heard", "err", err)
		}
	})
	return nil
}

// hear subscribes for a participant. It returns when listening has begun.
// What it starts ends with its context, and before the loop over it does.
func (h *Hall) hear(as moothall.Identity) func(context.Context, moothall.Subject, bool) iter.Seq2[moothall.Event, error] {
	type heard struct {
		event moothall.Event
		err   error
	}
	return func(ctx context.Context, s moothall.Subject, all bool) iter.Seq2[moothall.Event, error] {
		ctx, cancel := context.WithCancel(ctx)
		ch, ready := make(chan heard, 1), make(chan struct{}) // room for one error before anybody listens
		go func() {
			defer cancel()
			defer close(ch)
			begun := sync.OnceFunc(func() { close(ready) })
			defer begun()
			p, err := h.bus.As(as)
			if err != nil {
				ch <- heard{err: err}
				return
			}
			for e, err := range p.Subscribe(ctx, bus.SubscribeOptions{Subjects: []moothall.Subject{s}, FromStart: all, Mark: true}) {
				if err == nil && e.Subject == "" {
					begun()
					continue
				}
				if all {
					begun() // what was said before counts, so nothing can be missed
				}
				select {
				case ch <- heard{e, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
		select {
		case <-ready:
		case <-ctx.Done():
		}
		return func(yield func(moothall.Event, error) bool) {
			defer func() {
				cancel()
				for range ch { // until the listener is gone
				}
			}()
			for e := range ch {
				if !yield(e.event, e.err) {
					return
				}
			}
		}
	}
}

// taken reports whether a name belongs to one of the hall's own tools.
func (f *foreign) taken(name moothall.ToolName) bool {
	return slices.ContainsFunc(f.hall.tools.tools, func(t moothall.Tool) bool { s := t.Spec(); return s.Goes(name) })
}

// tell wakes follow up. It is called with locks of others held.
func (f *foreign) tell() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// follow keeps the broker's registry in step with what is offered.
func (f *foreign) follow(ctx context.Context) {
	for {
		select {
		case <-f.changed:
			f.sync()
		case <-ctx.Done():
			return
		}
	}
}

func (f *foreign) sync() {
	f.mu.Lock()
	defer f.mu.Unlock()
	var offered []moothall.Tool
	if f.mcp != nil {
		offered = append(offered, f.mcp.Tools()...)
	}
	if f.bus != nil {
		offered = append(offered, f.bus.Tools()...)
	}
	f.exchange(offered)
}

// exchange registers what is offered in the place of what was. The lock is
// held.
func (f *foreign) exchange(offered []moothall.Tool) {
	want := map[moothall.ToolName]moothall.Tool{}
	for _, t := range offered {
		want[t.Spec().Name] = t
	}
	// A tool that stays is registered anew: its definition may be another.
	refused := f.hall.broker.Exchange(slices.Collect(maps.Keys(f.here)), slices.Collect(maps.Values(want)))
	for name, err := range refused {
		f.hall.log.Warn("a tool could not be registered", "tool", name, "err", err)
		delete(want, name)
	}
	f.here = want
}

// offers lists what waits for the person.
func (f *foreign) offers() []pin.Offer {
	var out []pin.Offer
	if f.mcp != nil {
		out = append(out, f.mcp.Pending()...)
	}
	if f.bus != nil {
		out = append(out, f.bus.Pending()...)
	}
	return out
}

// approve lets models use an offered tool, as it was shown. That is on record
// before it is so.
func (f *foreign) approve(ctx context.Context, name moothall.ToolName, hash string) error {
	for _, o := range f.offers() {
		if o.Name != name {
			continue
		}
		if hash == "" { // what is offered now may not be what the person read
			return &moothall.Error{
				Code: moothall.CodeInvalid, Op: "approve tool", Message: fmt.Sprintf("an approval of %s names the definition that it is of", name),
				Remedy: "give the hash that is shown with it among those pending",
			}
		}
		accept := func() error { return f.mcp.Approve(o.From, o.Tool, hash) }
		if f.bus != nil && o.Owner == "bus:"+o.From {
			accept = func() error { return f.bus.Approve(o.From, o.Tool, hash) }
		}
		return f.approved(ctx, name, hash, accept)
	}
	return moothall.Fail(moothall.CodeNotFound, "approve tool", fmt.Sprintf("no tool %s waits to be approved", name))
}

// approved pins a tool, on the record.
func (f *foreign) approved(ctx context.Context, name moothall.ToolName, hash string, accept func() error) error {
	record, err := f.hall.peer(moothall.Hall).Audit()
	if err != nil {
		return err
	}
	e := moothall.AuditEntry{
		Action: moothall.ActionConfigure, Status: moothall.StatusOK, Tool: name, Note: "the tool may be used as it was shown", Params: []byte(hash),
	}
	if _, err := record.Append(ctx, e); err != nil {
		return err
	}
	err = accept()
	if err != nil {
		e.Status, e.Note = moothall.StatusFailed, "the tool was not approved"
		_, lost := record.Append(ctx, e)
		err = errors.Join(err, lost)
	}
	return err
}

// foreignSettings is what the participant "tools" shows and takes.
type foreignSettings struct {
	Pending []pin.Offer   `json:"pending"`
	Users   users         `json:"users,omitempty"`
	Servers []serverState `json:"servers,omitempty"`
	Approve []approval    `json:"approve,omitempty"` // what Configure is asked to do
}

// users are the types of agents that the manifest lets use a tool, by its name.
type users map[moothall.ToolName][]moothall.AgentType

// users are those of all tools that are there or wait.
func (f *foreign) users() users {
	f.mu.Lock()
	all := slices.Collect(maps.Keys(f.here))
	f.mu.Unlock()
	for _, o := range f.offers() {
		all = append(all, o.Name)
	}
	out := users{}
	for _, name := range all {
		out[name] = []moothall.AgentType{}
		for _, kind := range slices.Sorted(maps.Keys(f.rows)) {
			if slices.Contains(f.rows[kind].Allowed, name) {
				out[name] = append(out[name], kind)
			}
		}
	}
	return out
}

type approval struct {
	Name moothall.ToolName `json:"name"`
	Hash string            `json:"hash,omitempty"`
}

type serverState struct {
	Name      string    `json:"name"`
	Connected bool      `json:"connected"`
	Error     string    `json:"error,omitempty"`
	Since     time.Time `json:"since,omitzero"`
	Tools     int       `json:"tools"`
	Waiting   int       `json:"waiting"`
}

// foreignTools names the participant.
const foreignTools = "tools"

func (f *foreign) participant() moothall.Participant {
	return moothall.Participant{
		Name: foreignTools, State: moothall.ServiceOK, About: "tools of MCP servers and of processes on the bus", Settings: f.settings(),
	}
}

// settings is the participant's state as JSON.
func (f *foreign) settings() json.RawMessage {
	s := foreignSettings{Pending: append([]pin.Offer{}, f.offers()...), Users: f.users()}
	if f.mcp != nil {
		for _, m := range f.mcp.Status() {
			state := serverState{Name: m.Server, Connected: m.Connected, Since: m.Since, Tools: m.Offered, Waiting: m.Waiting}
			if m.Err != nil {
				state.Error = m.Err.Error()
			}
			s.Servers = append(s.Servers, state)
		}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil // strings and numbers always marshal
	}
	return b
}

// configure approves what the settings ask for.
func (f *foreign) configure(ctx context.Context, raw json.RawMessage) error {
	var s foreignSettings
	if err := readSettings(raw, &s); err != nil {
		return err
	}
	for _, a := range s.Approve {
		if err := f.approve(ctx, a.Name, a.Hash); err != nil {
			return err
		}
	}
	f.sync()
	return nil
}
