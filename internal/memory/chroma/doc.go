// Package chroma keeps the memory's entries in a Chroma server, over its HTTP
// API v2: an engine of package memory for halls whose embeddings shall be in a
// vector database that other programs can ask.
//
//	e, err := chroma.Open(ctx, chroma.Options{URL: "http://127.0.0.1:8000"})
//	...
//	defer e.Close()
//	m, err := memory.Open(ctx, memory.Options{Engine: e, ...})
//
// # What is where
//
// The collection HALL.entries has a record for each entry, named by its place;
// HALL.things has small values; for each embedder there are three collections,
// HALL.v1.name, HALL.v1.description and HALL.v1.corpus, that hold nothing but
// embeddings. What entries are listed by, and the full-text index (see package
// terms), is held in memory and read from the server at the start: Chroma can
// neither sort nor rank words. Start and memory so grow with the number of
// entries and the length of their texts.
//
// # What holds
//
// Chroma has no transactions. A change that is more than one record is first
// written down whole in HALL.intent; the request that completes this is the
// moment the change is made. Then its parts are carried out, each of which may
// be repeated, and the intent is deleted. Open, and every call after a
// failure, first carries out an intent that it finds. So:
//
//   - a change is made as a whole or not at all, also when the hall, the
//     server or the connection fails at any point;
//   - calls to this engine see it as a whole: reads wait while it is carried out;
//   - another program that reads the collections meanwhile can see a part of it;
//   - when the server falls silent in the middle, Apply returns CodeUnavailable
//     and the change may still be made when the server is back: Change.Once
//     makes trying again safe, as does putting the same record;
//   - it is as durable as Chroma's own write log, which a server on one machine
//     keeps in SQLite: it survives a killed server. What a power cut takes from
//     a server that keeps its files elsewhere is not known here.
//
// There is one writer: the engine that was opened last. An earlier one, in this
// or another process, refuses changes with CodeConflict when it notices, which
// it looks for before each change. This finds mistakes; it is no lock.
//
// All methods are safe for concurrent use. Requests that take longer than
// Options.Timeout, and servers that cannot be reached, are CodeUnavailable.
// Vectors that are not finite, or of another length than the others of their
// embedder, are refused, and so are words that are more than letters and digits.
package chroma
