// Package memory is what the hall remembers: entries with a name, a
// description and a text, found again by staged retrieval, written with care
// about where they come from, and forgotten with everything made from them.
//
// First use:
//
//	m, err := memory.Open(ctx, memory.Options{Engine: sqlite.New(db), Audit: record})
//	...
//	defer m.Close()
//	mine := m.For(moothall.Person)
//	entry, err := mine.Write(ctx, moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "Ana lives in Lisbon."}})
//	for r, err := range mine.Recall(ctx, moothall.MemoryQuery{Text: "where does Ana live?"}) { ... }
//
// # Words
//
// An entry is a turn (engram), a fact or a document. A record is an entry as
// an [Engine] keeps it; its place is a number that is never used again. A
// candidate is an entry that waits for its review. A part is an entry made of
// a piece of a long one, which keeps the whole text. A space is the index in
// memory of one embedder's vectors; the built-in embedder always has one, the
// gateway's embedder a second, which serves first once it is complete. A
// thread is a dialogue; its turns are indexed with speaker, date and the two
// turns before, and borrow from the turns after when they are ranked.
//
// # Retrieval
//
// Staged: the query against names, the best 20; those against descriptions,
// the best 5; the corpora of these, re-ranked when asked. Fused: BM25 over
// words joined with vectors over corpora by reciprocal rank. Auto: staged
// where names tell something, fused otherwise and for dialogues. A result's
// stage says which way it came: corpus, fused or cache. What leaves is the
// segment that answers; the whole text only when asked for. A query can be
// narrowed by kind, tag, thread, time, least trust and a part of the source.
//
// Behind the memories stand at most two texts of the [Library], where there is
// one: the program's own, read only, of the kind document. They take no
// memory's place, and are neither counted nor exported.
//
// # Trust
//
// An entry is trusted no more than who wrote it and than everything that it
// was made from. What comes from outside is stripped of orders and its source
// begins with "external", in the entry, in its parts and in what is made from
// it. Entries merge only with entries of the same trust. Nobody writes over
// what is trusted more than he is. Text that was recalled in a session is not
// stored again by the models of that session.
//
// # Promises
//
// A write is durable, and on the audit record, before it is acknowledged. The
// index in memory is never the only copy of anything: it is read from files
// that match the engine's version, or built anew. Vectors that are missing are
// filled in by a worker that goes on after a restart. A text that is too long
// for the gateway's embedder gets the vectors of its beginning; one that it
// refuses altogether keeps no other from theirs.
//
// # Concurrency
//
// All methods are safe for concurrent use. Writes go one after the other;
// reads run beside them. [Open] starts two goroutines, which [Service.Close]
// ends.
//
// # What it refuses
//
// Calls that the table of [Rights] does not grant; entries without name and
// text, or beyond the limits; the graph's calls when there is no graph.
package memory
