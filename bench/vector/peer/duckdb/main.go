// Command duckdb is DuckDB with array_cosine_distance as a contestant.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"moothall/bench/vector/peer"
)

func main() { peer.Main(open) }

func open(dir string, dim int) (peer.Store, error) {
	c, err := duckdb.NewConnector(filepath.Join(dir, "rows.duckdb"), nil)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	_, err = db.Exec(fmt.Sprintf("SET threads=%d; CREATE TABLE v(id INTEGER, e FLOAT[%d])", runtime.GOMAXPROCS(0), dim))
	return &store{c: c, db: db, dim: dim}, err
}

type store struct {
	c     *duckdb.Connector
	db    *sql.DB
	dim   int
	query *sql.Stmt
}

func (s *store) Fill(rows [][]float32) error {
	conn, err := s.c.Connect(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := appendRows(conn, rows); err != nil {
		return err
	}
	s.query, err = s.db.Prepare(fmt.Sprintf("SELECT id FROM v ORDER BY array_cosine_distance(e, CAST(? AS FLOAT[%d])) LIMIT ?", s.dim))
	return err
}

func appendRows(conn driver.Conn, rows [][]float32) error {
	a, err := duckdb.NewAppenderFromConn(conn, "", "v")
	if err != nil {
		return err
	}
	for i, r := range rows {
		if err := a.AppendRow(int32(i), r); err != nil {
			return err
		}
	}
	return a.Close()
}

func (s *store) Nearest(q []float32, k int) ([]int, error) {
	found, err := s.query.Query(list(q), k)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var ids []int
	for found.Next() {
		var id int
		if err := found.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, found.Err()
}

// list writes a vector as DuckDB reads it; 768 numbers take it well under a
// millisecond.
func list(v []float32) string {
	var b strings.Builder
	for i, f := range v {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteString(strconv.FormatFloat(float64(f), 'g', -1, 32))
	}
	return b.String() + "]"
}
