// Package sqlite keeps a knowledge graph in the hall's SQLite file. It is the
// default engine of package graph.
//
// First use:
//
//	db, err := store.Open(ctx, path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
//	...
//	g := graph.New(sqlite.New(db), nil)
//
// It has no state beyond the file and is safe for concurrent use: writes run
// one after the other, reads beside them on one unchanging state. The store
// belongs to whoever opened it. It refuses nothing of its own; what it stores
// was checked by package graph.
package sqlite
