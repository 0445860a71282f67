// Package prompt is what the models of a task are told: the system prompts of
// the agent types, the planner and the writer, and the layout of what comes
// behind them.
//
// # First use
//
//	system := prompt.Agent("coder")
//	input := prompt.Assignment(prompt.Work{Task: "...", Goal: "...", Before: results})
//
// # Layout
//
// What does not change stands first, so that a server can keep what it has
// read: a system prompt is the same bytes in every call. Behind it come, for
// a subagent, its task with the results that it builds on; for the
// orchestrator, notes on what was left out, the state of the task as JSON,
// the latest summaries, and what is asked now.
//
// The texts are written for models of 7 to 14 billion parameters: short
// sentences, one rule a line, an example where the form matters.
//
// # What it refuses
//
// Nothing in here takes a tool's output: results are summaries and paths.
//
// All functions are pure and safe for concurrent use.
package prompt
