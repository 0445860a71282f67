package sandbox_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/tool/sandbox"
)

// patience is how long anything may take on a machine that is busy with
// something else. Nothing waits that long when all is well.
const patience = 2 * time.Minute

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
	var s *sandbox.Sandbox
	for end := time.Now().Add(patience); s == nil || s.Hasty() && time.Now().Before(end); {
		var err error
		if s, err = sandbox.Open(t.Context(), options(l)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if err := s.Ready(t.Context()); err == nil {
			return s
		}
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

// cutOff runs a script that does not end by itself, with ever more time until it
// has begun when its time is over: how long a cage takes to come up is the
// machine's business. It returns the time that it had at last.
func cutOff(ctx context.Context, s *sandbox.Sandbox, text string, l sandbox.Limits) (res sandbox.Result, wall time.Duration, err error) {
	for ; l.Wall < patience; l.Wall *= 2 {
		c := script("echo begun; " + text)
		c.Limits = l
		res, err = s.Run(ctx, c)
		if moothall.ErrorCode(err) != moothall.CodeTimeout && (err != nil || !res.TimedOut || len(res.Stdout) > 0) {
			break
		}
	}
	return res, l.Wall, err
}

func run(t *testing.T, s *sandbox.Sandbox, c sandbox.Command) sandbox.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	res, err := s.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
