// Command ncruces opens a database, asks it one question and ends: the smallest
// program with this driver.
package main

import (
	"fmt"
	"os"

	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	db, err := driver.Open("file:"+path, fts5.Register)
	if err != nil {
		return err
	}
	defer db.Close()
	var version string
	if err := db.QueryRow("SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	_, err = fmt.Println(version)
	return err
}
