// Package peer is the part that all contestants share: it makes the data,
// fills the store, and answers queries when the parent says so.
package peer

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"moothall/bench/vector/data"
)

// Store is a contestant. Ids are the places of the rows.
type Store interface {
	// Fill takes all rows.
	Fill(rows [][]float32) error
	// Nearest returns the ids of the k nearest.
	Nearest(q []float32, k int) ([]int, error)
}

// Ready is what a contestant says first, as a line of JSON.
type Ready struct {
	BuildSeconds float64
}

// Answer is what it says for each line it reads: one pass over some queries.
type Answer struct {
	Millis []float64
	IDs    [][]int
}

// Job is a line that the parent sends: which queries to answer.
type Job struct{ From, To int }

// Main runs a contestant. open gets a folder for its files.
func Main(open func(dir string, dim int) (Store, error)) {
	if err := run(open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(open func(dir string, dim int) (Store, error)) error {
	rows := flag.Int("rows", 100_000, "vectors")
	dim := flag.Int("dim", 768, "dimensions")
	queries := flag.Int("queries", 40, "queries that there are")
	k := flag.Int("k", 20, "results")
	dir := flag.String("dir", ".", "folder for files")
	flag.Parse()
	set := data.Set{Rows: *rows, Dim: *dim}
	s, err := open(*dir, *dim)
	if err != nil {
		return err
	}
	vectors := set.Vectors()
	start := time.Now()
	if err := s.Fill(vectors); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(Ready{time.Since(start).Seconds()}); err != nil {
		return err
	}
	return serve(s, set.Queries(*queries), *k, out)
}

func serve(s Store, queries [][]float32, k int, out *json.Encoder) error {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var job Job
		if err := json.Unmarshal(in.Bytes(), &job); err != nil {
			return err
		}
		var a Answer
		for _, q := range queries[job.From:job.To] {
			start := time.Now()
			ids, err := s.Nearest(q, k)
			if err != nil {
				return err
			}
			a.Millis = append(a.Millis, time.Since(start).Seconds()*1000)
			a.IDs = append(a.IDs, ids)
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return in.Err()
}
