// Package mcp makes the tools of MCP servers tools of the hall.
//
// # First use
//
//	servers, err := mcp.Parse("mcp.json", data)
//	client, err := mcp.Open(servers, mcp.Options{Start: sandboxed, Pins: pins, Changed: register})
//	defer client.Close()
//	err = client.Ready(ctx)
//	for _, p := range client.Pending() { … show p to a person … client.Approve(p.From, p.Tool, p.Hash) }
//	for _, tool := range client.Tools() { … register … }
//
// # Words
//
//   - A server is an entry of the person's mcp.json: a program, started
//     through Options.Start and spoken to on its standard input and output,
//     or an address that speaks streamable HTTP.
//   - A definition is what a server says of one tool: name, description,
//     schema. It is pinned (see package pin) together with the whole entry of
//     its server, so that neither a changed text nor a changed command, nor
//     the same text from another server, passes for what was approved.
//   - Its standing says whether it may be used: approved, new, changed,
//     conflict (its name is taken) or refused (it breaks a limit).
//   - The exposed name is mcp_<server>_<tool>, at most 64 bytes. Two servers
//     cannot come to the same one: [Parse] and [Open] refuse such names.
//
// # What is believed
//
// Nothing that a server says gives it anything. Its hints about reading,
// writing and repeating are ignored: a tool of a program writes, a tool of an
// address sends, unless the person's own file says "read_only". All results
// are untrusted; those of a server that is given any folder or file besides
// its program's own are private as well. A server's requests to the hall
// (sampling, elicitation, roots) are declined. The values of secrets that it
// was given are taken out of everything that it says.
//
// # Life of a connection
//
// Each server has one goroutine: it connects, lists the tools, lists them
// again when the server says that they changed (at most once a second), and
// when the connection ends connects anew after a pause of one second that
// doubles up to a minute. While a server is away its approved tools stay and
// answer with CallUnavailable. A call that was under way when the connection
// ended is CallUnavailable, too, and its text says that it may have happened.
//
// # What is counted
//
// A call to an address carries what was measured at its connections, below
// TLS (see package egress), also when it failed or was given up. What keeps
// the connection (the greeting, the lists, the standing stream) belongs to no
// call and is not counted.
//
// # Concurrency
//
// Everything is safe for concurrent use. Options.Changed is called by the
// goroutines of servers and from Approve, without a lock held; it may call
// back. Close ends every child and waits for all goroutines and calls.
//
// # What it refuses
//
// A definition that is not approved, above the limits, or whose name is
// taken; more than 256 tools of one server; an address that is neither this
// machine nor listed in Options.Hosts; a redirect; a reference to a secret
// outside env and headers; a server when the means to reach it (Start, HTTP)
// are not given.
package mcp
