// Package recall offers the hall's memory to agents as three tools:
// memory_read, memory_write and graph_search.
//
//	tools := recall.Tools(memory, recall.Options{})
//
// # What a model sees
//
// Results are numbered, best first, each with the source of its content, its
// age and its score, and with what has changed since, where the graph knows
// that what it says is so no longer. What comes from outside, or from nobody knows where,
// stands in lines that begin with "| " under a sentence that says that it is
// data; no text can leave such a frame, since every line of it is marked. A
// result with such an entry is labelled untrusted; all results are private.
//
// # What is written
//
// memory_write stores a fact with the agent, session and turn that it comes
// from. Content of a run that has met outside content is of external trust,
// other content is of a model's. A subagent's entry, and any of external trust,
// is a candidate: it counts only when the orchestrator or the person accepts
// it. What a run has met is the broker's knowledge, never the model's word.
//
// # Failures
//
// A memory that is not set up or does not answer is CallUnavailable with its
// reason and remedy; arguments or entries that it refuses are CallFailed. Of
// an error only message and remedy reach the model, never the cause.
//
// Tools are safe for concurrent use and start no goroutine.
package recall
