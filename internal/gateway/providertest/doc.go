// Package providertest is the suite that every provider of the gateway
// passes. It speaks to a provider through the gateway's contract and to the
// server behind it through a script, so that one suite serves all wires.
//
// # First use
//
//	func TestProvider(t *testing.T) {
//		providertest.Test(t, func(t *testing.T) providertest.Fixture {
//			server := newServer(t) // speaks the real wire, answers from a script
//			p := newProvider(server.URL)
//			t.Cleanup(p.Close)
//			return providertest.Fixture{Provider: p, Model: "m", Script: server.Script, ...}
//		})
//	}
//
// The package that runs it calls goleak.VerifyTestMain, which is how leaked
// goroutines are found: every test here closes what it opened.
//
// # What a server must do
//
// It takes the replies of the script in order, one for each request that asks
// for a generation, and renders them in its own wire format, streamed or
// whole as the request says. A [Failure] is rendered with the status and the
// body that the real service uses for it.
//
// # Concurrency
//
// Each test has a fixture of its own and runs in parallel with the others.
// Script, Requests and the channel are used from several goroutines.
package providertest
