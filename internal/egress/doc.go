// Package egress measures what leaves this machine: bytes written to
// connections whose other end is another machine, counted below TLS, by the
// host that was asked for and by the call that they were written for.
//
// # First use
//
//	client := &http.Client{Transport: egress.New(&http.Transport{}, egress.Options{})}
//	tally := new(egress.Tally)
//	ctx = egress.With(ctx, tally)
//	// ... requests with ctx ...
//	fmt.Println(tally.Total()) // [{api.example 2412}]
//
// # What counts
//
// Handshakes, headers, bodies and repeated attempts, successful or not. The
// loopback, unix sockets and this machine's own addresses do not count;
// another machine in the same network does. A server on this machine that is
// known to pass a call on counts under the host that it passes it to
// ([Tally.Through]): how many bytes it really sends there nobody here can
// see, so what it was given stands for them.
//
// What cannot be told from here is left out: packet headers, questions to
// name servers, and the few bytes with which a TLS connection that nobody
// uses any more says goodbye.
//
// # How bytes find their call
//
// Connections speak HTTP/1.1, which carries one request at a time, so that
// whatever is written between two requests' beginnings belongs to the first.
// HTTP/2 would mix the bytes of several calls in one connection and is
// switched off. The tally travels in the context because a call passes
// through code that has nothing to do with counting; it changes nothing of
// what that code does, as a trace does not.
//
// # Concurrency
//
// Everything here may be used by several goroutines at once.
package egress
