// Package pin holds foreign tools to what a person has seen of them.
//
// A tool that comes from outside (an MCP server, a process on the bus)
// describes itself, and it can describe itself otherwise tomorrow. Its
// definition is therefore pinned: a person approves it once, its hash is kept,
// and whatever has another hash is not offered until it is approved again.
//
// # First use
//
//	pins, err := pin.Open(path)
//	d := pin.Definition{Owner: "mcp:files", Identity: launch, Name: "read", Description: text, Schema: schema}
//	hash, err := pins.Get(d.Owner, d.Name)
//	if hash != d.Hash() { … ask a person, then … pins.Put(d.Owner, d.Name, d.Hash()) }
//
// # Words
//
//   - An owner is where a tool comes from, as the hall names it: "mcp:files".
//   - An identity is what the owner is in the person's configuration: the
//     command that is run, the address that is called. It is part of the
//     hash. So a copy of an approved definition under another owner is not
//     approved, nor is the same definition once another program gives it.
//
// # Concurrency
//
// Everything is safe for concurrent use. One process writes a file of pins.
//
// # What it refuses
//
// A damaged file is an error, never an empty list: nothing is approved by
// losing it, but a person should know.
package pin
