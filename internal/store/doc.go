// Package store keeps rows: it opens the hall's SQLite file and gives every
// service that keeps rows the same durable, careful way to it. It holds no
// service's queries.
//
// First use:
//
//	db, err := store.Open(ctx, path, &store.Options{
//		Migrations: []store.Set{{Name: "memory", Files: files}},
//	})
//	...
//	err = db.Write(ctx, func(tx *store.Tx) error {
//		_, err := tx.Exec(ctx, "INSERT INTO entry(name) VALUES (?)", name)
//		return err
//	})
//
// # Promises
//
// When [DB.Write] returns nil, its rows have been flushed to the disk
// (write-ahead log, synchronous=FULL): they survive a kill and a power cut.
// When it returns an error, none of them is there. A read sees one state of
// the file from its first query to its last, and is never held up by a write.
// On a full disk writes are refused with [moothall.CodeExhausted], reads go
// on, and writes work again once there is space.
//
// # Concurrency
//
// All methods of [DB] are safe for concurrent use. Writes run one after the
// other on one connection; reads run beside them on a few read-only ones. A
// [Tx] belongs to the function that it is handed to: one goroutine, and not
// after that function has returned. A write inside a write, and Close inside
// either, would wait for itself. Close waits for what is running.
//
// When other code of the process opens and closes the same file, POSIX drops
// SQLite's locks, and another program that opens the store could remove a log
// in use. On Linux the package therefore asks the driver for locks that belong
// to the open file, a setting of the whole process that the first Open makes.
// Elsewhere, and for the file ending in -shm, no other code may open them.
//
// # Migrations
//
// A [Set] is a service's numbered SQL files, applied in order, forward only,
// each in its own transaction together with its record. A table whose rowid
// is used elsewhere (as the content of a full-text index is) must name it as
// INTEGER PRIMARY KEY: a backup keeps rowids only then.
//
// # What it refuses
//
// A file of another program; a file written by a newer schema than this
// program knows; migrations that were changed after they had been applied, or
// that have gaps; a write through a read; overwriting a file with a backup.
package store
