// Command gateway measures what a gateway adds to a call of a model server:
// 64 streams at once through Moothall's, through a bare Go reverse proxy and
// through Portkey's, and straight to the server, in one run.
//
//	go run . -out RESULT.md
//
// The server is a process of its own that answers as a model does: the first
// token after a while, then one after the other. Into the first and the last
// token it writes how long it had the request by then, so that what is left
// of a client's waiting time is the way there and back: its own pauses, and
// how exactly it keeps them, are not measured.
//
// Ways take turns, block by block; a block is 64 clients that each make some
// requests, begun apart from each other. What a way adds is the difference of
// its median to that of the straight way on the same wire in the same run.
package main
