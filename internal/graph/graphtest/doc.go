// Package graphtest is the contract suite of graph engines. Every engine runs
// [Test] in its own tests; nothing else imports it.
//
// First use:
//
//	func TestContract(t *testing.T) {
//		graphtest.Test(t, func(t *testing.T) graph.Engine { return open(t) })
//	}
//
// The first part checks what the comments of [graph.Engine], [graph.View] and
// [graph.Tx] promise, the second runs a [graph.Service] over the engine. Each
// test gets an empty engine of its own; tests run in parallel.
package graphtest
