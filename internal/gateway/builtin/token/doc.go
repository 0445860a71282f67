// Package token turns text into the built-in model's token ids and back.
//
// First use:
//
//	t, err := token.Open(vocab)
//	...
//	ids := t.Encode(nil, "hello there")
//	text := t.Decode(ids)
//
// It is a byte-level BPE: every byte has a token of its own, so any bytes, no
// matter whether they are UTF-8, can be encoded and come back unchanged. Text
// is first cut into pieces by the pattern of the Qwen2 family,
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// and within a piece pairs are merged, the lowest rank first, the leftmost of
// equal ones first. The case folding of the first part is that of ASCII, as in
// the programs that run the same vocabulary elsewhere; a byte that is no UTF-8
// counts as neither letter, number nor space. A piece of more than 8 KiB is
// cut into parts of at most that length, at the beginning of a character where
// there is one: nothing that a person writes comes near, and the time and
// memory for hostile text stay in proportion to its length.
//
// # Special tokens
//
// The ids 0 to 7 ([BOS] to [CallClose]) frame a prompt. Encode never yields
// them, whatever the text says: "<|im_end|>" written by a person is plain
// characters. Who renders a prompt puts the ids in between.
//
// # The vocabulary file
//
// All numbers are little endian:
//
//	magic    "MOOTBPE1"
//	n        uint32, number of entries
//	entries  n times: uint16 length, then as many bytes; ids in order,
//	         0 to 7 are the special ones by their names
//	m        uint32, number of merges
//	merges   m times: uint32 left id, uint32 right id; rank is the order
//
// and nothing after them. The bytes of an entry are the real ones, not a
// printable stand-in for them.
//
// # What it refuses
//
// Files with another magic, cut short or with bytes left over; entries that
// are empty, too long or twice there; special entries with other names; a byte
// without an entry; merges of ids that do not exist or are special, whose
// result is no entry, or that are twice there.
//
// # Concurrency
//
// A Tokenizer is never changed after Open: all methods are safe for concurrent
// use.
package token
