package secretservice_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/godbus/dbus/v5"

	"moothall/internal/secret/secretservice"
)

// fake is a Secret Service with one collection and one item, for what a real
// one does not do on demand.
type fake struct {
	conn *dbus.Conn

	encrypts bool                           // false: offers plain sessions only
	peer     []byte                         // in place of a half of its own
	answers  func(prompt dbus.ObjectPath)   // when a prompt is to be shown; nil: never
	spoil    func(parameters, value []byte) // changes what GetSecret returns
	hang     chan struct{}                  // GetSecret waits for it
	asked    atomic.Bool                    // it was called
	shown    chan struct{}                  // a prompt was shown
	taken    chan struct{}                  // a prompt was dismissed

	mu     sync.Mutex
	locked bool
	key    []byte
	value  []byte
}

const (
	fakeCollection = dbus.ObjectPath("/org/freedesktop/secrets/collection/one")
	fakeItem       = fakeCollection + "/1"
	fakePrompt     = dbus.ObjectPath("/org/freedesktop/secrets/prompt/1")
)

type wire struct {
	Session           dbus.ObjectPath
	Parameters, Value []byte
	Type              string
}

// serve puts the fake on a bus of its own and returns the bus's address.
func (f *fake) serve(t *testing.T) string {
	t.Helper()
	s := startBus(t, "", "cat")
	f.shown, f.taken = make(chan struct{}, 8), make(chan struct{}, 8)
	f.conn = s.connect(t)
	for path, face := range map[dbus.ObjectPath]string{
		"/org/freedesktop/secrets": "org.freedesktop.Secret.Service", fakeItem: "org.freedesktop.Secret.Item",
		fakeCollection: "org.freedesktop.Secret.Collection", fakePrompt: "org.freedesktop.Secret.Prompt",
	} {
		if err := f.conn.Export(f, path, face); err != nil {
			t.Fatal(err)
		}
		if err := f.conn.Export(f, path, "org.freedesktop.DBus.Properties"); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := f.conn.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue)
	if err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("no name: %v %v", reply, err)
	}
	return s.address
}

func (f *fake) OpenSession(algorithm string, half dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if algorithm == "plain" {
		f.key = nil
		return dbus.MakeVariant(""), "/org/freedesktop/secrets/session/1", nil
	}
	if !f.encrypts {
		return dbus.MakeVariant(""), "/", dbus.NewError("org.freedesktop.DBus.Error.NotSupported", []any{canary})
	}
	public, agree := secretservice.Halves()
	f.key, _ = agree(half.Value().([]byte))
	if f.peer != nil {
		public = f.peer
	}
	return dbus.MakeVariant(public), "/org/freedesktop/secrets/session/1", nil
}

func (f *fake) SearchItems(map[string]string) (unlocked, locked []dbus.ObjectPath, err *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.value == nil:
		return nil, nil, nil
	case f.locked:
		return nil, []dbus.ObjectPath{fakeItem}, nil
	}
	return []dbus.ObjectPath{fakeItem}, nil, nil
}

func (f *fake) ReadAlias(string) (dbus.ObjectPath, *dbus.Error) { return fakeCollection, nil }

func (f *fake) Get(string, string) (dbus.Variant, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return dbus.MakeVariant(f.locked), nil
}

func (f *fake) Unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return nil, fakePrompt, nil
}

func (f *fake) Prompt(string) *dbus.Error {
	f.shown <- struct{}{}
	if f.answers != nil {
		f.answers(fakePrompt)
	}
	return nil
}

func (f *fake) Dismiss() *dbus.Error {
	f.taken <- struct{}{}
	return nil
}

// complete ends the prompt as the person's answer would.
func (f *fake) complete(dismissed bool) {
	f.mu.Lock()
	f.locked = f.locked && dismissed
	f.mu.Unlock()
	_ = f.conn.Emit(fakePrompt, "org.freedesktop.Secret.Prompt.Completed", dismissed, dbus.MakeVariant(""))
}

func (f *fake) GetSecret(session dbus.ObjectPath) (wire, *dbus.Error) {
	f.asked.Store(true)
	if f.hang != nil {
		<-f.hang
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	parameters, sealed, err := secretservice.Seal(f.key, f.value)
	if err != nil {
		return wire{}, dbus.MakeFailedError(err)
	}
	if f.spoil != nil {
		f.spoil(parameters, sealed)
	}
	return wire{session, parameters, sealed, "text/plain"}, nil
}

func (f *fake) CreateItem(_ map[string]dbus.Variant, w wire, _ bool) (dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	value, err := secretservice.Open(f.key, w.Parameters, w.Value)
	if err != nil {
		return "/", "/", dbus.MakeFailedError(err)
	}
	f.value = value
	return fakeItem, "/", nil
}
