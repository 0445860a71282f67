package critic_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// childVar makes the re-executed test binary the process that is killed.
const childVar = "CRITIC_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		if err := beKilled(dir); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
