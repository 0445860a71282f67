package broker

import "moothall"

// Strict is the reader of arguments, for fuzzing.
var Strict = strict

// Redact takes one secret out of a text.
func Redact(text, secret string) string {
	return redact(text, []moothall.Secret{moothall.NewSecret([]byte(secret))})
}

// PlainDoubt is what speaks against a query, after the person typed words and
// a private result was held.
func PlainDoubt(words, private, query string) string {
	s := &session{known: newLiterals([]byte("key")), held: held{key: []byte("key"), marks: map[mark]bool{}}}
	s.known.learnTyped(words)
	s.held.learn(private)
	return s.plainDoubt(query)
}

// Knows reports whether a text stands in what a person typed.
func Knows(words, text string) bool {
	l := newLiterals([]byte("key"))
	l.learnTyped(words)
	return l.knows(text)
}
