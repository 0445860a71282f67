// Package history keeps conversations in a form that every model server
// accepts: it checks them, mends broken ones, makes them smaller without
// tearing what belongs together, and counts what they take.
//
// # First use
//
//	past := history.Close(history.Repair(loaded), history.Unanswered)
//	if err := history.Validate(past); err != nil { … }
//
//	var meter history.Meter
//	meter.Observe(model, history.Size(past...), usage.PromptTokens)
//	tokens := meter.Tokens(model, history.Size(past...))
//
// # Words
//
//   - A group is an assistant's message with tool calls and the results that
//     follow it, one for each call and in the order of the calls.
//   - A turn is a message of the user and everything up to the next one.
//   - A conversation is valid when it begins with system messages or with
//     the user, user and assistant take turns, every call stands in a whole
//     group, and no message carries thinking.
//   - A conversation is closed when it is empty or ends with words of the
//     assistant, so that the user can speak next.
//
// # Rules
//
// Functions never change the messages they are given; what they return may
// share text with them. They are safe for concurrent use, as is [Meter].
// Nothing here runs a tool again: a call whose result was lost gets a result
// that says so.
package history
