// Package duckdb keeps the memory's entries in a DuckDB file: an engine of
// package memory for halls that want to ask their memory with SQL. It needs
// cgo and is only there in builds with the tag duckdb; in all others the
// package is empty.
//
//	e, err := duckdb.Open(ctx, path, nil)
//	m, err := memory.Open(ctx, memory.Options{Engine: e, ...})
//
// A change is one transaction, on the disk before Apply returns. Changes run
// one after the other; reads run beside them, each query on one unchanging
// state. All methods are safe for concurrent use. The file is locked: a second
// process that opens it gets CodeConflict.
//
// Words are in tables of our own and are weighed as in the default engine (see
// package terms), since DuckDB's full-text extension does not follow changes.
// Vectors are kept as blobs. [Engine.Nearest] copies them into a table in
// memory and keeps that in step: with an HNSW index when the vss extension can
// be loaded, with exact distances otherwise; [Engine.Nearness] says which. The
// index is never part of the file, because DuckDB does not yet promise to
// recover one after a crash. Extensions are never fetched.
//
// The package decides nothing about what is stored and refuses words that hold
// anything else than letters, marks and digits, and vectors of unequal length.
package duckdb
