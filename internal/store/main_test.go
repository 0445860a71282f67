package store_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/store"
)

// childVar names the scenario that a re-executed test binary plays.
const childVar = "STORE_TEST_CHILD"

// scenarios are the parts that another process plays in a test.
func scenarios() map[string]func(args []string) error {
	all := map[string]func([]string) error{
		"commit":  commitForever,
		"migrate": migrateSlowly,
	}
	maps.Copy(all, systemScenarios())
	return all
}

func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		if err := scenarios()[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	store.OwnLocks()
	goleak.VerifyTestMain(m)
}

// child prepares another process that plays a scenario.
func child(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), childVar+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}
