package audit_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The test binary starts itself as another process where a test needs one to
// kill or to confine. The variable says as what.
const childVar = "AUDIT_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVar) {
	case "append":
		childAppend()
	case "full-tmpfs":
		childFullTmpfs()
	case "full-rlimit":
		childFullRlimit()
	default:
		goleak.VerifyTestMain(m)
	}
}
