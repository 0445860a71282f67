// Package story plays acceptance stories: what a person says to the hall, and
// what must come back.
//
// A story is a list of turns. Each asks one question in a named conversation
// and says what its answer must contain, which events must have happened in
// which order, and which tools must have been called. [Play] asks any
// [moothall.Client], so that the same story runs against the built-in model,
// a live one, or a hall elsewhere.
//
// The package reads no files and starts no goroutines. It never retries: a
// story that passes only sometimes fails.
package story
