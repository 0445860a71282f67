package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const turns = `{"sample":"a","dia_id":"D1:1","session":1,"date":"1 May 2020","speaker":"Ana","text":"Which boat did you buy?"}
{"sample":"a","dia_id":"D1:2","session":1,"date":"1 May 2020","speaker":"Bo","text":"The green one, for my father."}
{"sample":"a","dia_id":"D2:1","session":2,"date":"3 May 2020","speaker":"Ana","text":"It rains."}
{"sample":"a","dia_id":"D2:2","session":2,"date":"3 May 2020","speaker":"Bo","text":"It does."}
`

const queries = `{"sample":"a","question":"What boat was bought?","category_name":"single-hop","evidence":["D1:2"]}
{"sample":"a","question":"Unanswerable","category_name":"adversarial","evidence":[]}
`

// small writes a folder of two tiny files.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"turns.jsonl": turns, "queries.jsonl": queries} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRun(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run([]string{"-cases", small(t)}, &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != len(modes())+2 {
		t.Errorf("%d lines for %d modes:\n%s", got, len(modes()), out.String())
	}
	if err := run(nil, &out); err == nil {
		t.Error("ran without cases")
	}
}

func TestNeighboursBringTheAnswer(t *testing.T) {
	t.Parallel()
	ds, err := load(small(t))
	if err != nil {
		t.Fatal(err)
	}
	d := ds[0]
	if len(d.queries) != 1 {
		t.Fatalf("%d questions with evidence, want 1", len(d.queries))
	}
	for _, c := range []struct {
		s    shape
		want float64
	}{{shape{}, 0}, {shape{near: []float64{0.5}}, 1}} {
		scores := lexical(plain, c.s)(d)("boat")
		if got := scores[1]; (got > 0) != (c.want > 0) {
			t.Errorf("%v: the answer scores %f", c.s, got)
		}
		if scores[2] != 0 {
			t.Error("a neighbour reached over the end of a session")
		}
	}
}

func TestBM25(t *testing.T) {
	t.Parallel()
	x := newBM25(1.5, 0.75, plain, [][]field{{{"red boat", 1}}, {{"red", 1}, {"sea", 1}}})
	got := x.scores("boat")
	if want := math.Log(2); math.Abs(got[0]-want) > 1e-9 || got[1] != 0 {
		t.Errorf("got %v, want [%f 0]", got, want)
	}
}
