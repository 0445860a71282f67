package broker

import "moothall"

// Strict is the reader of arguments, for fuzzing.
var Strict = strict

// Redact takes one secret out of a text.
func Redact(text, secret string) string {
	return redact(text, []moothall.Secret{moothall.NewSecret([]byte(secret))})
}

// Knows reports whether a text stands in what a person typed.
func Knows(words, text string) bool {
	l := newLiterals([]byte("key"))
	l.learnTyped(words)
	return l.knows(text)
}
