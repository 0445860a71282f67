package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// turn is one utterance of a dialogue.
type turn struct {
	Sample  string `json:"sample"`
	ID      string `json:"dia_id"`
	Session int    `json:"session"`
	Date    string `json:"date"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// query is a question with the turns that answer it.
type query struct {
	Sample   string   `json:"sample"`
	Question string   `json:"question"`
	Category string   `json:"category_name"`
	Evidence []string `json:"evidence"`
}

// dialogue is what one index is made of.
type dialogue struct {
	turns   []turn
	queries []query
}

// load reads the folder of cases, dialogue by dialogue in order.
func load(dir string) ([]*dialogue, error) {
	turns, err := lines[turn](filepath.Join(dir, "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := lines[query](filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []*dialogue
	by := map[string]*dialogue{}
	for _, t := range turns {
		if by[t.Sample] == nil {
			by[t.Sample] = &dialogue{}
			out = append(out, by[t.Sample])
		}
		by[t.Sample].turns = append(by[t.Sample].turns, t)
	}
	for _, q := range queries {
		d := by[q.Sample]
		if d == nil {
			return nil, fmt.Errorf("a question about the unknown dialogue %q", q.Sample)
		}
		if len(q.Evidence) > 0 {
			d.queries = append(d.queries, q)
		}
	}
	return out, nil
}

func lines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, v)
	}
	return out, s.Err()
}
