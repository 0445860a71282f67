package daemon_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/daemon"
)

// childVar makes the test binary play a part in another process: the part's
// name, then its arguments, separated by newlines.
const childVar = "MOOTHALL_TEST_PART"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == daemon.HelperCommand {
		os.Exit(daemon.SandboxHelper(os.Args[2:]))
	}
	if part := os.Getenv(childVar); part != "" {
		os.Unsetenv(childVar)
		args := strings.Split(part, "\n")
		if err := parts()[args[0]](args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child returns the command that plays a part.
func child(t *testing.T, part string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+strings.Join(append([]string{part}, args...), "\n"))
	cmd.Stderr = os.Stderr
	return cmd
}

// config is a configuration for tests: a free port, a quiet log.
func config() daemon.Config {
	c := daemon.DefaultConfig()
	c.Front.Port = 0
	c.Models.Ollama.URL = "http://127.0.0.1:1" // nobody is there: the built-in model answers
	c.Models.Builtin = "rules"                 // with rules, which always answer alike
	c.Memory.Model = false                     // its calls would come between those of a script,
	c.Critic.Enabled = false                   // and so would the critic's
	return c
}

// home is a home in one folder.
func home(dir string) daemon.Home {
	h, err := daemon.FindHome(dir, func(string) string { return "" })
	if err != nil {
		panic(err) // a folder was given
	}
	return h
}

// open starts a hall and stops it with the test.
func open(t *testing.T, h daemon.Home, c daemon.Config) *daemon.Hall {
	t.Helper()
	hall, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: c, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hall.Shutdown(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return hall
}

// serve starts a hall with its faces.
func serve(t *testing.T, h daemon.Home, c daemon.Config) *daemon.Hall {
	t.Helper()
	hall := open(t, h, c)
	if err := hall.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	return hall
}

// openChild is open for a part in another process.
func openChild(dir string) (*daemon.Hall, error) {
	return daemon.Open(context.Background(), daemon.Options{Home: home(dir), Config: config()})
}
