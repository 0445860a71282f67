// Command sqlite compares the two pure-Go SQLite drivers on what the hall
// does with them. It is a module of its own, so that the driver not chosen
// stays out of the program.
//
//	go run . -rounds 3
//
// The drivers take turns, each round in a process of its own with the same
// settings; a figure is the median of the rounds, and the table is Markdown.
// The results and the decision stand in docs/decisions/sqlite-driver.md.
package main
