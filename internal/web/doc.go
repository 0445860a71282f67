// Package web is the hall's HTTP face on one origin: the API for people's
// programs, the stream of events, metrics and the page.
//
//	s := web.New(web.Options{Client: client})
//	go s.Serve(listener)
//	defer s.Close(ctx)
//
// Its map is one table of routes, of which both the mux and the OpenAPI
// document at /openapi.json are made: the types that handlers read and write
// are those that the document names. Lists are never null; every answer that
// is not a success has the body of [Failure]. Package remote is a client.
//
// It holds a [moothall.Client], the same face that a remote program has, and
// knows no service behind it. [New] wires a [Server] without any I/O, Serve
// answers on a listener until Close.
//
// Every request passes the guard first, whatever its path: a Host header that
// is neither an address, nor localhost, nor a configured name is refused
// (DNS rebinding), a request from another site is refused, and where a token
// is set every request must carry it. Bodies, headers and times are bounded.
//
// Server-sent events are fanned out by a hub that encodes an event once for
// all listeners and keeps the last ones in a ring. A listener that falls
// behind the ring catches up from the bus: it loses events that may be
// dropped, and no others. It never holds up anybody else.
package web
