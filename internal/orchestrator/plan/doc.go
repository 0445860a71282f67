// Package plan is how a task is divided: subtasks with explicit dependencies,
// read from a model's words and checked before anything runs.
//
// # First use
//
//	p, problems := plan.Parse(answer, plan.Rules{Types: types})
//	if len(problems) > 0 { ... } // words for the model, to try once more
//	for _, s := range p.Subtasks { ... }
//
// # Words
//
// A subtask is one piece of work for one agent. It depends on others, whose
// summaries and file paths it is handed. A check says how its result is
// looked at. A direct answer stands in the place of subtasks where a request
// needs none. What is known are the ids of subtasks that an earlier plan
// finished: a new plan may depend on them and may not use their names.
//
// All functions are pure and safe for concurrent use.
//
// # What it refuses
//
// Names that are empty, odd or used twice; unknown types of agents; unknown
// dependencies, a subtask that waits for itself and cycles; more subtasks,
// more dependencies or longer texts than the rules allow; a plan that is
// empty.
package plan
