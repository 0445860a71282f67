// Package passage is the work on texts that needs no model: splitting,
// naming, describing, finding the part that answers, taking the orders out of
// foreign text, and reading names and simple facts by rules.
//
//	for _, p := range passage.Split(document, 1200) {
//		store(p.Heading, passage.Name(p.Text), passage.Describe(p.Text), p.Text)
//	}
//
// It is the fallback wherever the hall has no model to ask, and the first
// step even where it has one. All functions are pure, deterministic and safe
// for concurrent use, take any bytes, and run in time linear in them.
//
// # Limits
//
// The rules are for English. Splitting works on structure and serves every
// language. [Entities] goes by capital letters and the words beside them: it
// misses names in scripts without case and takes some titles for names.
// [Relations] knows a table of sentence forms, one clause at a time, without
// pronouns other than "I" and "we", and leaves out what it is unsure of: few
// and mostly right rather than many. [Declaw] lowers the danger of planted
// orders and is no proof against them: that recalled foreign text is marked
// as such and never grants a permission is the hall's defence.
package passage
