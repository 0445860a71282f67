package bus_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
	"moothall/internal/bus"
)

// listening counts the sockets of this process that accept connections.
func listening(t *testing.T) int {
	t.Helper()
	own := map[string]bool{}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if link, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil {
			own[link] = true
		}
	}
	n := 0
	for _, table := range []string{"tcp", "tcp6"} {
		b, err := os.ReadFile("/proc/self/net/" + table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			f := strings.Fields(line)
			if len(f) > 9 && f[3] == "0A" && own["socket:["+f[9]+"]"] {
				n++
			}
		}
	}
	return n
}

// Not parallel: it counts the ports of the whole process.
func TestNoPortUnlessAskedFor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	before := listening(t)
	b := open(t, bus.Options{})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	if got := listening(t); got != before || b.Addr() != "" {
		t.Errorf("%d listening sockets more, address %q", got-before, b.Addr())
	}
	c := open(t, bus.Options{Listen: "127.0.0.1:0"})
	if got := listening(t); got != before+1 || c.Addr() == "" {
		t.Errorf("asked for a port: %d sockets more, address %q", got-before, c.Addr())
	}
}

func TestOpenFailsClearly(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held := t.TempDir()
	open(t, bus.Options{Dir: held})

	for _, tc := range []struct {
		name string
		opts bus.Options
		code moothall.Code
		says string
	}{
		{"a file in place of the folder", bus.Options{Dir: file}, moothall.CodeUnavailable, file},
		{"a folder in use", bus.Options{Dir: held}, moothall.CodeConflict, held},
		{"a port in use", bus.Options{Dir: t.TempDir(), Listen: taken.Addr().String()}, moothall.CodeConflict, taken.Addr().String()},
		{"a server that is not there", bus.Options{URL: "nats://127.0.0.1:1"}, moothall.CodeUnavailable, "127.0.0.1:1"},
		{"a credentials file that is not there", bus.Options{
			URL: "nats://127.0.0.1:1", DefaultCredentials: file + "x",
		}, moothall.CodeInvalid, file + "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, err := bus.Open(t.Context(), tc.opts)
			if err == nil {
				b.Close()
			}
			wantCode(t, err, tc.code)
			if !strings.Contains(err.Error(), tc.says) || moothall.ErrorRemedy(err) == "" {
				t.Errorf("%v (remedy %q) does not name %s", err, moothall.ErrorRemedy(err), tc.says)
			}
		})
	}
}

// TestPasswordInAddress: NATS takes a password in the address, and nobody shows it.
func TestPasswordInAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"nats://127.0.0.1:1": "nats://127.0.0.1:1", "nats://me:canary@127.0.0.1:1": "nats://127.0.0.1:1", "canary@127.0.0.1:1": "127.0.0.1:1",
		"nats://me:c@nary@127.0.0.1:1,tls://canary@[::1]:2,127.0.0.1:3": "nats://127.0.0.1:1,tls://[::1]:2,127.0.0.1:3",
	} {
		if got := bus.Where(given); got != want {
			t.Errorf("%s is shown as %s, want %s", given, got, want)
		}
	}
	for _, at := range []string{"nats://me:canary@127.0.0.1:1", "nats://me:canary%zz@127.0.0.1:1"} {
		b, err := bus.Open(t.Context(), bus.Options{URL: at})
		if err == nil {
			b.Close()
		}
		wantCode(t, err, moothall.CodeUnavailable)
		if text := err.Error(); strings.Contains(text, "canary") || !strings.Contains(text, "127.0.0.1:1") {
			t.Errorf("of %s: %s", at, text)
		}
	}
}

func TestOpenRefusesOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	durable := func(change func(*bus.Durable)) bus.Options {
		d := bus.Durable{Identity: moothall.Critic, Name: "grades", Subjects: []moothall.Subject{moothall.SubjectAnswerDialog}}
		change(&d)
		return bus.Options{Dir: dir, Observers: []bus.Durable{d}}
	}
	guest := func(g ...bus.Guest) bus.Options { return bus.Options{Dir: dir, Guests: g} }
	for name, o := range map[string]bus.Options{
		"neither folder nor server":   {},
		"both":                        {Dir: dir, URL: "nats://127.0.0.1:1"},
		"a remote port":               {URL: "nats://127.0.0.1:1", Listen: "127.0.0.1:0"},
		"a negative age":              {Dir: dir, MaxAge: -1},
		"a huge payload":              {Dir: dir, MaxPayload: 8 << 20},
		"a record below one event":    {Dir: dir, MaxBytes: 1 << 20},
		"credentials for a stranger":  {Dir: dir, Credentials: map[moothall.Identity]string{"x": "y"}},
		"an address without a port":   {Dir: dir, Listen: "127.0.0.1"},
		"all addresses without TLS":   {Dir: dir, Listen: "0.0.0.0:0"},
		"a guest named like the hall": guest(bus.Guest{Name: "broker", Password: "p"}),
		"a guest named bus":           guest(bus.Guest{Name: "bus", Password: "p"}),
		"a guest with a wildcard":     guest(bus.Guest{Name: "*", Password: "p"}),
		"a guest without password":    guest(bus.Guest{Name: "g"}),
		"a guest twice":               guest(bus.Guest{Name: "g", Password: "p"}, bus.Guest{Name: "g", Password: "q"}),
		"a guest with a wild tool":    guest(bus.Guest{Name: "g", Password: "p", Tools: []moothall.ToolName{">"}}),
		"an observer without letters": durable(func(d *bus.Durable) { d.Identity = moothall.Searcher }),
		"an observer without name":    durable(func(d *bus.Durable) { d.Name = "a.b" }),
		"an observer of nothing":      durable(func(d *bus.Durable) { d.Subjects = nil }),
		"an observer of deltas":       durable(func(d *bus.Durable) { d.Subjects = []moothall.Subject{moothall.SubjectResponseDelta} }),
		"an observer of nonsense":     durable(func(d *bus.Durable) { d.Subjects = []moothall.Subject{"x.y"} }),
		"an observer below zero":      durable(func(d *bus.Durable) { d.Concurrency = -1 }),
	} {
		b, err := bus.Open(t.Context(), o)
		if err == nil {
			b.Close()
		}
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v, want %s", name, err, moothall.CodeInvalid)
		}
	}
}

func TestDamagedFilesSayWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, bus.Options{Dir: dir})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	closeBus(t, b)
	meta := filepath.Join(dir, "jetstream", "$G", "streams", "HALL", "meta.inf")
	if err := os.WriteFile(meta, []byte("not what was there"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := bus.Open(t.Context(), bus.Options{Dir: dir})
	if err == nil {
		c.Close()
	}
	wantCode(t, err, moothall.CodeCorrupt)
	if !strings.Contains(err.Error(), dir) || !strings.Contains(moothall.ErrorRemedy(err), "move the folder away") {
		t.Errorf("%v, remedy %q", err, moothall.ErrorRemedy(err))
	}
}

func TestReopenWithOtherOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want []moothall.Event
	for i, o := range []bus.Options{
		{Dir: dir},
		{Dir: dir, MaxBytes: 16 << 20, MaxAge: time.Hour, Observers: []bus.Durable{grades}},
		{Dir: dir, MaxBytes: 2 << 30, MaxPayload: 2 << 20, Observers: []bus.Durable{{
			Identity: moothall.Critic, Name: "grades", Concurrency: 3, AckWait: time.Minute, History: true,
			Subjects: []moothall.Subject{moothall.SubjectResponseGeneration, moothall.SubjectToolRequest},
		}}},
		{Dir: dir, MaxAge: time.Minute},
	} {
		b := open(t, o)
		want = append(want, publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, payload(i)))
		s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{FromStart: true})
		if got := s.ids(len(want)); fmt.Sprint(got) != fmt.Sprint(ids(want)) {
			t.Errorf("round %d: got %v, want %v", i, got, ids(want))
		}
		closeBus(t, b)
	}
}

func TestListenWithTLS(t *testing.T) {
	t.Parallel()
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	b := open(t, bus.Options{
		Listen: "127.0.0.1:0", Credentials: secrets(t, moothall.Critic),
		TLS: &tls.Config{Certificates: web.TLS.Certificates},
	})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	client := &tls.Config{RootCAs: roots, ServerName: "example.com"}
	nc, err := nats.Connect("tls://"+b.Addr(), nats.Secure(client), nats.UserInfo("critic", passwordOf(moothall.Critic)))
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
	remote := open(t, bus.Options{URL: "tls://" + b.Addr(), TLS: client, Credentials: secrets(t, moothall.Critic)})
	publish(t, as(t, remote, moothall.Critic), moothall.SubjectCritiqueResult, nil)
}

func TestClosedBus(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	p := as(t, b, moothall.Critic)
	s := listen(t, p, bus.SubscribeOptions{})
	closeBus(t, b)
	_, err, _ := s.next()
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = p.Publish(t.Context(), event(t, moothall.SubjectCritiqueResult, nil))
	wantCode(t, err, moothall.CodeUnavailable)
	wantCode(t, p.Observe(t.Context(), bus.Observer{Name: "grades", Handle: ignore}), moothall.CodeUnavailable)
	_, err = b.As(moothall.Critic)
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = p.At(t.Context(), 1)
	wantCode(t, err, moothall.CodeUnavailable)
}
