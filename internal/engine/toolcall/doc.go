// Package toolcall reads what language models really emit: it takes the raw
// text of a reply and gives the tool calls in it, the content for the person
// and the thinking.
//
//	res := toolcall.Parse(reply, &toolcall.Options{Tools: tools})
//	for _, c := range res.Calls {
//		args, mends, err := toolcall.Coerce(spec[c.Name], c.Arguments)
//		...
//	}
//
// A [Reader] does the same while the reply streams. However the text is cut,
// down to single bytes, it gives the [Result] that [Parse] gives for the
// whole, and the pieces it hands out join to that result's Content and
// Thinking (see [Join]). Text flows out at once; what is held back is white
// space at the end, the start of a possible marker, and a possible call until
// it is complete.
//
// # How it reads
//
// One lexer knows the markers of all families (the table in marks.go): tags,
// special tokens, brackets, the headers of harmony. One grammar reads what a
// marker announces (block.go): JSON in its usual shapes, Python calls,
// elements with parameters, a name followed by arguments. One value reader
// serves JSON, Python and Gemma's notation. Calls without a marker are read
// where nothing else can be meant: an object that is a call and nothing else,
// a list of Python calls, a fence that is the whole answer or was announced,
// name {json} on a line.
//
// Thinking ends at its closing marker, code excepted. A call inside thinking
// counts when the thinking is never closed. A closing tag that nothing opened
// makes all text before it thinking; a stream tells that with a [Rethink].
//
// # What it refuses
//
// Only names and aliases of tools on offer are called. Code, quotations and
// what the text introduces as an example are never executed, nor is what a
// message addresses to the user. A call that does not read, or that the end
// of the reply cut, becomes a [Problem] that the model can read; it is never
// completed by guessing. A call of an unknown tool stays content and is a
// Problem too.
//
// The package is pure: no input or output, no goroutines, no clock. Time is
// linear in the length of the text: an attempt that fails consumes what it
// has looked at. Parse and Coerce are safe for concurrent use; a Reader is not.
package toolcall
