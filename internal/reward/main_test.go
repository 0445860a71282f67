package reward_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also plays the process that is killed in the middle of its work.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "be-killed" {
		if err := beKilled(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}
