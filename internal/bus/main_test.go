package bus_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/bus"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("BUS_TEST_CHILD"); mode != "" {
		os.Exit(child(mode))
	}
	goleak.VerifyTestMain(m)
}

// open opens a bus that the test closes.
func open(t testing.TB, o bus.Options) *bus.Bus {
	t.Helper()
	if o.Dir == "" && o.URL == "" {
		o.Dir = t.TempDir()
	}
	b, err := bus.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { closeBus(t, b) })
	return b
}

func closeBus(t testing.TB, b *bus.Bus) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func as(t testing.TB, b *bus.Bus, id moothall.Identity) *bus.Participant {
	t.Helper()
	p, err := b.As(id)
	if err != nil {
		t.Fatalf("as %s: %v", id, err)
	}
	return p
}

func event(t testing.TB, s moothall.Subject, payload any) moothall.Event {
	t.Helper()
	e, err := moothall.NewEvent(s, payload)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// publish sends a new event and returns it with its place.
func publish(t testing.TB, p *bus.Participant, s moothall.Subject, payload any) moothall.Event {
	t.Helper()
	e := event(t, s, payload)
	seq, err := p.Publish(t.Context(), e)
	if err != nil {
		t.Fatalf("publish %s: %v", s, err)
	}
	e.Seq, e.Sender = seq, p.Identity()
	return e
}

// stream is a subscription that a test pulls from.
type stream struct {
	t    testing.TB
	next func() (moothall.Event, error, bool)
}

func listen(t testing.TB, p *bus.Participant, o bus.SubscribeOptions) *stream {
	t.Helper()
	// The deadline is there for a test that would otherwise hang.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	next, stop := iter.Pull2(p.Subscribe(ctx, o))
	t.Cleanup(func() { stop(); cancel() })
	return &stream{t, next}
}

// must returns the next event.
func (s *stream) must() moothall.Event {
	s.t.Helper()
	e, err, ok := s.next()
	if err != nil || !ok {
		s.t.Fatalf("next event: %v, %v", err, ok)
	}
	return e
}

// ids takes n events and returns their ids.
func (s *stream) ids(n int) []moothall.EventID {
	s.t.Helper()
	var out []moothall.EventID
	for range n {
		out = append(out, s.must().ID)
	}
	return out
}

func ids(events []moothall.Event) []moothall.EventID {
	var out []moothall.EventID
	for _, e := range events {
		out = append(out, e.ID)
	}
	return out
}

func wantCode(t testing.TB, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("got code %q (%v), want %q", got, err, code)
	}
}

// secrets writes one password file per identity.
func secrets(t testing.TB, who ...moothall.Identity) map[moothall.Identity]string {
	t.Helper()
	dir, out := t.TempDir(), map[moothall.Identity]string{}
	for _, id := range who {
		out[id] = filepath.Join(dir, string(id))
		if err := os.WriteFile(out[id], []byte(passwordOf(id)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func passwordOf(id moothall.Identity) string { return "the password of " + string(id) }

// raw connects past this package, as anybody with the password could.
func raw(t testing.TB, addr, name, password string) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect("nats://"+addr, nats.UserInfo(name, password),
		nats.CustomInboxPrefix("_INBOX_"+name), nats.PermissionErrOnSubscribe(true), nats.NoReconnect(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatalf("connect %s: %v", name, err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// rawAs connects as an identity whose password file came from secrets.
func rawAs(t testing.TB, addr string, id moothall.Identity) *nats.Conn {
	t.Helper()
	return raw(t, addr, string(id), passwordOf(id))
}

// refusedBy reports whether the server refused to let the connection publish.
// It answers in order: what it had to say about the message came before the
// flush returned.
func refusedBy(t testing.TB, nc *nats.Conn, subject, reply string, data []byte) bool {
	t.Helper()
	before := nc.LastError()
	if err := nc.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: data}); err != nil {
		t.Fatalf("publish %s: %v", subject, err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatalf("flush: %v", err)
	}
	err := nc.LastError()
	return err != before && errors.Is(err, nats.ErrPermissionViolation)
}

// refusedListening is the same for a subscription.
func refusedListening(t testing.TB, nc *nats.Conn, subject string) bool {
	t.Helper()
	before := nc.LastError()
	if _, err := nc.SubscribeSync(subject); err != nil {
		t.Fatalf("subscribe %s: %v", subject, err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatalf("flush: %v", err)
	}
	err := nc.LastError()
	return err != before && errors.Is(err, nats.ErrPermissionViolation)
}

func payload(n int) map[string]string { return map[string]string{"n": fmt.Sprint(n)} }
