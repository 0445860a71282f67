package reward_test

import (
	"testing"

	"moothall/internal/moottest/killtest"
)

// TestMain also plays the process that is killed in the middle of its work.
func TestMain(m *testing.M) { killtest.Main(m, beKilled) }
