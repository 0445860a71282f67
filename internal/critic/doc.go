// Package critic grades answers from 1 to 5 and compares those of two
// respondents, as an observer of the bus that works behind the person's back:
// at background priority, from rows that survive a crash.
//
// First use:
//
//	c, err := critic.Open(ctx, critic.Options{DB: db, Model: gateway, Audit: audit, Publish: publish, Expect: chat.Expects})
//	...
//	err = c.Handle(ctx, event) // a response.generation; returns when it is stored
//	grade, ok, err := c.Last(ctx, query)
//
// # Words
//
// A job is one answer to be graded, or one pair to be compared. Its outcome is
// graded, tie, unknown (asked, but nothing could be read) or skipped (not
// asked, with the reason). The rubric says what a good answer is; which one is
// used follows from who gave the answer.
//
// # Once
//
// [Critic.Handle] stores a job under an id made from the query and the
// respondent, so that an event that comes again changes nothing. A result is
// stored, then published under the job's id, then marked as told. Whatever
// ends the program in between, what was stored is told after the next [Open],
// with the same id and the same bytes, and is never asked for again. An asking
// that was cut off is begun anew, a bounded number of times.
//
// # Pairs
//
// When A's answer is there and B's is expected, it is waited for. B's that
// comes too late is graded, but not compared. After a restart the waiting
// begins anew, since B's answer may lie in the bus.
//
// # Concurrency
//
// All methods are safe for concurrent use. A few workers, one by default, do
// the jobs; [Critic.Close] waits for them.
//
// # What it refuses
//
// An event that cannot be read or names no query (CodeInvalid, so that the bus
// lays it aside). Settings that make no sense. It gives no grade to answers
// that failed or were broken off, and makes up no number where a model gave
// none.
package critic
