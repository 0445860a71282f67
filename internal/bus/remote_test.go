package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"moothall"
	"moothall/internal/bus"
)

var weather = bus.Guest{Name: "weather", Password: "w", Tools: []moothall.ToolName{"forecast"}}

// remote is a NATS server configured by what Accounts prints.
type remote struct {
	t    *testing.T
	conf string
	srv  *server.Server
}

func startRemote(t *testing.T, observers ...bus.Durable) *remote {
	t.Helper()
	o := bus.AccountsOptions{Secrets: map[moothall.Identity]string{}, Observers: observers, Guests: []bus.Guest{weather}}
	for _, id := range append(moothall.Identities(), bus.Admin) {
		o.Secrets[id] = passwordOf(id)
	}
	return startWith(t, o, nil)
}

// startWith starts a server for whom the options name. The edit, if any, is
// the mistake of the person who pastes the configuration.
func startWith(t *testing.T, o bus.AccountsOptions, edit *strings.Replacer) *remote {
	t.Helper()
	accounts, err := bus.Accounts(o)
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		accounts = edit.Replace(accounts)
	}
	r := &remote{t: t, conf: filepath.Join(t.TempDir(), "nats.conf")}
	text := fmt.Sprintf("listen: \"127.0.0.1:-1\"\njetstream { store_dir: %q, sync_interval: always }\n%s", t.TempDir(), accounts)
	if err := os.WriteFile(r.conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	// The same port after a restart, as a real server has.
	text = strings.Replace(text, "127.0.0.1:-1", r.addr(), 1)
	if err := os.WriteFile(r.conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.stop)
	return r
}

func (r *remote) start() {
	r.t.Helper()
	o, err := server.ProcessConfigFile(r.conf)
	if err != nil {
		r.t.Fatal(err)
	}
	o.NoSigs, o.NoLog = true, true
	if r.srv, err = server.NewServer(o); err != nil {
		r.t.Fatal(err)
	}
	r.srv.Start()
	if !r.srv.ReadyForConnections(2 * time.Minute) {
		r.t.Fatal("the server does not start")
	}
}

func (r *remote) stop() {
	r.srv.Shutdown()
	r.srv.WaitForShutdown()
}

func (r *remote) addr() string { return r.srv.Addr().String() }
func (r *remote) url() string  { return "nats://" + r.addr() }

func everybody(t *testing.T) map[moothall.Identity]string {
	return secrets(t, append(moothall.Identities(), bus.Admin)...)
}

func TestAccountsAreEnoughAndNotMore(t *testing.T) {
	t.Parallel()
	r := startRemote(t, grades)
	b := open(t, bus.Options{URL: r.url(), Credentials: everybody(t), Observers: []bus.Durable{grades}})
	checkTable(t, r.addr())
	critic := rawAs(t, r.addr(), moothall.Critic)
	for _, subject := range []string{"$JS.API.STREAM.DELETE.HALL", "$JS.API.CONSUMER.CREATE.HALL.x", "$JS.API.DIRECT.GET.HALL", "stored.query.received.front"} {
		if !refusedBy(t, critic, subject, "", nil) {
			t.Errorf("publish %s: let through", subject)
		}
	}
	guest := raw(t, r.addr(), "weather", "w")
	if refusedBy(t, guest, "tool.result.forecast.weather", "", nil) || !refusedBy(t, guest, "tool.result.shell.weather", "", nil) {
		t.Error("the guest may not do what it may, or may do what it may not")
	}

	got := make(chan moothall.Event)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{
		Subjects: []moothall.Subject{moothall.SubjectResponseDelta, moothall.SubjectResponseGeneration},
	})
	chat := as(t, b, moothall.ChatHall)
	delta := publish(t, chat, moothall.SubjectResponseDelta, nil)
	want := publish(t, chat, moothall.SubjectResponseGeneration, nil)
	if diff := cmp.Diff([]moothall.EventID{delta.ID, want.ID}, s.ids(2)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if e := take(t, got); e.ID != want.ID {
		t.Errorf("observed %s, want %s", e.ID, want.ID)
	}
	if _, err := b.As(moothall.Hall); err != nil {
		t.Error(err)
	}
}

// A process that has one identity's credentials uses what the hall declared.
func TestAProcessWithOneIdentity(t *testing.T) {
	t.Parallel()
	r := startRemote(t, grades)
	hall := open(t, bus.Options{URL: r.url(), Credentials: everybody(t), Observers: []bus.Durable{grades}})
	alone := open(t, bus.Options{URL: r.url(), Credentials: secrets(t, moothall.Critic), Observers: []bus.Durable{grades}})
	got := make(chan moothall.Event)
	observe(t, as(t, alone, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	want := publish(t, as(t, hall, moothall.ChatHall), moothall.SubjectResponseGeneration, nil)
	if e := take(t, got); e.ID != want.ID {
		t.Errorf("observed %s, want %s", e.ID, want.ID)
	}
	_, err := alone.As(moothall.ToolBroker)
	wantCode(t, err, moothall.CodeDenied)
	wantCode(t, alone.Snapshot(t.Context(), nil), moothall.CodeNotConfigured)
	if s, err := alone.Stats(t.Context()); err != nil || s.Messages != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Without the hall there is no stream, and the error says who creates it.
func TestAServerWithoutTheStream(t *testing.T) {
	t.Parallel()
	r := startRemote(t)
	b := open(t, bus.Options{URL: r.url(), Credentials: secrets(t, moothall.Person, moothall.FrontDoor)})
	_, err, _ := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{}).next()
	wantCode(t, err, moothall.CodeNotConfigured)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = as(t, b, moothall.FrontDoor).Publish(ctx, event(t, moothall.SubjectQueryReceived, nil))
	wantCode(t, err, moothall.CodeUnavailable)
}

func TestServerRestartInTheMiddle(t *testing.T) {
	t.Parallel()
	d := grades
	d.AckWait = 500 * time.Millisecond
	r := startRemote(t, d)
	o := bus.Options{URL: r.url(), Credentials: everybody(t), Observers: []bus.Durable{d}}
	b := open(t, o)
	chat := as(t, b, moothall.ChatHall)
	s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectResponseGeneration}})
	got := make(chan moothall.Event, 100)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got), Ledger: &ledger{}})

	want := []moothall.EventID{publish(t, chat, moothall.SubjectResponseGeneration, payload(0)).ID}
	take(t, got)
	quickest := time.Hour
	for round := range 3 {
		r.stop()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		begun := time.Now()
		lost := event(t, moothall.SubjectResponseGeneration, payload(round))
		_, err := chat.Publish(ctx, lost)
		cancel()
		wantCode(t, err, moothall.CodeUnavailable)
		quickest = min(quickest, time.Since(begun))
		// One that waits for the server goes through when it is back.
		waiting := event(t, moothall.SubjectResponseGeneration, payload(round))
		result := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
			defer cancel()
			_, err := chat.Publish(ctx, waiting)
			result <- err
		}()
		r.start()
		if err := <-result; err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		// Somebody else publishes before our listener is back, perhaps.
		other := open(t, o)
		behind := publish(t, as(t, other, moothall.CommitteeTable), moothall.SubjectResponseGeneration, payload(round))
		closeBus(t, other)
		want = append(want, waiting.ID, behind.ID)
		for range 2 {
			take(t, got)
		}
	}
	if quickest > 2*time.Second { // the machine may stand still in one of them
		t.Errorf("gave up after %v at best", quickest)
	}
	if diff := cmp.Diff(want, s.ids(len(want))); diff != "" {
		t.Errorf("heard, want -, got +:\n%s", diff)
	}
	if len(got) > 0 {
		t.Errorf("%d events handled twice", len(got))
	}
}

// A server that was silent for a moment is asked again for what is in the record.
func TestASilenceIsNotTheEndOfARead(t *testing.T) {
	t.Parallel()
	o := &server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true}
	srv, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{t: t, srv: srv}
	srv.Start()
	t.Cleanup(r.stop)
	if !srv.ReadyForConnections(2 * time.Minute) {
		t.Fatal("the server does not start")
	}
	want := event(t, moothall.SubjectQueryReceived, payload(1))
	want.Sender = moothall.FrontDoor
	data, err := bus.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := json.Marshal(map[string]any{"message": map[string]any{"subject": "query.received.front", "seq": 7, "data": data, "time": time.Now()}})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	keeper := raw(t, r.addr(), "keeper", "")
	if _, err := keeper.Subscribe("$JS.API.STREAM.MSG.GET.HALL", func(m *nats.Msg) {
		if asked++; asked > 1 {
			m.Respond(reply)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := keeper.Flush(); err != nil {
		t.Fatal(err)
	}
	b := open(t, bus.Options{URL: r.url(), Credentials: secrets(t, moothall.Person)})
	if got, err := as(t, b, moothall.Person).At(t.Context(), 7); err != nil || got.ID != want.ID {
		t.Errorf("got %s, %v", got.ID, err)
	}
}

// A server whose configuration lacks a line refuses, and is said to.
func TestAServerThatAllowsTooLittle(t *testing.T) {
	t.Parallel()
	o := bus.AccountsOptions{Secrets: map[moothall.Identity]string{
		moothall.FrontDoor: passwordOf(moothall.FrontDoor), bus.Admin: passwordOf(bus.Admin),
	}}
	r := startWith(t, o, strings.NewReplacer(`"query.received.front"`, `"query.received.nobody"`))
	b := open(t, bus.Options{URL: r.url(), Credentials: secrets(t, moothall.FrontDoor, bus.Admin)})
	_, err := as(t, b, moothall.FrontDoor).Publish(t.Context(), event(t, moothall.SubjectQueryReceived, nil))
	wantCode(t, err, moothall.CodeDenied)
	if moothall.ErrorRemedy(err) == "" {
		t.Errorf("no remedy in %v", err)
	}
}

// A pair made for this test; it opens nothing else.
const (
	nkeySeed   = "SUAH5XMJZGRJ34KTK76Q5NRE6OUG5E7DCWVOGVCCD6RMUMX7UEV2ZM7JB4"
	nkeyPublic = "UDEVOR2IGWSXJH2VDJDUHAE4ZYNWSIVZCP4ROOMJJPS4IWZ72UFC63LA"
)

func TestNkeys(t *testing.T) {
	t.Parallel()
	r := startWith(t, bus.AccountsOptions{Secrets: map[moothall.Identity]string{
		moothall.FrontDoor: nkeyPublic, bus.Admin: passwordOf(bus.Admin),
	}}, nil)
	files := secrets(t, moothall.FrontDoor, bus.Admin)
	if err := os.WriteFile(files[moothall.FrontDoor], []byte(nkeySeed+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, bus.Options{URL: r.url(), Credentials: files})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	_, err := bus.Open(t.Context(), bus.Options{Dir: t.TempDir(), Credentials: files})
	wantCode(t, err, moothall.CodeInvalid) // in process only passwords make sense
}

func TestAccountsRefuses(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]bus.AccountsOptions{
		"a stranger":      {Secrets: map[moothall.Identity]string{"x": "y"}},
		"a quote":         {Secrets: map[moothall.Identity]string{moothall.Critic: `a" }`}},
		"an empty secret": {Secrets: map[moothall.Identity]string{moothall.Critic: ""}},
		"a line break":    {Guests: []bus.Guest{{Name: "g", Password: "a\nb"}}},
	} {
		if _, err := bus.Accounts(o); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
	text, err := bus.Accounts(bus.AccountsOptions{Secrets: map[moothall.Identity]string{moothall.Critic: "U" + strings.Repeat("A", 55)}})
	if err != nil || !strings.Contains(text, "nkey: UAAA") || strings.Contains(text, "password") {
		t.Errorf("an nkey: %v\n%s", err, text)
	}
}
