// Package terms is a full-text index for engines whose store has none that is
// exact and changes with each write: what SQLite's FTS5 does for the default
// engine, in the same way, so that an engine can be exchanged without another
// order of results.
//
//	doc := terms.Of(record.Text)       // what to keep of a record
//	ix := terms.NewIndex()
//	ix.Put(record.N, doc)
//	matches, err := ix.Search(memory.TextQuery{Words: []string{"boat"}, Limit: 10})
//
// A term is a word without accents and with its English ending taken off
// (Porter's algorithm). A record's weight for a term is the sum over its
// fields; the score is BM25 with FTS5's constants, so that engines which count
// in their own store use [Rarity] and [Score].
//
// [Index] is safe for concurrent use and lives in memory only: its owner fills
// it again from what is stored. The functions have no state. Words that hold
// anything but letters, marks and digits are refused.
package terms
