package main

import (
	"database/sql"
	"net/url"

	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"
	_ "modernc.org/sqlite"
)

// opener opens a database by its address.
type opener func(address string) (*sql.DB, error)

// drivers are what is compared. The second has its full-text index in a
// package apart, to be added to each connection.
var drivers = map[string]opener{
	"modernc": func(address string) (*sql.DB, error) { return sql.Open("sqlite", address) },
	"ncruces": func(address string) (*sql.DB, error) { return driver.Open(address, fts5.Register) },
}

// open opens path with the settings of the hall's store. Both drivers read
// the same parameters.
func open(with opener, path string) (*sql.DB, error) {
	v := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "foreign_keys(ON)", "synchronous(FULL)", "temp_store(MEMORY)",
		"trusted_schema(OFF)", "cell_size_check(ON)", "wal_autocheckpoint(1000)",
	}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: v.Encode()}
	return with(u.String())
}

const turns = 500

func newCounter(path string) error {
	db, err := open(drivers["modernc"], path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec("CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0)")
	return err
}

func counter(path string) (n int, err error) {
	db, err := open(drivers["modernc"], path)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return n, db.QueryRow("SELECT n FROM counter").Scan(&n)
}

// addTurns reads and adds one, each time in a transaction: a turn is lost when
// the lock does not hold.
func addTurns(with opener, path string) error {
	db, err := open(with, path)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for range turns {
		if err := addTurn(db); err != nil {
			return err
		}
	}
	return nil
}

func addTurn(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRow("SELECT n FROM counter").Scan(&n); err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE counter SET n = ?", n+1); err != nil {
		return err
	}
	return tx.Commit()
}
