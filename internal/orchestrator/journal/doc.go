// Package journal keeps what a task must still know after a crash: the task,
// its subtasks with their states, and the rounds and calls of those that run.
//
// # First use
//
//	j := journal.New(db) // with the tables of journal.Migrations
//	err := j.Apply(ctx, journal.Change{Task: &task, Subtasks: all})
//	task, subtasks, err := j.Load(ctx, id)
//
// # Promises
//
// Every call that changes something is one transaction and is durable when it
// returns without error; with an error nothing of it is there. A subtask's
// state only moves forward: one that is done, failed or cancelled is never
// written over with another state, whatever is asked for.
//
// Work is the working paper of a subtask that runs: what its model has said
// and which calls were begun. It is taken away with the subtask's end.
//
// All methods are safe for concurrent use.
//
// # What it refuses
//
// A change of a subtask that has ended (CodeConflict); a task that is there
// already (CodeConflict).
package journal
