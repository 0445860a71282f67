package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/rpc"
)

// front is the hall's face to people and their programs.
type front struct{ hall *Hall }

var _ moothall.Front = (*front)(nil)

// Query answers a question in the way that it asks for.
func (f *front) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return f.hall.chat.Query(ctx, r)
}

// Configure changes a participant's settings.
func (f *front) Configure(ctx context.Context, name string, settings json.RawMessage) (moothall.Participant, error) {
	if name == memoryKeeper && f.hall.memory != nil {
		return f.hall.configureMemory(ctx, settings)
	}
	if name != foreignTools || f.hall.foreign == nil {
		return f.hall.adjust(ctx, name, settings)
	}
	if err := f.hall.foreign.configure(ctx, settings); err != nil {
		return moothall.Participant{}, err
	}
	return f.hall.foreign.participant(), nil
}

// Stop ends a query.
func (f *front) Stop(ctx context.Context, id moothall.QueryID) error {
	return f.hall.chat.Stop(ctx, id)
}

// Sessions lists the conversations.
func (f *front) Sessions(ctx context.Context) ([]moothall.Session, error) {
	return f.hall.chat.Sessions(ctx)
}

// Session returns one of them.
func (f *front) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	return f.hall.chat.Session(ctx, id)
}

// ChangeSession renames, compacts or deletes one. With a conversation goes
// what the judges and the broker keep of it, and nothing more is asked for it;
// what is remembered of it stays until it is forgotten.
func (f *front) ChangeSession(ctx context.Context, c moothall.SessionChange) error {
	err := f.hall.chat.ChangeSession(ctx, c)
	if err != nil || !c.Delete {
		return err
	}
	if err := f.hall.chat.Clear(ctx, c.ID); err != nil {
		return errors.Join(err, f.hall.forgetKept(ctx, c.ID)) // the next start does it once more
	}
	return f.hall.forgetDeleted(ctx, c.ID)
}

// forgetDeleted removes what is left of a deleted conversation that nobody is in.
func (h *Hall) forgetDeleted(ctx context.Context, id moothall.SessionID) error {
	if err := h.forgetKept(ctx, id); err != nil {
		return err
	}
	return h.chat.Forgotten(ctx, id)
}

// forgetKept removes what others than the chat keep of a conversation.
func (h *Hall) forgetKept(ctx context.Context, id moothall.SessionID) error {
	err := errors.Join(h.forgetJudged(ctx, id), h.tasks.Forget(ctx, id))
	if h.broker != nil {
		err = errors.Join(err, h.broker.Forget(ctx, id))
	}
	return err
}

// finishDeleting goes on where the last hall ended while it deleted. What fails
// stays for the next start.
func (h *Hall) finishDeleting(ctx context.Context) (func(context.Context) error, error) {
	if h.chat == nil {
		return nil, nil
	}
	list, err := h.chat.Deleted(ctx)
	for _, id := range list {
		err = errors.Join(err, h.forgetDeleted(ctx, id))
	}
	if err != nil {
		h.log.Warn("something of a conversation that was deleted is still kept", "err", err)
	}
	return nil, nil
}

// Health asks every service and answers whatever they say.
func (f *front) Health(ctx context.Context) (moothall.Health, error) {
	h := f.hall
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	out := moothall.Health{
		Status: "ok", Version: Version(), Home: h.home.Data, PID: os.Getpid(), Since: h.since,
		Services: map[string]moothall.ServiceHealth{},
		Model:    h.Model(ctx),
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, s := range rpc.Services() {
		wg.Go(func() {
			state := h.serviceHealth(ctx, s)
			mu.Lock()
			out.Services[string(s)] = state
			mu.Unlock()
		})
	}
	wg.Wait()
	out.Services["bus"] = h.busHealth(ctx)
	out.Services["database"] = moothall.ServiceHealth{State: moothall.ServiceOK, Where: string(rpc.Here)}
	for _, s := range out.Services {
		if s.State == moothall.ServiceDown {
			out.Status = "degraded"
		}
	}
	return out, nil
}

// serviceHealth is one line of the health report.
func (h *Hall) serviceHealth(ctx context.Context, s rpc.Service) moothall.ServiceHealth {
	at := h.conf.Services.address(s)
	out := moothall.ServiceHealth{State: moothall.ServiceOK, Where: at.String()}
	var err error
	switch {
	case at.Transport != rpc.Here:
		err = h.far.ping(ctx, s)
	case s == rpc.Memory:
		err = h.forgotten
	case s == rpc.Audit:
		err = h.record.Err()
	case s == rpc.Search && !h.conf.Search.Any():
		out.State, out.Where = moothall.ServiceNotConfigured, ""
	}
	if err != nil {
		out.State, out.Detail = moothall.ServiceDown, err.Error()
	}
	return out
}

func (h *Hall) busHealth(ctx context.Context) moothall.ServiceHealth {
	out := moothall.ServiceHealth{State: moothall.ServiceOK, Where: string(rpc.Here)}
	if h.conf.Bus.URL != "" {
		out.Where = bus.Where(h.conf.Bus.URL)
	}
	if _, err := h.bus.Stats(ctx); err != nil {
		out.State, out.Detail = moothall.ServiceDown, err.Error()
	}
	return out
}

// Events follows the bus, from where the caller left off.
func (f *front) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return func(yield func(moothall.Event, error) bool) {
		p, err := f.hall.bus.As(moothall.FrontDoor)
		if err != nil {
			yield(moothall.Event{}, err)
			return
		}
		for e, err := range p.Subscribe(ctx, subscription(ctx, p, q)) {
			if err == nil && !wanted(q, e) {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// subscription is what the bus is asked for on behalf of a query. A place
// that comes with an event's id counts only while that event is still there:
// the record may have been made anew since, and its places with it.
func subscription(ctx context.Context, p *bus.Participant, q moothall.EventQuery) bus.SubscribeOptions {
	o := bus.SubscribeOptions{Subjects: q.Subjects, FromStart: q.Replay, Mark: q.Mark}
	switch {
	case q.Replay:
	case q.After == "":
		o.AfterSeq = q.AfterSeq
	default:
		switch e, err := p.At(ctx, q.AfterSeq); {
		case err == nil && e.ID == q.After:
			o.AfterSeq = q.AfterSeq
		case q.AfterSeq > 0 && !bus.Dated(q.After):
			o.FromStart = true // what is there was never heard
		default:
			o.After = q.After
		}
	}
	return o
}

// wanted filters by session, which the bus knows nothing of.
func wanted(q moothall.EventQuery, e moothall.Event) bool {
	return q.Session == "" || e.Session == q.Session || e.Subject == ""
}

// Preview says what a call that waits for approval would do to a file.
func (f *front) Preview(ctx context.Context, id moothall.ApprovalID) (moothall.Preview, error) {
	if f.hall.broker == nil {
		return moothall.Preview{}, moothall.Fail(moothall.CodeUnsupported, "preview", "the broker runs elsewhere, and so does the file")
	}
	return f.hall.broker.Preview(ctx, id)
}

// Export writes what the hall remembers.
func (f *front) Export(ctx context.Context, what string, w io.Writer) error {
	return f.hall.export(ctx, what, w)
}

// Backup writes a consistent copy of the home.
func (f *front) Backup(ctx context.Context, w io.Writer) error {
	return f.hall.backup(ctx, w)
}

// Participants lists the parts of the hall.
func (f *front) Participants(ctx context.Context) ([]moothall.Participant, error) {
	h, err := f.Health(ctx)
	if err != nil {
		return nil, err
	}
	var out []moothall.Participant
	for name, s := range h.Services {
		out = append(out, moothall.Participant{Name: name, State: s.State, About: s.Detail})
	}
	settled, err := f.hall.settled(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, settled...)
	if f.hall.foreign != nil {
		out = append(out, f.hall.foreign.participant())
	}
	if f.hall.memory != nil {
		p, err := f.hall.memoryParticipant(ctx)
		if err != nil {
			return nil, err
		}
		out = slices.DeleteFunc(out, func(o moothall.Participant) bool { return o.Name == p.Name })
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b moothall.Participant) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
