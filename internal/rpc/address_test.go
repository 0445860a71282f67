package rpc_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]rpc.Address{
		"here":                  {Transport: rpc.Here},
		"unix:/run/hall.sock":   {Transport: rpc.Unix, Where: "/run/hall.sock"},
		"unix:/run/../x//y":     {Transport: rpc.Unix, Where: "/x/y"},
		"h2c://localhost:8080":  {Transport: rpc.H2C, Where: "localhost:8080"},
		"h2c://127.0.0.1:0":     {Transport: rpc.H2C, Where: "127.0.0.1:0"},
		"mtls://[::1]:9":        {Transport: rpc.MTLS, Where: "[::1]:9"},
		"mtls://hall.local:007": {Transport: rpc.MTLS, Where: "hall.local:7"},
	} {
		if a, err := rpc.ParseAddress(in); err != nil || a != want {
			t.Errorf("%q: %+v, %v, want %+v", in, a, err, want)
		}
	}
	for _, in := range []string{
		"", "Here", "here ", "unix:", "unix:relative", "unix:/run/", "unix:/a\x00b", "unix://host/path/", "h2c://", "h2c://host",
		"h2c://:80", "h2c://host:port", "h2c://host:70000", "h2c://host:-1", "h2c://host:80/path", "h2c://user@host:80",
		"mtls://a b:80", "http://host:80", "tcp://host:80", "host:80", "/run/hall.sock",
	} {
		a, err := rpc.ParseAddress(in)
		if moothall.ErrorCode(err) != moothall.CodeInvalid || moothall.ErrorRemedy(err) == "" {
			t.Errorf("%q: %+v, %v, want code invalid and a remedy", in, a, err)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"here", "unix:/a", "h2c://h:1", "mtls://[::1]:2", "h2c://[fe80::1%25eth0]:3", "unix:/a/../..", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := rpc.ParseAddress(s)
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if again, err := rpc.ParseAddress(a.String()); err != nil || again != a {
			t.Errorf("%q reads as %+v, which writes as %q and reads as %+v, %v", s, a, a.String(), again, err)
		}
	})
}

func TestNowhereToListenOrDial(t *testing.T) {
	t.Parallel()
	h := rpc.NewHost(rpc.Offers{}, nil)
	for _, a := range []rpc.Address{{}, {Transport: rpc.Here}} {
		wantCode(t, h.Listen(a), moothall.CodeInvalid)
		_, err := rpc.Dial(a, moothall.Hall, nil)
		wantCode(t, err, moothall.CodeInvalid)
	}
	wantCode(t, h.Listen(rpc.Address{Transport: rpc.MTLS, Where: "127.0.0.1:0"}), moothall.CodeNotConfigured)
	wantCode(t, h.Listen(rpc.Address{Transport: rpc.Unix, Where: filepath.Join(t.TempDir(), "no", "s")}), moothall.CodeNotFound)
	_, err := rpc.Dial(rpc.Address{Transport: rpc.MTLS, Where: "127.0.0.1:1"}, moothall.Hall, nil)
	wantCode(t, err, moothall.CodeNotConfigured)
	_, err = rpc.Dial(rpc.Address{Transport: rpc.Unix, Where: "/x"}, "nobody", nil)
	wantCode(t, err, moothall.CodeInvalid)
}

func TestLongSocketPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	a := rpc.Address{Transport: rpc.Unix, Where: filepath.Join(dir, "hall.sock")}
	h := &hall{over: rpc.Unix, address: a, host: rpc.NewHost(rpc.Offers{Audit: moottest.NewAudit().For}, nil)}
	if err := h.host.Listen(a); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.append1(t, moothall.Hall, rpc.DialOptions{}), "")
	h.stop(t)
	if _, err := os.Lstat(a.Where); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
	a.Where = filepath.Join(dir, strings.Repeat("n", 120))
	wantCode(t, rpc.NewHost(rpc.Offers{}, nil).Listen(a), moothall.CodeInvalid)
}

func TestSocketFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	a := rpc.Address{Transport: rpc.Unix, Where: path}

	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()

	first := &hall{over: rpc.Unix, address: a, host: rpc.NewHost(rpc.Offers{Audit: moottest.NewAudit().For}, nil)}
	if err := first.host.Listen(a); err != nil {
		t.Fatalf("a stale socket is in the way: %v", err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v, want mode 0600", info.Mode(), err)
	}
	second := rpc.NewHost(rpc.Offers{}, nil)
	wantCode(t, second.Listen(a), moothall.CodeConflict)
	wantCode(t, first.append1(t, moothall.Hall, rpc.DialOptions{}), "") // the first one is unharmed
	first.stop(t)
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}

	if err := os.WriteFile(path, []byte("somebody's file"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantCode(t, second.Listen(a), moothall.CodeConflict)
	if b, err := os.ReadFile(path); err != nil || string(b) != "somebody's file" {
		t.Errorf("the file in the way is now %q, %v", b, err)
	}
}

// TestForeignSocketStays: a host removes its own socket, not a successor's.
func TestForeignSocketStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	h := &hall{host: rpc.NewHost(rpc.Offers{}, nil)}
	if err := h.host.Listen(rpc.Address{Transport: rpc.Unix, Where: path}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".old"); err != nil { // keeps the inode from being used again
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.stop(t)
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("another's file was removed: %v", err)
	}
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	h := start(t, rpc.H2C, rpc.Offers{}, nil)
	wantCode(t, rpc.NewHost(rpc.Offers{}, nil).Listen(h.address), moothall.CodeConflict)
}

func TestSeveralDoors(t *testing.T) {
	t.Parallel()
	fake := moottest.NewAudit()
	host := rpc.NewHost(rpc.Offers{Audit: fake.For}, &rpc.HostOptions{Key: testKey, TLS: issue(t, nil, moothall.Hall)})
	for _, over := range remote() {
		h := &hall{over: over, host: host}
		if err := host.Listen(h.where(t)); err != nil {
			t.Fatal(err)
		}
	}
	defer (&hall{host: host}).stop(t)
	for _, a := range host.Addrs() {
		h := &hall{over: a.Transport, host: host, address: a}
		wantCode(t, h.append1(t, moothall.Critic, options(t, moothall.Critic)), "")
	}
	if n := len(fake.Records()); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
}
