// Package rules is the model provider that needs nothing installed.
//
// It is no language model. It is an honest small responder on the real
// contract: it knows a table of countries and what Moothall is, follows up on
// what was said before, calls a tool when the person's words ask for what one
// of the offered tools says it does, repeats what a tool found, and otherwise
// says plainly that it does not know and how to get a model that does. It
// always answers alike and at once, which the network of package builtin does
// not yet do well enough for the hall's own tests to rest on it: they run on
// these rules, and so may a machine on which the network is too slow.
//
// # The hall's forms
//
// What the hall asks of any model in a form, it does by simple rules:
//
//   - a judge's form: a grade, which says that it is one by rules;
//   - a plan: the request divided along its own lists, sentences and words
//     such as "then" and "both";
//   - a subtask: the tools that its words ask for, one after the other, and a
//     report of what they said. Verified is what a tool did or computed; what
//     a search or a memory brought is inferred, since rules cannot tell
//     whether it answers the task; what it cannot do has failed;
//   - the answer of a task: the reports, joined;
//   - a voice of a committee: what its tools found, or that it does not know;
//     never an opinion. The Self joins the voices and names who differs.
//
// It recognises a form by its schema and its headings, as they stand in the
// conversation. A schema of any other form is refused with CodeUnsupported.
//
// It keeps no state, starts nothing, and is safe for concurrent use.
package rules
