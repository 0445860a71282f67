// Package wiretest holds what the tests of the hosted providers share. Only
// tests import it.
//
// A [Server] answers from a script, in a wire format that a [Dialect] renders,
// and so stands behind the providers' conformance suite:
//
//	s := wiretest.NewServer(dialect{})
//	defer s.Close()
//	p, err := openai.New(openai.Options{BaseURL: s.URL})
//
// [Replay] plays an exchange from a text archive: what is asked, what the
// provider must send, what a real server answers to that, and what must come
// of it. Bytes from the server arrive in a given chunking.
//
// [Transport] answers every request with the same bytes, without a network,
// for fuzzing.
package wiretest
