// Package chat is the conversation of a person with the hall: it keeps
// sessions, runs the engine for each question, and tells on the bus what
// happens.
//
// [New] wires a [Chat] without any I/O; [Chat.Recover] marks what a crash cut
// off. [Chat.Query] answers: it streams steps and ends with the answer. The
// session is durable: the question before anything of an answer is shown or
// done, and every finished round as it ends, so that after kill -9 a
// conversation opens again with everything up to the last of them. The model
// is asked when the intent is durable on the record; the session's disk is
// waited for beside it. At the end of a turn its last entries on the record and
// its answer become durable at the same time; it is shown when both are.
// Question and answer are one row each, brought to their places afterwards.
//
// A session is an actor: its queries are answered one after another, in the
// order in which they came; other sessions run beside it. Whoever stops
// listening ends the turn; what was done until then is kept, with the reason.
//
// All methods are safe for concurrent use. A turn runs in its caller's loop;
// what is told of it, and compacting a long conversation, run beside it until
// [Chat.Close]. What is told waits a few milliseconds for the turn, and pieces
// of an answer that come faster than the bus takes them are told as one.
package chat
