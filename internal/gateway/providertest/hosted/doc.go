// Package hosted is the suite that the providers of hosted models pass beyond
// that of all providers: real exchanges play as archived, the key shows
// nowhere, and a reply means the same in any chunking. Only tests import it.
//
// # First use
//
//	var suite = hosted.Suite{
//		Dialect: dialect{}, Model: "m", Seeds: seeds,
//		New: func(o hosted.Options) (hosted.Provider, error) { return openai.New(openai.Options{BaseURL: o.BaseURL, …}) },
//	}
//
//	func TestProvider(t *testing.T)      { suite.TestProvider(t) }
//	func TestExchanges(t *testing.T)     { suite.TestExchanges(t) }
//	func TestKeyNeverShows(t *testing.T) { suite.TestKeyNeverShows(t) }
//	func TestKeyIsKeptHome(t *testing.T) { suite.TestKeyIsKeptHome(t) }
//	func FuzzReply(f *testing.F)         { suite.FuzzReply(f) }
//
// The package that runs it calls goleak.VerifyTestMain. The flag -update
// writes what was sent and what came of it into the archives.
//
// # Servers
//
// A [Server] answers from a script, in a wire format that a [Dialect] renders,
// and so stands behind the suite of all providers. [Replay] plays an exchange
// from a text archive: what is asked, what the provider must send, what a real
// server answers to that, and what must come of it. Bytes from the server
// arrive in a given chunking. [Transport] answers every request with the same
// bytes, without a network, for fuzzing.
//
// # Concurrency
//
// A Server may be used from several goroutines. The tests run in parallel.
package hosted
