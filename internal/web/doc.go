// Package web is the hall's HTTP face on one origin: health, events, metrics
// and the page.
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
