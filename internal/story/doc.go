// Package story plays acceptance stories: what a person says to the hall, and
// what must come back.
//
//	outcome := story.Play(ctx, client, s, story.Options{})
//	if !outcome.Passed { ... outcome.Turns[n].Failures ... }
//
// A story is a list of turns. Each asks one question in a named conversation
// and says what its answer must contain, which events must have happened in
// which order, and which tools must have been called. Observers work in their
// own time: what they must do (publish an event with a payload of some form,
// annotate the memory of the turn, judge it) is waited for, within the
// story's patience, before the next turn begins. The person can also give
// feedback on an answer.
//
// [Play] asks any [moothall.Client], so that the same story runs against the
// built-in model, a live one, or a hall elsewhere. A story that needs a part
// which the hall does not have is not played, and its outcome says why: it
// has neither passed nor failed.
//
// The package reads no files and starts no goroutines. It never asks a second
// time: a story that passes only sometimes fails. Stories may be played at
// the same time; each has conversations of its own.
package story
