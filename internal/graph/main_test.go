package graph_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// childVar makes the test binary the process that a test kills.
const (
	childVar  = "GRAPH_TEST_CHILD" // on this store
	childWork = "GRAPH_TEST_WORK"  // what it does there
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childVar); path != "" {
		if os.Getenv(childWork) == "migrate" {
			childMigrate(path)
		}
		childAssert(path)
		return
	}
	goleak.VerifyTestMain(m)
}
