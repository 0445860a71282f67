//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/sandbox"
)

// TestSelfTestCatches breaks the cage on purpose. Each break must be seen, by
// the probe that is meant for it, and must disable the sandbox.
func TestSelfTestCatches(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		level  sandbox.Level
		spoil  func(*sandbox.Plan)
		probes []string
	}{
		"network shared":   {sandbox.Bubblewrap, (*sandbox.Plan).ShareNetwork, []string{"tcp", "udp", "unix socket", "abstract socket"}},
		"environment kept": {sandbox.Bubblewrap, (*sandbox.Plan).KeepEnvironment, []string{"environment"}},
		"all mounted":      {sandbox.Bubblewrap, (*sandbox.Plan).MountAll, []string{"read outside", "write outside", "symlink out", "change mode outside"}},
		"nothing hidden":   {sandbox.Bubblewrap, (*sandbox.Plan).Uncover, []string{"hidden folder"}},
		"hidden can move":  {sandbox.Bubblewrap, (*sandbox.Plan).Unpin, []string{"hidden folder"}},
		"no limits":        {sandbox.Bubblewrap, (*sandbox.Plan).Unlimited, []string{"fork past the limit", "1 GiB file"}},
		"no limits either": {sandbox.Landlock, (*sandbox.Plan).Unlimited, []string{"fork past the limit", "1 GiB file"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cage(t, tc.level) // skips where the level is missing
			s, err := sandbox.OpenSpoiled(t.Context(), options(tc.level), tc.spoil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Ready(t.Context()); moothall.ErrorCode(err) != moothall.CodeUnsupported {
				t.Fatalf("a broken cage is ready: %v", err)
			}
			if s.Level() != sandbox.None {
				t.Errorf("level %s", s.Level())
			}
			var broken []string
			for _, p := range s.Report().Broken() {
				broken = append(broken, p.Name)
			}
			for _, want := range tc.probes {
				if !slices.Contains(broken, want) || !strings.Contains(s.Why(), want) {
					t.Errorf("%q was not caught: %s", want, s.Why())
				}
			}
			if _, err := s.Run(t.Context(), script("true")); err == nil {
				t.Error("a disabled sandbox runs commands")
			}
		})
	}
}

// TestNoLevel is a machine with nothing to build a cage from.
func TestNoLevel(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "helper")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]sandbox.Options{
		"bubblewrap fails":       {Helper: options().Helper, Bubblewrap: "/bin/false", Levels: []sandbox.Level{sandbox.Bubblewrap}},
		"bubblewrap is no such":  {Helper: options().Helper, Bubblewrap: "/no/such/bwrap", Levels: []sandbox.Level{sandbox.Bubblewrap}},
		"helper crashes":         {Helper: []string{broken}, Levels: []sandbox.Level{sandbox.Landlock}},
		"helper knows no probes": {Helper: []string{broken}},
		"unknown level":          {Helper: options().Helper, Levels: []sandbox.Level{"hope"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := sandbox.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			err = s.Ready(t.Context())
			if moothall.ErrorCode(err) != moothall.CodeUnsupported || moothall.ErrorRemedy(err) == "" || s.Level() != sandbox.None {
				t.Errorf("level %s, %v", s.Level(), err)
			}
			t.Log(s.Why())
			if s.Hasty() {
				t.Error("it is said that the machine was too busy")
			}
			if _, err := s.Start(t.Context(), script("true")); moothall.ErrorCode(err) != moothall.CodeUnsupported {
				t.Errorf("it starts commands: %v", err)
			}
		})
	}
}

// TestCutOffSelfTest is not taken for a cage that cannot be built.
func TestCutOffSelfTest(t *testing.T) {
	t.Parallel()
	killed := filepath.Join(t.TempDir(), "killed")
	if err := os.WriteFile(killed, []byte("#!/bin/sh\nkill -9 $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cage(t, sandbox.Bubblewrap)
	s, err := sandbox.Open(t.Context(), sandbox.Options{Helper: []string{killed}, Levels: []sandbox.Level{sandbox.Bubblewrap}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ready(t.Context()); moothall.ErrorCode(err) != moothall.CodeUnavailable || !s.Hasty() || s.Level() != sandbox.None {
		t.Errorf("level %s, hasty %t, %v", s.Level(), s.Hasty(), err)
	}
}

// TestSecondLevel falls back when bubblewrap cannot start, and says why.
func TestSecondLevel(t *testing.T) {
	t.Parallel()
	cage(t, sandbox.Landlock)
	o := options()
	o.Bubblewrap = "/bin/false"
	s, err := sandbox.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ready(t.Context()); err != nil || s.Level() != sandbox.Landlock || !strings.Contains(s.Why(), "bubblewrap") {
		t.Errorf("level %s, %q, %v", s.Level(), s.Why(), err)
	}
}

func TestReadyEndsWithContext(t *testing.T) {
	t.Parallel()
	s, err := sandbox.Open(t.Context(), options())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ready(ctx); err != nil && moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestHelperRefusesOtherWords(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"serve"}, {"exec", "more"}} {
		if got := sandbox.Main(args); got != 125 {
			t.Errorf("%q: status %d", args, got)
		}
	}
}
