// Package orchestrator divides a task into subtasks, hands each to an agent of
// its type, and puts their summaries together. It executes no tool itself.
//
// # First use
//
//	o, err := orchestrator.Open(orchestrator.Options{
//		DB: db, Model: gateway, Broker: broker, Audit: record, Memory: memory, Tell: publish, Files: files, Check: check,
//	})
//	err = o.Recover(ctx) // after the broker's own recovery
//	task, err := o.Start(ctx, orchestrator.Goal{Session: id, Query: query, Text: "Compare A and B and write it down"})
//	for step, err := range o.Watch(ctx, task.ID) { ... }
//	_, err = o.Control(ctx, moothall.TaskControl{ID: task.ID, Action: orchestrator.Pause})
//	o.Close()
//
// # Words
//
//   - A goal is what a person asks for; a task is the hall's work on it.
//   - A plan is a list of subtasks with dependencies (package plan). It has a
//     revision: each re-planning makes a new one of what is left.
//   - A subtask is the engine run of one agent. It ends with a report (package
//     report), and with nothing else.
//   - Evidence lowers what a report claims and never raises it: a file that is
//     not there is unproven, "verified" without a tool or a check is inferred,
//     and where something was read on the web the source is the web.
//   - A verification is a subtask that another agent does once, when a result
//     is uncertain.
//   - A question is what a person is asked about a call that a crash cut off.
//   - A deputy is an agent that another hands work to, by the tool delegate.
//     It is spawned below it, and gives back a report.
//   - The desk is the orchestrator's own context: notes, state as JSON, the
//     latest summaries, what is asked now. Tool output never lies on it.
//
// # States
//
// A task is planning, planned (it waits for a person's yes), running, and at
// last done, partial, failed or stopped; beside that it may be paused, or
// asking. A subtask is pending, ready, running or unknown_after_crash, and at
// last done, failed or cancelled, exactly once.
//
// # What a crash means
//
// Every change of state is one transaction, before the effect that it
// announces and after the effect that it reports. After a restart [Recover]
// goes on with each task: what is done stays done. A subtask that was running
// goes on behind the last round that it finished. A call that was begun is
// looked up at the broker: one that was never made may be made, one that was
// made is not made again, and of one whose outcome nobody knows the person is
// asked; the subtask is unknown_after_crash until then. Close is the same to
// a task as a crash.
//
// # Concurrency
//
// All methods are safe for concurrent use. Each task has one goroutine, and
// one more for each subtask that runs; Close ends them and waits. A task's
// mutex is held while a change is written, so that changes are written in
// their order. Breaking out of Watch ends the watching, not the task.
//
// # What it refuses
//
// A plan that makes no sense and still makes none after one repair; more
// subtasks, re-plans, rounds and tokens than the settings allow: each ends in
// a report that says so, never in a hang. A task goes no further when its
// journal cannot be written: it rests until a restart, and can be stopped or
// forgotten meanwhile.
package orchestrator
