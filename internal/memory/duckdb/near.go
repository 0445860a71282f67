//go:build duckdb

package duckdb

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"moothall"
	"moothall/internal/memory"
)

// Field is one of an entry's three vectors.
type Field string

// The fields.
const (
	ByName        Field = "name"
	ByDescription Field = "description"
	ByCorpus      Field = "corpus"
)

// near is the copy of vectors in memory that DuckDB compares.
type near struct {
	hnsw bool // the vss extension is loaded

	build sync.Mutex // held while a copy is made or brought up to date; taken before mu

	mu     sync.Mutex
	made   int
	tables map[string]*nearTable // by embedder
}

// nearTable is the copy for one embedder.
type nearTable struct {
	name   string
	d      int
	filled bool
	behind map[uint64]struct{} // places that changed since
}

// Nearness says how [Engine.Nearest] works here: "hnsw" or "exact".
func (e *Engine) Nearness() string {
	if e.near.hnsw {
		return "hnsw"
	}
	return "exact"
}

// stale notes places whose vectors changed.
func (s *near) stale(ns []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tables {
		for _, n := range ns {
			t.behind[n] = struct{}{}
		}
	}
}

// forget leaves the copy of an embedder; the next question makes a new one.
func (s *near) forget(embedder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, embedder)
}

// table returns the copy of an embedder with what it lacks.
func (s *near) table(embedder string, d int) (t *nearTable, behind []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t = s.tables[embedder]
	if t == nil || t.d != d {
		s.made++
		t = &nearTable{name: "v" + strconv.Itoa(s.made), d: d, behind: map[uint64]struct{}{}}
		s.tables[embedder] = t
	}
	behind = slices.Sorted(maps.Keys(t.behind))
	clear(t.behind)
	return t, behind
}

// Nearest returns the entries whose vectors are nearest to the given one by
// cosine, best first; the score is the cosine. It is exact unless Nearness is
// "hnsw". Vectors of another length are left out. The first call copies the
// embedder's vectors into memory.
func (e *Engine) Nearest(ctx context.Context, embedder string, by Field, v []float32, k int) ([]memory.Match, error) {
	if by != ByName && by != ByDescription && by != ByCorpus || len(v) == 0 || slices.ContainsFunc(v, notFinite) {
		return nil, moothall.Fail(moothall.CodeInvalid, "find nearest", "the question is no vector of numbers, or its field is unknown")
	}
	if k <= 0 {
		return nil, nil
	}
	t, err := e.current(ctx, embedder, len(v))
	if err != nil {
		return nil, failure("copy vectors", err)
	}
	query := fmt.Sprintf(`SELECT n, array_cosine_distance(%s, %s) AS distance FROM near.%s ORDER BY distance LIMIT %d`, by, literal(v), t.name, k)
	list, err := collect(stream(ctx, e, scanMatch, query))
	var out []memory.Match
	for _, m := range list {
		if m.Score = 1 - m.Score; !math.IsNaN(m.Score) { // a vector of zeros is near to nothing
			out = append(out, m)
		}
	}
	return out, err
}

func notFinite(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) }

func literal(v []float32) string {
	b := []byte{'['}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return string(b) + "]::FLOAT[" + strconv.Itoa(len(v)) + "]"
}

// current brings a copy up to date.
func (e *Engine) current(ctx context.Context, embedder string, d int) (*nearTable, error) {
	e.near.build.Lock()
	defer e.near.build.Unlock()
	t, behind := e.near.table(embedder, d)
	var err error
	if t.filled {
		err = e.refresh(ctx, t, embedder, behind)
	} else {
		err = e.fill(ctx, t, embedder)
	}
	if err != nil {
		e.near.forget(embedder) // what it lacks is not known any more
		return nil, err
	}
	t.filled = true
	return t, nil
}

// fill makes a copy, and its index.
func (e *Engine) fill(ctx context.Context, t *nearTable, embedder string) error {
	array := "FLOAT[" + strconv.Itoa(t.d) + "]"
	if _, err := e.db.ExecContext(ctx, `CREATE OR REPLACE TABLE near.`+t.name+` (n BIGINT, name `+array+`, description `+array+`, corpus `+array+`)`); err != nil {
		return err
	}
	var rows [][]driver.Value
	for v, err := range e.Vectors(ctx, embedder) {
		if err != nil {
			return err
		}
		if rows = t.row(rows, v); len(rows) == 1024 {
			if err := e.copy(ctx, t, rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	if err := e.copy(ctx, t, rows); err != nil || !e.near.hnsw {
		return err
	}
	for _, f := range []Field{ByName, ByDescription, ByCorpus} {
		if _, err := e.db.ExecContext(ctx, fmt.Sprintf(`CREATE INDEX %s_%s ON near.%s USING HNSW (%s) WITH (metric = 'cosine')`, t.name, f, t.name, f)); err != nil {
			return err
		}
	}
	return nil
}

// refresh copies the places that changed.
func (e *Engine) refresh(ctx context.Context, t *nearTable, embedder string, behind []uint64) error {
	for part := range slices.Chunk(behind, chunk) {
		if _, err := e.db.ExecContext(ctx, `DELETE FROM near.`+t.name+` WHERE n IN `+numbers(part)); err != nil {
			return err
		}
		list, err := e.VectorsAt(ctx, embedder, part)
		if err != nil {
			return err
		}
		var rows [][]driver.Value
		for _, v := range list {
			rows = t.row(rows, v)
		}
		if err := e.copy(ctx, t, rows); err != nil {
			return err
		}
	}
	return nil
}

// row adds vectors of the right length, whose numbers are finite: an index
// cannot hold others.
func (t *nearTable) row(rows [][]driver.Value, v memory.Vectors) [][]driver.Value {
	if len(v.Name) != t.d || slices.ContainsFunc(slices.Concat(v.Name, v.Description, v.Corpus), notFinite) {
		return rows
	}
	return append(rows, []driver.Value{int64(v.N), v.Name, v.Description, v.Corpus})
}

func (e *Engine) copy(ctx context.Context, t *nearTable, rows [][]driver.Value) error {
	if len(rows) == 0 {
		return nil
	}
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error { return appendRows(c.(driver.Conn), "near", t.name, rows) })
}

// Doctor says in one line how vectors are compared.
func (e *Engine) Doctor() string {
	var b strings.Builder
	b.WriteString("duckdb: vectors ")
	if e.near.hnsw {
		b.WriteString("by HNSW index (vss extension)")
	} else {
		b.WriteString("compared one by one (the vss extension is not installed)")
	}
	return b.String()
}
