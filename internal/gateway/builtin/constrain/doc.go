// Package constrain keeps what a model generates well formed: it says after
// every token which ones may follow.
//
// # First use
//
//	vocab := constrain.NewVocab(size, piece)          // once for a tokenizer
//	calls := constrain.Calls(vocab, request.Tools)    // once for a set of tools
//	guide := constrain.NewGuide(vocab, constrain.Options{Think: true, Calls: calls})
//	for !guide.Ended() {
//		id := best(logits, guide.Mask())
//		guide.Add(id)
//	}
//
// # How it works
//
// A [Grammar] is an automaton over bytes. Its states are sets of stacks: one
// frame for each value that is being written, innermost on top, and several
// stacks where a schema leaves several ways open. A mask is made by walking the
// sorted vocabulary with the automaton: a byte that does not fit rules out all
// tokens that begin so. Inside a text nearly everything fits; those tokens are
// known beforehand and only the odd ones, with quotes, escapes or parts of
// characters, are walked. Masks are kept by what distinguishes states.
//
// # What it writes
//
// JSON in the one form of the prompt: ", " and ": ", no other white space, keys
// in the order of [prompt.Keys], characters unescaped where JSON allows it. A
// call is {"name": N, "arguments": {...}} with an offered name.
//
// Schemas are followed in: type and lists of types, properties, required,
// additionalProperties, items, prefixItems, minItems, maxItems, minLength,
// maxLength, pattern, enum, const, the bounds of numbers, anyOf, oneOf, allOf
// and references within the document. What it cannot express makes it looser,
// never tighter: that only one form of oneOf fits, a pattern with word
// boundaries, two patterns at once, bounds that nothing meets. Who generates
// checks the result. Some things are narrower than JSON on purpose, since no
// schema asks for them and a small model would get lost in them: numbers have
// no exponent, at most 18 digits before the point and 12 after it; control
// characters other than those with a short escape are not written; an object
// whose schema names properties has no others unless additionalProperties says
// so, and those have ASCII names of at most 64 characters; values without a schema are at most a few levels deep.
//
// # Copying
//
// A small network spells what it copies letter by letter and gets it wrong. With
// a [Source], the conversation, the values of a call's arguments are held to it,
// by the table of [Copies]: a path or an address must be a name that stands
// there from its beginning to its end, case kept (a path also a folder, a slash
// and a name); the numbers of an expression must have been said, or be such as
// every sum may have. Words and numbers elsewhere are preferred if they were
// said, [Guide.Preferred], and not demanded. Where there is nothing to copy the
// value is free, and who asked for the call has to look at it.
//
// With [Facts] a plain answer is held to the texts that it is given from in the
// same way: its names, numbers and quotations stand in them.
//
// # Concurrency
//
// A Vocab is read only, a Grammar locks itself; a [Guide] with its [Source] and
// [Facts] is for one goroutine and one generation.
package constrain
