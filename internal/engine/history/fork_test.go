package history_test

import (
	"testing"

	"moothall/internal/engine/history"
)

func TestFork(t *testing.T) {
	t.Parallel()
	var m history.Meter
	if m.Ratio("a") != 0 || m.Fork("a").Ratio("a") != 0 {
		t.Error("a meter knows a ratio that nobody measured")
	}
	m.Observe("a", 400, 100)
	f := m.Fork("a")
	if f.Ratio("a") != 4 {
		t.Errorf("the fork begins with %v", f.Ratio("a"))
	}
	m.Observe("a", 600, 100) // somebody else's run
	if f.Ratio("a") != 4 {
		t.Errorf("the fork follows others: %v", f.Ratio("a"))
	}
	before := m.Ratio("a")
	f.Observe("a", 200, 100)
	if f.Ratio("a") >= 4 || m.Ratio("a") >= before {
		t.Errorf("a measurement of the fork: it has %v, its parent %v", f.Ratio("a"), m.Ratio("a"))
	}
}
