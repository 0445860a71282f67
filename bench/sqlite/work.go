package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// scale says how many rows each piece of work has.
type scale struct{ opens, commits, bulk, points, docs, blobs int }

var (
	full      = scale{opens: 50, commits: 3000, bulk: 10_000, points: 50_000, docs: 5000, blobs: 50_000}
	hundredth = scale{opens: 2, commits: 30, bulk: 100, points: 500, docs: 50, blobs: 500}
)

// blobSize is a vector of 768 float32.
const blobSize = 3072

// bench is one driver at work.
type bench struct {
	with opener
	dir  string
	scale
	db  *sql.DB
	got figures
}

// measure does all the work with one driver.
func measure(with opener, dir string, s scale) (figures, error) {
	b := &bench{with: with, dir: dir, scale: s, got: figures{}}
	if err := b.opening(); err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	db, err := open(with, filepath.Join(dir, "work.db"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(4)
	b.db = db
	b.memory("memory, database open")
	for _, step := range []struct {
		name string
		do   func() error
	}{{"commits", b.committing}, {"bulk", b.inserting}, {"reads", b.reading}, {"documents", b.searching}, {"blobs", b.scanning}} {
		if err := step.do(); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	b.memory("memory, after all")
	db.SetMaxOpenConns(4)
	if err := b.readingTogether(); err != nil {
		return nil, fmt.Errorf("reads together: %w", err)
	}
	b.memory("memory, after all, four connections")
	return b.got, nil
}

// opening makes new files and opens one of them again.
func (b *bench) opening() error {
	var fresh, again []float64
	for i := range b.opens {
		path := filepath.Join(b.dir, fmt.Sprintf("open%d.db", i))
		for _, times := range []*[]float64{&fresh, &again} {
			start := time.Now()
			db, err := open(b.with, path)
			if err != nil {
				return err
			}
			if _, err := db.Exec("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, body TEXT)"); err != nil {
				return err
			}
			if err := db.Close(); err != nil {
				return err
			}
			*times = append(*times, ms(start))
		}
	}
	b.got["open, new file"] = middle(fresh)
	b.got["open, again"] = middle(again)
	return nil
}

func (b *bench) committing() error {
	if _, err := b.db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)"); err != nil {
		return err
	}
	return b.prepared("INSERT INTO t(body) VALUES (?)", func(s *sql.Stmt) error {
		start := time.Now()
		for i := range b.commits {
			if _, err := s.Exec(fmt.Sprintf("a row of ordinary length, number %d", i)); err != nil {
				return err
			}
		}
		b.got["durable commit of one row"] = ms(start) / float64(b.commits)
		return nil
	})
}

func (b *bench) inserting() error {
	start := time.Now()
	err := b.inTx("INSERT INTO t(body) VALUES (?)", b.bulk, func(i int) []any {
		return []any{fmt.Sprintf("a row of ordinary length, number %d", i)}
	})
	b.got["10,000 rows in one transaction"] = ms(start)
	return err
}

func (b *bench) reading() error {
	return b.prepared("SELECT body FROM t WHERE id = ?", func(s *sql.Stmt) error {
		start := time.Now()
		for i := range b.points {
			var body string
			if err := s.QueryRow(i%b.bulk + 1).Scan(&body); err != nil {
				return err
			}
		}
		b.got["point read, prepared"] = ms(start) / float64(b.points)
		start = time.Now()
		for i := range b.points / 5 {
			var body string
			if err := b.db.QueryRow("SELECT body FROM t WHERE id = ?", i%b.bulk+1).Scan(&body); err != nil {
				return err
			}
		}
		b.got["point read, not prepared"] = ms(start) / float64(b.points/5)
		return nil
	})
}

// readingTogether has four readers on a connection each.
func (b *bench) readingTogether() error {
	errs := make([]error, 4)
	var group sync.WaitGroup
	start := time.Now()
	for r := range errs {
		group.Go(func() {
			for i := 0; i < b.points/4 && errs[r] == nil; i++ {
				var n int
				errs[r] = b.db.QueryRow("SELECT count(*) FROM t WHERE id BETWEEN ? AND ? AND body LIKE '%9%'", i%b.bulk+1, i%b.bulk+20).Scan(&n)
			}
		})
	}
	group.Wait()
	b.got["range read of 20 rows, four readers at once"] = ms(start) / float64(b.points)
	return slices.MaxFunc(errs, func(a, b error) int { return boolInt(a != nil) - boolInt(b != nil) })
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// searching fills a full-text index with made-up documents and asks it for
// the best ten of two words.
func (b *bench) searching() error {
	if _, err := b.db.Exec("CREATE VIRTUAL TABLE doc USING fts5(body)"); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	err := b.inTx("INSERT INTO doc(body) VALUES (?)", b.docs, func(int) []any { return []any{words(random, 80)} })
	if err != nil {
		return err
	}
	b.got["full-text index of 5,000 documents"] = ms(start)
	const query = "SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY bm25(doc) LIMIT 10"
	return b.prepared(query, func(s *sql.Stmt) error {
		start := time.Now()
		for range 200 {
			if err := drain(s.Query(words(random, 1) + " OR " + words(random, 1))); err != nil {
				return err
			}
		}
		b.got["full-text query, best 10"] = ms(start) / 200
		return nil
	})
}

// words draws from 2,000 words, the first ones far more often, as in speech.
func words(random *rand.Rand, n int) string {
	var s strings.Builder
	for range n {
		f := random.Float64()
		fmt.Fprintf(&s, "w%d ", int(f*f*f*2000))
	}
	return strings.TrimSpace(s.String())
}

// scanning writes vectors and reads them all back, as a start of the hall does.
func (b *bench) scanning() error {
	if _, err := b.db.Exec("CREATE TABLE vec (id INTEGER PRIMARY KEY, v BLOB NOT NULL)"); err != nil {
		return err
	}
	blob := make([]byte, blobSize)
	start := time.Now()
	err := b.inTx("INSERT INTO vec(v) VALUES (?)", b.blobs, func(i int) []any {
		blob[i%blobSize]++
		return []any{blob}
	})
	if err != nil {
		return err
	}
	b.got["50,000 blobs of 3 KB written in one transaction"] = ms(start)
	start = time.Now()
	if err := drain(b.db.Query("SELECT id, v FROM vec")); err != nil {
		return err
	}
	b.got["50,000 blobs of 3 KB scanned"] = ms(start)
	return nil
}

// drain reads all columns of all rows as bytes.
func drain(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	cells := make([]any, len(names))
	for i := range cells {
		cells[i] = new(sql.RawBytes)
	}
	for rows.Next() {
		if err := rows.Scan(cells...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// prepared runs f with a prepared statement.
func (b *bench) prepared(query string, f func(*sql.Stmt) error) error {
	s, err := b.db.Prepare(query)
	if err != nil {
		return err
	}
	defer s.Close()
	return f(s)
}

// inTx runs query n times in one transaction.
func (b *bench) inTx(query string, n int, args func(i int) []any) error {
	tx, err := b.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s, err := tx.Prepare(query)
	if err != nil {
		return err
	}
	for i := range n {
		if _, err := s.Exec(args(i)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func ms(since time.Time) float64 { return float64(time.Since(since)) / float64(time.Millisecond) }
