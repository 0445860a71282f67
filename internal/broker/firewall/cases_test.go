package firewall_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moothall/internal/broker/firewall"
)

// caseRow is a line of the public cases, which lie beside the checkout and
// are not part of it.
type caseRow struct {
	Source, Label, Text string
}

func readCases(t *testing.T) []caseRow {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "cases", "injection-dev.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the public injection cases are not beside this checkout; the tables of this package are tested without them")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []caseRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row caseRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows
}

// TestPublicCases reports detection and false alarms by source and keeps the
// budget: at most one false alarm in a hundred, for every source by itself.
func TestPublicCases(t *testing.T) {
	t.Parallel()
	type tally struct{ rows, found int }
	tallies := map[string]*tally{}
	for _, row := range readCases(t) {
		key := row.Label + " " + row.Source
		if tallies[key] == nil {
			tallies[key] = &tally{}
		}
		tallies[key].rows++
		report := firewall.Scan(row.Text)
		if len(report.Findings) == 0 {
			continue
		}
		tallies[key].found++
		if row.Label == "benign" {
			t.Logf("false alarm in %s: %+v", row.Source, report)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(tallies)) {
		c := tallies[key]
		t.Logf("%-36s %3d of %3d  %5.1f %%", key, c.found, c.rows, 100*float64(c.found)/float64(c.rows))
		if key[:6] == "benign" && c.found*100 > c.rows {
			t.Errorf("%s: %d false alarms in %d texts, the budget is 1 %%", key, c.found, c.rows)
		}
	}
}
