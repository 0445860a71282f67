// Package chat is the conversation of a person with the hall: it keeps
// sessions, runs the engine for each question, and tells on the bus what
// happens.
//
// [New] wires a [Chat] without any I/O; [Chat.Recover] marks what a crash cut
// off. [Chat.Query] answers: it streams steps and ends with the answer. The
// session is durable: the question before anything is done about it, and every
// finished round as it ends, so that after kill -9 a conversation opens again
// with everything up to the last of them.
//
// A session is an actor: its queries are answered one after another, in the
// order in which they came; other sessions run beside it. Whoever stops
// listening ends the turn; what was done until then is kept, with the reason.
//
// All methods are safe for concurrent use. A turn runs in its caller's loop;
// only compacting a long conversation runs beside it, until [Chat.Close].
package chat
