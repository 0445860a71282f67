// Command sqlitevec is sqlite-vec, with cosine distance, as a contestant.
package main

import (
	"database/sql"
	"fmt"
	"path/filepath"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	_ "github.com/mattn/go-sqlite3"

	"moothall/bench/vector/peer"
)

func main() { peer.Main(open) }

func open(dir string, dim int) (peer.Store, error) {
	vec.Auto()
	db, err := sql.Open("sqlite3", filepath.Join(dir, "rows.db"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(fmt.Sprintf("PRAGMA cache_size=-1000000; CREATE VIRTUAL TABLE v USING vec0(id INTEGER PRIMARY KEY, e FLOAT[%d] distance_metric=cosine)", dim))
	return store{db}, err
}

type store struct{ db *sql.DB }

func (s store) Fill(rows [][]float32) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare("INSERT INTO v(id, e) VALUES (?, ?)")
	if err != nil {
		return err
	}
	for i, r := range rows {
		blob, err := vec.SerializeFloat32(r)
		if err != nil {
			return err
		}
		if _, err := insert.Exec(i, blob); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (s store) Nearest(q []float32, k int) ([]int, error) {
	blob, err := vec.SerializeFloat32(q)
	if err != nil {
		return nil, err
	}
	found, err := s.db.Query("SELECT id FROM v WHERE e MATCH ? AND k = ? ORDER BY distance", blob, k)
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
