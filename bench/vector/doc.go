// Command vector compares Moothall's exact nearest-neighbour index with
// chromem-go, sqlite-vec and DuckDB in one run: recall and time of the top 20
// among 100,000 vectors of 768 dimensions.
//
//	go run . -out RESULT.md
//
// Each contestant is a program of its own under peer, built when the run
// begins; one that cannot be fetched, built or started gets a row that says
// so. All make the same vectors from the same seed and answer the same
// queries. They take turns, a few queries each, while the others wait.
// Recall is counted against comparisons with every vector in float64, done
// here. sqlite-vec and DuckDB keep their rows in a file in a temporary folder;
// the two others in memory. A C compiler and SQLite's header are needed for
// the cgo peers.
package main
