// Package moottest holds what tests of the hall share: a small working
// implementation of every contract, kept in memory, and for every contract a
// suite that each implementation passes. Only tests import it.
//
// # First use
//
// A test that needs a service takes a fake:
//
//	audit := moottest.NewAudit()
//	broker := newBroker(audit.For(moothall.ToolBroker))
//	...
//	if got := audit.Records(); len(got) != 2 {
//
// A package that implements a contract runs its suite:
//
//	func TestContract(t *testing.T) {
//		moottest.TestAudit(t, func(t *testing.T) moothall.Audit { return open(t) })
//	}
//
// Where a suite cannot know what an implementation holds, it takes a fixture
// struct instead, whose comments say what must be there.
//
// # Fakes
//
// Fakes do what the contracts promise, in the simplest way: they check their
// input, keep copies, count, and answer with the codes that the contracts
// name. Method For returns the face that one caller is handed, in the form
// that an offer takes. All are safe for concurrent use and start no
// goroutines.
//
// # Suites
//
// A suite opens a fresh service for each of its tests and checks only what
// the comments of a contract promise. It runs its tests in parallel.
package moottest
