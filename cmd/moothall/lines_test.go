package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
)

const forged = "x\n   999  2026-01-31 10:00:00.000  person     forged\tby a name"

// TestOneLineEach: no name that somebody else chose begins a line of its own
// where each thing has one.
func TestOneLineEach(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	a := &app{out: &out}
	if err := printEntry(&out, daemon.AuditLine{Tool: forged, Note: forged}); err != nil {
		t.Fatal(err)
	}
	a.printSessions([]moothall.Session{{ID: "s", Title: forged}})
	if err := a.printChanges([]daemon.FileChange{{ID: "1", Path: forged, When: time.Now()}}, false); err != nil {
		t.Fatal(err)
	}
	if err := a.printApprovals([]moothall.Approval{{ID: "1", Tool: forged, Arguments: []byte("{\"a\":\n1}"), Answer: "once"}}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(strings.TrimSpace(line), "999") || strings.HasPrefix(line, "1}") {
			t.Errorf("a line that nobody wrote:\n%s", out.String())
		}
	}
	if strings.Contains(out.String(), "forged\tby") || !strings.Contains(out.String(), `x\n   999`) {
		t.Errorf("%q", out.String())
	}
}
