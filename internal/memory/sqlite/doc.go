// Package sqlite keeps the memory's entries in the hall's SQLite file: the
// default engine of package memory.
//
//	db, err := store.Open(ctx, path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
//	m, err := memory.Open(ctx, memory.Options{Engine: sqlite.New(db), ...})
//
// Entries are rows, words are in an FTS5 index without content, vectors are
// blobs. All methods are safe for concurrent use; a change is one transaction
// and durable when it returns. The database belongs to who opened it.
//
// The package does not decide what is stored, ranks nothing but words, and
// refuses words that hold anything else than letters, digits and marks, so
// that a query can never be syntax.
package sqlite
