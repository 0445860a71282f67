package daemon_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/daemon/conf"
)

func TestFindHome(t *testing.T) {
	t.Parallel()
	env := func(pairs ...string) func(string) string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return func(k string) string { return m[k] }
	}
	for _, c := range []struct {
		name, dir string
		env       func(string) string
		want      daemon.Home
	}{
		{"one folder", "/x/y", env(), daemon.Home{Config: "/x/y", Data: "/x/y", State: "/x/y", Cache: "/x/y/cache"}},
		{"defaults", "", env("HOME", "/u"), daemon.Home{
			Config: "/u/.config/moothall", Data: "/u/.local/share/moothall", State: "/u/.local/state/moothall", Cache: "/u/.cache/moothall", User: "/u",
		}},
		{"XDG", "", env("HOME", "/u", "XDG_DATA_HOME", "/d", "XDG_CONFIG_HOME", "relative"), daemon.Home{
			Config: "/u/.config/moothall", Data: "/d/moothall", State: "/u/.local/state/moothall", Cache: "/u/.cache/moothall", User: "/u",
		}},
	} {
		got, err := daemon.FindHome(c.dir, c.env)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := daemon.FindHome("", env()); moothall.ErrorRemedy(err) == "" {
		t.Errorf("no HOME: %v", err)
	}
}

func TestSecondOpenIsTold(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	open(t, h, config())
	_, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: config()})
	if moothall.ErrorCode(err) != moothall.CodeConflict || !strings.Contains(err.Error(), "process") {
		t.Errorf("second open: %v", err)
	}
	if _, ok := daemon.Running(h); !ok {
		t.Error("the hall is not seen to run")
	}
}

// TestStartBesideALook: a command that looks whether a hall runs holds the lock
// for a moment, and a start in that moment is none on a home in use.
func TestStartBesideALook(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	look, err := os.Create(h.Lock())
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(look.Fd()), syscall.LOCK_SH); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, func() { look.Close() })
	open(t, h, config())
}

func TestHomeThatIsAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := daemon.Open(t.Context(), daemon.Options{Home: home(file), Config: config()})
	if moothall.ErrorCode(err) != moothall.CodeConflict || moothall.ErrorRemedy(err) == "" {
		t.Errorf("got %v", err)
	}
}

// TestLockLeavesNoCopy: a home that was given back is free, though a program that
// was just being started has a copy of the lock.
func TestLockLeavesNoCopy(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	if err := os.MkdirAll(filepath.Dir(h.Lock()), 0o700); err != nil {
		t.Fatal(err)
	}
	closeCopy, err := daemon.LockedCopy(h)
	if err != nil {
		t.Fatal(err)
	}
	defer closeCopy()
	if _, running := daemon.Running(h); running {
		t.Error("the home seems to be held")
	}
}

// TestModelThatIsSet: /health and the greeting speak of the model that answers,
// also where it is not the role's, and say so when there is none of that name.
func TestModelThatIsSet(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]moothall.ModelHealth{
		"moothall-small":         {State: moothall.ServiceOK, Provider: "builtin", Name: "moothall-small"},
		"builtin/moothall-small": {State: moothall.ServiceOK, Provider: "builtin", Name: "moothall-small"},
		"nosuch":                 {State: moothall.ServiceDown, Name: "nosuch"},
	} {
		c := config()
		c.Chat.Model = set
		hall := serve(t, home(t.TempDir()), c)
		as := func(got moothall.ModelHealth) bool {
			return got.State == want.State && got.Provider == want.Provider && got.Name == want.Name && got.Detail != ""
		}
		if got := settles(func() moothall.ModelHealth { return hall.Model(t.Context()) }, as); !as(got) {
			t.Errorf("with %s: %+v", set, got)
		}
	}
}

// TestConnect finds the hall that runs, or brings its own.
func TestConnect(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	for _, running := range []bool{false, true} {
		if running {
			serve(t, h, config())
		}
		client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		health := settles(func() (h moothall.Health) {
			if h, err = client.Health(t.Context()); err != nil {
				t.Fatal(err)
			}
			return h
		}, func(h moothall.Health) bool { return h.Status == "ok" })
		if health.Status != "ok" {
			t.Errorf("running=%v: %+v", running, health)
		}
		if _, err := client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "hello"}}); err != nil {
			t.Errorf("running=%v: %v", running, err)
		}
		for _, err := range client.Query(t.Context(), moothall.QueryRequest{Query: "hello", Mode: "dance"}) {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Errorf("running=%v: a mode that is not there: %v", running, err)
			}
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDeepHome has a path that no unix socket's address can hold.
func TestDeepHome(t *testing.T) {
	t.Parallel()
	h := home(filepath.Join(t.TempDir(), strings.Repeat("deep/", 30)))
	serve(t, h, config())
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Health(t.Context()); err != nil {
		t.Error(err)
	}
	client.Close()
}

func TestStartAndStopAreOnRecord(t *testing.T) {
	t.Parallel()
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for name, stop := range map[string]func(*daemon.Hall) error{
		"in time":           (*daemon.Hall).Shutdown,
		"with no time left": func(h *daemon.Hall) error { return h.Close(late) },
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); startAndStop(t, stop) })
	}
}

func startAndStop(t *testing.T, stop func(*daemon.Hall) error) {
	h := home(t.TempDir())
	hall := open(t, h, config())
	if err := stop(hall); err != nil {
		t.Fatal(err)
	}
	var got []moothall.AuditAction
	for e, err := range daemon.ShowAudit(t.Context(), h, daemon.AuditFilter{By: moothall.Hall}, false) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Action)
	}
	if len(got) != 2 || got[0] != moothall.ActionHallStart || got[1] != moothall.ActionHallStop {
		t.Errorf("the record says %v", got)
	}
	report, err := daemon.VerifyAudit(t.Context(), h, nil, "")
	if err != nil || !report.OK || report.Signed != report.Entries {
		t.Errorf("after a stop: %+v, %v", report, err)
	}
}

// TestFailedStartLeavesNothing checks that what was started is stopped again.
func TestFailedStartLeavesNothing(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	if err := os.WriteFile(h.Database(), []byte("this is no database, and must not be taken for one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: config()}); err == nil {
		t.Fatal("a foreign database was accepted")
	}
	if _, ok := daemon.Running(h); ok {
		t.Error("the home is still held")
	}
	if err := os.Remove(h.Database()); err != nil {
		t.Fatal(err)
	}
	open(t, h, config())
}

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	id := say(t, hall, "remember me")
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, err := daemon.BackupTo(t.Context(), client, file, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a backup holds keys, its mode is %v, %v", info.Mode(), err)
	}
	h2 := home(t.TempDir())
	if _, err := daemon.Restore(t.Context(), h2, file, false); err != nil {
		t.Fatal(err)
	}
	again := open(t, h2, config())
	if e, err := again.At(t.Context(), 2); err != nil || e.ID != id {
		t.Errorf("the restored bus has %v, %v", e.ID, err)
	}
	report, err := daemon.VerifyAudit(t.Context(), h2, nil, "")
	if err != nil || !report.OK {
		t.Errorf("the restored record: %+v, %v", report, err)
	}
}

// TestDamagedBackupIsRefused flips and cuts at many places.
func TestDamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if _, err := daemon.BackupTo(t.Context(), client, good, nil); err != nil {
		t.Fatal(err)
	}
	_ = hall
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad")
	for i := range 25 {
		at := 10 + (len(whole)-10)*i/25 // gzip's own header has bits that mean nothing
		flipped := bytes.Clone(whole)
		flipped[at] ^= 0x10
		for name, data := range map[string][]byte{"flipped": flipped, "cut": whole[:at]} {
			if err := os.WriteFile(bad, data, 0o600); err != nil {
				t.Fatal(err)
			}
			// A reference into a run of equal bytes can change and still
			// stand for the same content: that is no damage.
			if _, err := daemon.CheckBackup(t.Context(), bad); err == nil && !bytes.Equal(unzip(data), unzip(whole)) {
				t.Errorf("%s at %d of %d: accepted", name, at, len(whole))
			}
		}
	}
}

// unzip returns what a gzip holds; nil when it is damaged.
func unzip(data []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return out
}

func TestOllamaURL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "http://127.0.0.1:11434", "box": "http://box:11434", "box:1": "http://box:1", "0.0.0.0": "http://127.0.0.1:11434",
		"0.0.0.0:99": "http://127.0.0.1:99", "https://box:443/": "https://box:443", "::1": "http://[::1]:11434",
		"https://box": "https://box:443", "http://box/": "http://box:80", "https://box/ollama/": "https://box:443/ollama", "box/ollama": "http://box:11434/ollama",
		"http://[::1]": "http://[::1]:80", " box ": "http://box:11434", "http://box:1": "http://box:1",
	} {
		if got := daemon.OllamaURL(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestDoctorSeesTheConfiguration(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	findings := daemon.Doctor(t.Context(), daemon.Examination{
		Home: h, Config: config(), ConfErr: errors.New("line 3 is odd"), File: h.ConfigFile(), Env: func(string) string { return "" },
	})
	seen := map[string]string{}
	for _, f := range findings {
		seen[f.Check] = f.Status
		if f.Status != "ok" && f.Status != "info" && f.Remedy == "" {
			t.Errorf("%s says %s and no remedy", f.Check, f.Status)
		}
	}
	for _, check := range []string{"configuration", "home", "disk", "hall", "record", "database", "port", "model server", "sandbox", "keyring", "search"} {
		if seen[check] == "" {
			t.Errorf("the doctor does not look at %s", check)
		}
	}
	if seen["configuration"] != "fail" {
		t.Errorf("a bad configuration is %q", seen["configuration"])
	}
	if entries, err := os.ReadDir(h.Data); err != nil || len(entries) != 0 {
		t.Errorf("the doctor left %v, %v", entries, err)
	}
}

// FuzzConfig gives the whole configuration anything at all: it loads or is
// refused with a place, and what loads can be shown and loaded again.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("front:\n  port: 9000\n"))
	f.Add([]byte("services:\n  audit:\n    at: unix:/x\n    listen: [h2c://127.0.0.1:1]\n"))
	f.Add([]byte("peers:\n  uids: {broker: [1, 2]}\nbus:\n  max_age: 2d\n"))
	f.Add([]byte("front: {listen: nowhere}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg := daemon.DefaultConfig()
		origins, err := conf.Load(&cfg, conf.Sources{File: "f", Data: data})
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		var text bytes.Buffer
		if err := conf.Show(&text, cfg, origins, false); err != nil {
			t.Fatal(err)
		}
		again := daemon.DefaultConfig()
		if _, err := conf.Load(&again, conf.Sources{File: "again", Data: text.Bytes()}); err != nil {
			t.Fatalf("what was shown does not load: %v\n%s", err, text.Bytes())
		}
	})
}

// TestConnectWaitsItsTurn has several commands open one home at once: each
// gets it, one after the other.
func TestConnectWaitsItsTurn(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := client.Health(t.Context()); err != nil {
				t.Error(err)
			}
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// reader is told of every line that is logged.
type reader func(line string)

func (f reader) Write(b []byte) (int, error) {
	f(string(b))
	return len(b), nil
}

// TestConnectNamesWhoHolds: who waits for another command is told for which, and
// what would let both of them work at once.
func TestConnectNamesWhoHolds(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: config(), What: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopped(t, hall) })
	ctx, tired := context.WithCancel(t.Context())
	var said string
	log := slog.New(slog.NewTextHandler(reader(func(line string) { said += line; tired() }), nil))
	_, err = daemon.Connect(ctx, h, config(), "ask", log)
	if moothall.ErrorCode(err) != moothall.CodeConflict || !strings.Contains(err.Error(), "moothall chat") || !strings.Contains(moothall.ErrorRemedy(err), "moothall up") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(said, "command=chat") {
		t.Errorf("said %q", said)
	}
}

// TestConnectToAHallThatDoesNotAnswer gives up with a reason when its own
// time is over.
func TestConnectToAHallThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	open(t, h, config()) // holds the home, has no socket
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := daemon.Connect(ctx, h, config(), "test", nil)
	if moothall.ErrorCode(err) != moothall.CodeUnavailable || moothall.ErrorRemedy(err) == "" {
		t.Errorf("got %v", err)
	}
}
