package memory_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/moottest"
)

// cases is where measured data lies, beside the checkout.
const cases = "../../../shared/cases/locomo-dev"

type locomoTurn struct {
	Sample  string `json:"sample"`
	ID      string `json:"dia_id"`
	Date    string `json:"date"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"image_caption"`
}

type locomoQuery struct {
	Sample   string   `json:"sample"`
	Question string   `json:"question"`
	Category string   `json:"category_name"`
	Evidence []string `json:"evidence"`
}

func readCases[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(cases, name))
	if os.IsNotExist(err) {
		t.Skip("the dialogues to measure with are not beside the checkout")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func importTurns(t testing.TB, m *memory.Service, turns []locomoTurn) {
	t.Helper()
	var file bytes.Buffer
	for _, u := range turns {
		text := u.Text
		if u.Caption != "" {
			text += " [" + u.Caption + "]"
		}
		b, err := json.Marshal(map[string]any{"id": u.Sample + "/" + u.ID, "text": text, "speaker": u.Speaker, "time": u.Date, "thread": u.Sample})
		if err != nil {
			t.Fatal(err)
		}
		file.Write(append(b, '\n'))
	}
	if got, err := m.Import(t.Context(), moothall.Person, &file, memory.ImportOptions{}); err != nil || got.Stored != int64(len(turns)) {
		t.Fatalf("imported %+v, %v", got, err)
	}
}

// recallAt is the share of evidence among the first k, by category.
type recallAt map[string]map[int][]float64

func (r recallAt) add(category string, k int, v float64) {
	for _, c := range []string{category, "all"} {
		if r[c] == nil {
			r[c] = map[int][]float64{}
		}
		r[c][k] = append(r[c][k], v)
	}
}

func (r recallAt) mean(category string, k int) float64 {
	sum := 0.0
	for _, v := range r[category][k] {
		sum += v
	}
	return 100 * sum / float64(max(len(r[category][k]), 1))
}

func askAll(t testing.TB, m *memory.Service, queries []locomoQuery, mode string) recallAt {
	t.Helper()
	mine := m.For(moothall.Person)
	out := recallAt{}
	for _, q := range queries {
		if len(q.Evidence) == 0 {
			continue
		}
		var found []string
		for r, err := range mine.Recall(t.Context(), moothall.MemoryQuery{Text: q.Question, Thread: q.Sample, Results: 20, TopK: 20, Mode: mode}) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, string(r.Entry.ID))
		}
		for _, k := range []int{5, 10, 20} {
			hits := 0
			for _, e := range q.Evidence {
				if slices.Contains(found[:min(k, len(found))], q.Sample+"/"+e) {
					hits++
				}
			}
			out.add(q.Category, k, float64(hits)/float64(len(q.Evidence)))
		}
	}
	return out
}

// TestLocomo measures how much of what answers a question is among the first
// results, over long dialogues that are not ours and not part of the project.
func TestLocomo(t *testing.T) {
	if moottest.Race {
		t.Skip("quality does not depend on the race detector; run without it")
	}
	turns, queries := readCases[locomoTurn](t, "turns.jsonl"), readCases[locomoQuery](t, "queries.jsonl")
	m := openMemory(t)
	importTurns(t, m, turns)
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused, memory.ModeAuto} {
		got := askAll(t, m, queries, mode)
		for _, c := range slices.Sorted(maps.Keys(got)) {
			t.Logf("%-7s %-12s recall@5 %5.1f  @10 %5.1f  @20 %5.1f", mode, c, got.mean(c, 5), got.mean(c, 10), got.mean(c, 20))
		}
		if r := got.mean("all", 10); mode != memory.ModeStaged && r < 72 {
			t.Errorf("%s: recall@10 is %.1f, want 72 or more", mode, r)
		}
	}
}
