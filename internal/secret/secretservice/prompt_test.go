package secretservice_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"moothall"
	"moothall/internal/secret/secretservice"
)

func TestPromptAnswered(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true, value: []byte(canary)}
	f.answers = func(dbus.ObjectPath) { f.complete(false) }
	store := secretservice.New(secretservice.Options{Address: f.serve(t)})
	v, err := store.Get(t.Context(), "name")
	want(t, err, "")
	if string(v) != canary {
		t.Error("another value came")
	}
}

func TestPromptUnlocksForSet(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true}
	f.answers = func(dbus.ObjectPath) { f.complete(false) }
	store := secretservice.New(secretservice.Options{Address: f.serve(t)})
	want(t, store.Set(t.Context(), "name", []byte(canary)), "")
	v, err := store.Get(t.Context(), "name")
	want(t, err, "")
	if string(v) != canary {
		t.Error("another value came")
	}
}

func TestPromptDismissed(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true, value: []byte(canary)}
	f.answers = func(dbus.ObjectPath) { f.complete(true) }
	store := secretservice.New(secretservice.Options{Address: f.serve(t)})
	_, err := store.Get(t.Context(), "name")
	want(t, err, moothall.CodeUnavailable)
}

func TestPromptUnanswered(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true, value: []byte(canary)}
	store := secretservice.New(secretservice.Options{Address: f.serve(t), PromptTimeout: time.Millisecond})
	_, err := store.Get(t.Context(), "name")
	want(t, err, moothall.CodeUnavailable)
	<-f.taken // the question does not stay on the screen
}

func TestPromptCanceled(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true, value: []byte(canary)}
	store := secretservice.New(secretservice.Options{Address: f.serve(t)})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-f.shown
		cancel()
	}()
	_, err := store.Get(ctx, "name")
	want(t, err, moothall.CodeCanceled)
	<-f.taken
}

func TestNeverPrompt(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, locked: true, value: []byte(canary)}
	store := secretservice.New(secretservice.Options{Address: f.serve(t), NeverPrompt: true})
	_, err := store.Get(t.Context(), "name")
	want(t, err, moothall.CodeUnavailable)
	if len(f.shown) > 0 {
		t.Error("the person was asked")
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	f := &fake{value: []byte(canary)}
	address := f.serve(t)
	_, err := secretservice.New(secretservice.Options{Address: address}).Get(t.Context(), "name")
	want(t, err, moothall.CodeUnsupported)
	var log bytes.Buffer
	store := secretservice.New(secretservice.Options{Address: address, Plain: true, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	v, err := store.Get(t.Context(), "name")
	want(t, err, "")
	if string(v) != canary || !strings.Contains(log.String(), "in clear") || strings.Contains(log.String(), canary) {
		t.Errorf("log: %s", log.String())
	}
}

func TestBadService(t *testing.T) {
	t.Parallel()
	flip := func(_, value []byte) { value[len(value)-1] ^= 0x80; value[len(value)-17] ^= 0x80 }
	for name, f := range map[string]*fake{
		"weak half":      {encrypts: true, value: []byte(canary), peer: []byte{1}},
		"another half":   {encrypts: true, value: []byte(canary), peer: []byte{2}},
		"spoilt padding": {encrypts: true, value: []byte(canary), spoil: flip},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := secretservice.New(secretservice.Options{Address: f.serve(t)}).Get(t.Context(), "name")
			if err == nil && string(v) != canary {
				return // one wrong key in 256 unpads by chance; it still gives no secret away
			}
			want(t, err, moothall.CodeCorrupt)
		})
	}
}

func TestSlowService(t *testing.T) {
	t.Parallel()
	f := &fake{encrypts: true, value: []byte(canary), hang: make(chan struct{})}
	defer close(f.hang)
	address := f.serve(t)
	// The time is also that of the handshake, which must not be what is late.
	for limit := time.Second; !f.asked.Load() && limit < 2*time.Minute; limit *= 2 {
		_, err := secretservice.New(secretservice.Options{Address: address, CallTimeout: limit}).Get(t.Context(), "name")
		if f.asked.Load() {
			want(t, err, moothall.CodeTimeout)
		}
	}
	if !f.asked.Load() {
		t.Error("the service was never asked")
	}
}

// TestDeafBus meets a socket that takes connections and never answers.
func TestDeafBus(t *testing.T) {
	t.Parallel()
	path := filepath.Join(shortDir(t), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	store := secretservice.New(secretservice.Options{Address: "unix:path=" + path, CallTimeout: 20 * time.Millisecond})
	want(t, store.Ping(t.Context()), moothall.CodeUnavailable)
}

// TestNoKeyring meets a bus on which no keyring is.
func TestNoKeyring(t *testing.T) {
	t.Parallel()
	s := startBus(t, "", "cat")
	store := secretservice.New(secretservice.Options{Address: s.address})
	want(t, store.Ping(t.Context()), moothall.CodeUnavailable)
	ok, err := store.Present(t.Context())
	if ok || moothall.ErrorRemedy(err) == "" {
		t.Errorf("present %v, %v", ok, err)
	}
}
