// Package broker is the only way to an effect: every tool call of every
// agent passes through it, is judged by policy, put on record, run, and
// brought back clean.
//
// # First use
//
//	b, err := broker.Open(ctx, broker.Options{
//		DB: db, Audit: record, Secrets: keyring, Manifest: manifest, Tools: tools, Inside: inside, Publish: publish,
//	})
//	unfinished, err := b.Recover(ctx) // before the first agent
//	chat := b.For(moothall.ChatHall)
//	agent, err := chat.Spawn(ctx, moothall.SpawnRequest{Scope: scope, Type: "generator", Query: id, Words: words})
//	for step, err := range chat.Execute(ctx, moothall.CallRequest{Agent: agent.Handle, Call: call}) { ... }
//
// # Words
//
// A handle is 256 random bits that stand for an agent; the broker keeps its
// hash. A task is what counters belong to: the task id of the root, else its
// query, else the root itself; agents below share it, whatever they claim. A
// message is one query of a person: overrides with Once are for one, the next
// or the one that is named. A question is an approval that waits. The journal
// has a row for each call that was allowed, written before the effect. What the
// person typed and what searches found are literals: a text that stands in them
// word for word, or an address in them, may be sent out whatever the labels.
//
// # One label
//
// What private results said is held as hashes of three words in a row, numbers
// and codes. While a run has private data and nothing from outside, a query to
// the person's search engine is plain, and free, unless it repeats one of
// them, has a number or code that nobody typed, or is longer than a question.
// That finds quotations and encodings; it cannot find a secret that is said in
// other words, or in its own ones with typed words between them. An address is
// never plain: it goes to whoever wrote it.
//
// A file that is to be written is free when nothing is there, when this
// session made it, or when the person typed its name. A foreign tool may be
// told what the person typed.
//
// # Order of a call
//
// Facts, decision, journal and record (side by side, both before the
// effect), request event, secrets, tool, cleaning, labels and outcome,
// result event, result. [moothall.Broker.Validate] goes the same way to the
// decision and stops; it writes nothing. A call counts against its task's
// limits when it is decided, whatever the decision.
//
// An agent is on record before its handle is given out. A face has one method
// beyond [moothall.Broker]: SpawnEarly gives a handle out before that, and the
// agent's calls and children wait for the record instead. An agent that does
// nothing for a moment, or at all, is put on record all the same. What Discover
// returns is shared and must not be written into.
//
// # What a crash means
//
// Durable before a call's effect: its intent, the counters. Durable before
// its result is given out: labels, what a search found, and the outcome,
// unless the tool only reads: the outcome of such a call follows within a
// moment, and a crash in between leaves it unknown_after_crash though it
// ended. After a restart all handles are void, agents are ended, open
// questions are expired; labels, counters, overrides and consents are as
// they were. A call under an id that the journal has is not run again,
// unless it is unknown_after_crash and its tool idempotent.
//
// # Concurrency
//
// All methods are safe for concurrent use. Execute runs in its caller's
// loop, and the tool beside it. Rows of many calls share a transaction;
// events go out in order through a queue of bounded length, whose overflow
// is dropped and counted. Close stops what runs and waits for it.
//
// # What it refuses
//
// A lineage or session that is not the agent's own; arguments over 1 MiB, or
// that two readers could read in two ways; a tool whose name is taken; an
// answer to a question by anyone but the person's side; any effect without
// its record. It knows no tool by import and opens no file or connection; it
// looks whether one is there.
package broker
