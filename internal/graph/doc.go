// Package graph is the hall's knowledge graph: who and what there is, and what
// was true of it when. It answers with facts that say IS or WAS, and every
// fact leads back to the memory entry that said it.
//
// First use:
//
//	g := graph.New(sqlite.New(db), nil)
//	_, err := g.Assert(ctx, scope, moothall.GraphFact{
//		Subject: "Ana", Relation: "lives in", Object: "Lisbon", Source: entry, Trust: moothall.TrustPerson,
//	})
//	for f, err := range g.Graph(ctx, moothall.GraphQuery{People: []string{"ana"}, Depth: 1}) {
//
// # Words
//
// An entity is a person, a place, an organisation, a thing or a value ("34").
// It has one name that is shown and any number of others; names are compared
// by [Key], which knows no case and no accents. One name belongs to one
// entity. A statement is what one source said, kept as it was said and never
// changed. A fact is what follows from the statements about one subject: a
// relation to an object over a stretch of time. Facts are derived: the
// statements of a group (a subject and a relation; and an object, unless the
// relation is functional), taken in the order of their arrival, always give
// the same facts.
//
// # Time
//
// A fact begins at its From, or when it was observed if nobody told. It is
// open until something ends it: a statement with To, or, where the relation is
// functional ([Rule]), a newer statement with another object. What is
// superseded is closed where the newer one begins, never deleted; if nothing
// of its time is left it stays as a fact of no length, which only a history
// shows. Which of two statements is newer is told by Observed, so that late
// arrivals do not undo what was learnt since. [Service.Since] says of an entry
// what has taken the place of what it said.
//
// # Trust
//
// Each level of trust has facts of its own. The same statement again at the
// same level refreshes its fact: the latest Observed, and the source and
// confidence of the more confident one. A fact can close another only if it
// is at least as trusted: what a web page says never closes what the person
// said. Then both stand, and the contradiction is seen in [Service.Lines] and
// [Service.Contradictions]. Where several levels say the same, an answer gives
// the most trusted one. A statement without a level counts as external.
//
// # Concurrency
//
// All methods of [Service] are safe for concurrent use. There are no
// goroutines here. Each change is one transaction of the [Engine].
//
// # What it refuses
//
// Facts without subject, relation or object; names over [MaxName] bytes; a
// time outside the years 1 to 9999, or an end before its beginning; a
// confidence outside 0 to 1. Answers are bounded, however large a hub is. Who
// may merge or forget is decided by whoever calls: the scope is not looked at.
package graph
