package daemon_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// TestEndThatTheRecordLost takes the power away after an answer was kept and
// before the end of its turn was on record: nobody has seen that answer. After
// the next start its receipt names entries that are there, the end among them.
func TestEndThatTheRecordLost(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, model := scripted(t, h, config())
	model.Script(says("It is 42."))
	client := join(t, h)
	a := asks(t, client, moothall.QueryRequest{Session: "s", Query: "How much is 6*7?"})
	told(t, client, moothall.SubjectAnswerDialog, a.Query, "A")
	client.Close()
	stopped(t, hall)
	cutRecord(t, h.Audit(), a.Receipt.AuditLast-1) // the outcome, the end, and all after them
	untold(t, h.Database(), a.Query)

	c := config()
	c.Models.Ollama.URL = model.URL
	serve(t, h, c)
	client = join(t, h)
	d, err := client.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 1 || len(d.Asked[0].Answers) != 1 || d.Asked[0].State != "done" {
		t.Fatalf("%+v, %v", d.Asked, err)
	}
	r := d.Asked[0].Answers[0].Receipt
	if d.Asked[0].Answers[0].Text != a.Text || r.AuditFirst != a.Receipt.AuditFirst || r.AuditLast <= r.AuditFirst {
		t.Errorf("answer %+v", d.Asked[0].Answers[0])
	}
	statuses := map[moothall.AuditAction]int{}
	for _, e := range audited(t, h, r.AuditFirst, r.AuditLast) {
		if e.Query == a.Query && e.Status == moothall.StatusOK && e.Note != "" && e.Run != "" {
			statuses[e.Action]++
		}
	}
	if statuses[moothall.ActionModelCall] != 1 || statuses[moothall.ActionRunEnd] != 1 {
		t.Errorf("between %d and %d: %v", r.AuditFirst, r.AuditLast, statuses)
	}
	if report, err := daemon.VerifyAudit(t.Context(), h, nil, ""); err != nil || !report.OK {
		t.Errorf("%+v, %v", report, err)
	}
}

// cutRecord leaves n entries of a record, and the heads that cover no more: what
// a disk may have of it when the power goes.
func cutRecord(t *testing.T, dir string, n uint64) {
	t.Helper()
	cut := func(name, end string, keep func(part string) bool) {
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for part := range strings.SplitAfterSeq(string(text), end) {
			if part == "" || !keep(part) {
				break
			}
			out.WriteString(part)
		}
		if out.Len() == len(text) {
			t.Fatalf("nothing of %s was cut", name)
		}
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cut("log", "\n", func(line string) bool {
		index, err := strconv.ParseUint(strings.Fields(line)[0], 10, 64)
		return err == nil && index < n
	})
	cut("heads", "---\n", func(head string) bool {
		size, err := strconv.ParseUint(strings.Split(head, "\n")[1], 10, 64)
		return err == nil && size <= n
	})
}
