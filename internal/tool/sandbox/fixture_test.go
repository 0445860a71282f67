package sandbox_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"moothall/internal/tool/sandbox"
)

func options(levels ...sandbox.Level) sandbox.Options {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return sandbox.Options{Helper: []string{self, helperWord}, Levels: levels}
}

// cage opens one level. A machine without it skips; where everything must be
// there, it fails. A level that is there and does not hold always fails.
func cage(t testing.TB, l sandbox.Level) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Open(t.Context(), options(l))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Ready(t.Context()); err == nil {
		return s
	}
	if strings.Contains(s.Why(), "does not hold") || os.Getenv("CI") != "" {
		t.Fatal(s.Why())
	}
	t.Skip("this machine has no such level: " + s.Why())
	return nil
}

// eachLevel runs a test at every level.
func eachLevel(t *testing.T, test func(t *testing.T, s *sandbox.Sandbox)) {
	t.Parallel()
	for _, l := range []sandbox.Level{sandbox.Bubblewrap, sandbox.Landlock} {
		t.Run(string(l), func(t *testing.T) {
			t.Parallel()
			test(t, cage(t, l))
		})
	}
}

// script is a shell command whose text travels on standard input.
func script(text string, writes ...string) sandbox.Command {
	return sandbox.Command{Argv: []string{"sh"}, Stdin: strings.NewReader(text), Writes: writes}
}

func run(t *testing.T, s *sandbox.Sandbox, c sandbox.Command) sandbox.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	res, err := s.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
