// Package builtin is the model provider that needs nothing installed.
//
// It is no language model. It is an honest small responder on the real
// contract: it knows a table of countries and what Moothall is, follows up on
// what was said before, calls a tool when the person's words ask for what one
// of the offered tools says it does, repeats what a tool found, and otherwise
// says plainly that it does not know and how to get a model that does. Asked
// to judge an answer in the hall's form, it gives a grade by simple rules and
// says that it is one. A
// trained network takes its place behind the same provider.
//
// It keeps no state, starts nothing, and is safe for concurrent use.
package builtin
