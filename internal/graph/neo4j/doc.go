// Package neo4j keeps a knowledge graph in a Neo4j server (version 5, any
// edition): an engine of package graph for people who want to look at their
// graph with Neo4j's own tools.
//
// First use:
//
//	e, err := neo4j.Open(ctx, neo4j.Options{URL: "neo4j://127.0.0.1:7687", User: "neo4j", Password: password})
//	...
//	defer e.Close()
//	g := graph.New(e, nil)
//
// Entities are nodes and facts are relations between them, so that
//
//	MATCH (a:MootEntity)-[f:MOOT_FACT]->(b:MootEntity) RETURN a, f, b
//
// shows the graph. Names, words, statements and merges are nodes of their own
// (MootName, MootWord, MootStatement, MootMerge). A thing that facts name but
// nobody described is a MootThing without being a MootEntity. Everything bears
// the property hall, so that several halls can share a server.
//
// A write is one transaction of the server and durable when it returns. Writes
// run one after the other: in this process by a lock, between processes by one
// on a node of the hall. Neo4j reads what is committed, query by query; so that
// a Read of several queries sees one state, no write of this process is
// committed while a Read runs, and a Read must not call Read or Write. Writes
// of other processes can be seen in the middle of a Read. When the connection
// breaks during a commit, nobody can say whether it was made: the error is
// CodeInterrupted, and every write of package graph may be made again.
//
// A server that does not answer is CodeUnavailable, within Options.Timeout for
// each query; a wrong password is CodeDenied. The package refuses addresses
// that are none of Neo4j's, and never repeats a password in an error.
package neo4j
