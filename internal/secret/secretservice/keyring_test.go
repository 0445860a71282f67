package secretservice_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"moothall"
	"moothall/internal/secret/secretservice"
)

const canary = "canary-8d1f-value-of-the-test"

// want checks an error's code and that nothing of a value is in it.
func want(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("code %q, want %q: %v", got, code, err)
	}
	if err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v %s", err, err, err, moothall.ErrorRemedy(err)), canary) {
		t.Fatal("a value stands in an error")
	}
}

func TestKeyring(t *testing.T) {
	t.Parallel()
	s := startKeyring(t)
	store := secretservice.New(secretservice.Options{Address: s.address})
	want(t, store.Ping(t.Context()), "")
	if ok, err := store.Present(t.Context()); !ok {
		t.Fatalf("not present: %v", err)
	}
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	values := map[string][]byte{
		"text": []byte(canary), "zero": {0}, "newline": []byte("a\nb\n"), "all": all, "not-utf8": {0xff, 0xfe, 0},
		"block": bytes.Repeat([]byte("x"), 16), "block.more": bytes.Repeat([]byte("x"), 17),
		"largest": bytes.Repeat([]byte{0xa5}, secretservice.MaxValue),
	}
	for name, v := range values {
		t.Run(name, func(t *testing.T) {
			want(t, store.Set(t.Context(), name, []byte(canary+"before")), "")
			want(t, store.Set(t.Context(), name, v), "")
			got, err := store.Get(t.Context(), name)
			want(t, err, "")
			if !bytes.Equal(got, v) {
				t.Errorf("%d bytes came back, want %d", len(got), len(v))
			}
			want(t, store.Delete(t.Context(), name), "")
			_, err = store.Get(t.Context(), name)
			want(t, err, moothall.CodeNotFound)
			want(t, store.Delete(t.Context(), name), moothall.CodeNotFound)
		})
	}
	want(t, store.Set(t.Context(), "large", make([]byte, secretservice.MaxValue+1)), moothall.CodeTooLarge)
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	s := startKeyring(t)
	store := secretservice.New(secretservice.Options{Address: s.address})
	want(t, store.Set(t.Context(), "shared", []byte("first")), "")
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			own := fmt.Sprintf("own-%d", i)
			if err := store.Set(t.Context(), own, []byte(own)); err != nil {
				t.Error(err)
			}
			if v, err := store.Get(t.Context(), own); err != nil || string(v) != own {
				t.Errorf("%q, %v", v, err)
			}
			if v, err := store.Get(t.Context(), "shared"); err != nil || string(v) != "first" {
				t.Errorf("%q, %v", v, err)
			}
		})
	}
	wg.Wait()
}

// lock locks the collection as the person's password manager would.
func lock(t *testing.T, s *session) {
	t.Helper()
	c := s.connect(t)
	service := c.Object("org.freedesktop.secrets", "/org/freedesktop/secrets")
	var locked []dbus.ObjectPath
	var prompt dbus.ObjectPath
	err := service.CallWithContext(t.Context(), "org.freedesktop.Secret.Service.Lock", 0,
		[]dbus.ObjectPath{"/org/freedesktop/secrets/collection/login"}).Store(&locked, &prompt)
	if err != nil || len(locked) != 1 {
		t.Fatalf("locked %v, %v", locked, err)
	}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	s := startKeyring(t)
	store := secretservice.New(secretservice.Options{Address: s.address})
	want(t, store.Set(t.Context(), "name", []byte(canary)), "")
	lock(t, s)
	for _, never := range []bool{true, false} {
		// Nothing in this session can show a question: asking ends as if the
		// person had dismissed it.
		store := secretservice.New(secretservice.Options{Address: s.address, NeverPrompt: never})
		errs := map[string]error{"ping": store.Ping(t.Context()), "delete": store.Delete(t.Context(), "name"), "set": store.Set(t.Context(), "name", []byte(canary))}
		_, errs["get"] = store.Get(t.Context(), "name")
		_, errs["get unknown"] = store.Get(t.Context(), "unknown")
		for what, err := range errs {
			t.Run(fmt.Sprint(what, never), func(t *testing.T) {
				want(t, err, moothall.CodeUnavailable)
				if !strings.Contains(moothall.ErrorRemedy(err), "unlock") {
					t.Errorf("remedy %q", moothall.ErrorRemedy(err))
				}
			})
		}
		if ok, err := store.Present(t.Context()); !ok {
			t.Errorf("a locked keyring counts as none: %v", err)
		}
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	s := startKeyring(t)
	store := secretservice.New(secretservice.Options{Address: s.address})
	want(t, store.Set(t.Context(), "name", []byte(canary)), "")
	s.stop()
	_, err := store.Get(t.Context(), "name")
	want(t, err, moothall.CodeUnavailable)
	want(t, store.Set(t.Context(), "name", []byte(canary)), moothall.CodeUnavailable)
	want(t, store.Ping(t.Context()), moothall.CodeUnavailable)
	if ok, _ := store.Present(t.Context()); ok {
		t.Error("present after its end")
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, code := range map[string]moothall.Code{
		"tcp:host=127.0.0.1,port=1":                   moothall.CodeUnsupported,
		"unix:path=/nowhere;tcp:host=::1,port=2":      moothall.CodeUnsupported,
		"unixexec:path=/bin/true":                     moothall.CodeUnsupported,
		"nonsense":                                    moothall.CodeUnsupported,
		"unix:path=" + t.TempDir() + "/there-is-none": moothall.CodeUnavailable,
	} {
		want(t, secretservice.New(secretservice.Options{Address: address}).Ping(t.Context()), code)
	}
}
