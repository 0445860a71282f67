// Package embed is the embedder that needs nothing installed: it turns text
// into vectors by hashing words, endings, letters and everyday concepts.
//
//	e := embed.New(embed.Options{})
//	stored := e.Embed("Ana adopted a puppy in Porto")
//	e.Observe("Ana adopted a puppy in Porto")
//	asked := e.EmbedQuery("What pets does Ana have?")
//
// # What a vector is made of
//
// A text becomes features: its words reduced to a light stem, the n-grams of
// three and four letters of every word (which survive typos and inflection),
// pairs of neighbouring words, numbers, the characters and character pairs of
// scripts written without spaces, and concepts: a small English table says
// that a puppy is a pet and that "yesterday" answers "when". Each feature adds
// its weight, with signs, at four places that its hash chooses. The sum is
// divided by its length.
//
// # Rarity, without making old vectors wrong
//
// A stored vector depends on its text alone. How rare a word is in the store
// is applied to the question only: the inner product of a plain vector and a
// weighted one is the weighted sum over what both share, so that weighting one
// side is enough, and a store that grows never has to be embedded again.
// Before the store has many texts, a prior speaks: stop words count little,
// everyday words less than others. [Embedder.Snapshot] and [Embedder.Restore]
// keep the counts over a restart; losing them loses quality, not correctness.
//
// # Promises and limits
//
// The same text gives the same bits on every machine: sums are of integers.
// [Embedder.Name] changes when features, weights or hashing do. All methods
// are safe for concurrent use. There is no understanding here: "last Tuesday"
// is two words, not a date; meaning beyond the table of concepts is not seen;
// stems and concepts are English, other languages live by n-grams. Only the
// first 256 KiB of a text count: split longer ones.
package embed
