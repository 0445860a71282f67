package daemon_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// TestRestoreCutOff ends a restore before each of its moves in turn, as a power cut
// would, and the repair too: who takes the home next finds it as it was.
func TestRestoreCutOff(t *testing.T) { // not parallel: see SetRename
	for name, at := range map[string]func(string) daemon.Home{"one folder": home, "three folders": apart} {
		t.Run(name, func(t *testing.T) {
			h := at(t.TempDir())
			hall := serve(t, h, config())
			lays(t, map[string]string{h.MCP(): `{"mcpServers":{}}`})
			file, _ := backedUp(t, h)
			if err := hall.Shutdown(); err != nil {
				t.Fatal(err)
			}
			again := at(t.TempDir())
			if err := open(t, again, config()).Shutdown(); err != nil {
				t.Fatal(err)
			}
			want := leftBehind(again, "the second")
			lays(t, want)
			before := listed(t, again)
			moves := 1
			for cutOff(t, moves, func() error { _, err := daemon.Restore(t.Context(), again, file, true); return err }) {
				lays(t, map[string]string{filepath.Join(again.Data, ".restore-1", "data", "x"): "of the backup", filepath.Join(again.State, ".backup-1", "x"): "of a backup"})
				if takes := func() error { return lock(again) }; cutOff(t, 1+moves%5, takes) && cutOff(t, math.MaxInt, takes) {
					t.Fatal("cut off where nothing is")
				}
				delete(before, again.Lock()) // it names another holder
				after := listed(t, again)
				delete(after, again.Lock())
				if diff := cmp.Diff(before, after); diff != "" {
					t.Fatalf("after %d moves the home (-before +after):\n%s", moves-1, diff)
				}
				if diff := cmp.Diff(want, reads(t, slices.Collect(maps.Keys(want)))); diff != "" {
					t.Fatalf("after %d moves its files (-before +after):\n%s", moves-1, diff)
				}
				moves++
				if moottest.Race {
					moves += 4
				}
			}
			if moves < 10 {
				t.Errorf("the restore took %d moves: this tries too little", moves-1)
			}
			if err := open(t, again, config()).Shutdown(); err != nil {
				t.Errorf("the restored home: %v", err)
			}
		})
	}
}

// lock takes the home and leaves it. The first time after a restore that was cut off
// it says so.
func lock(h daemon.Home) error {
	hall, err := daemon.Open(context.Background(), daemon.Options{Home: h, Config: config(), Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		return errors.Join(hall.Shutdown(), errors.New("nobody said that a restore was cut off"))
	}
	if moothall.ErrorCode(err) == moothall.CodeInterrupted {
		return nil
	}
	return err
}

// cutOff does something that ends at its nth move, and reports whether it came so far.
func cutOff(t *testing.T, n int, do func() error) (cut bool) {
	t.Helper()
	type powerCut struct{}
	defer daemon.SetRename(func(from, to string) error {
		if n--; n == 0 {
			panic(powerCut{})
		}
		return os.Rename(from, to)
	})()
	defer func() {
		if r := recover(); r != nil {
			if _, cut = r.(powerCut); !cut {
				panic(r)
			}
		}
	}()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	return false
}
