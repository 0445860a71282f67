// Command none does what the other two do, without a driver: what is left is
// the language's own share.
package main

import (
	"database/sql"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	_, err := fmt.Println(path, len(sql.Drivers()))
	return err
}
