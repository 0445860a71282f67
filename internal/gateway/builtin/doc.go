// Package builtin is the model provider that runs the network inside the program.
//
// # First use
//
//	p, err := builtin.New(builtin.Options{})   // fails when there are no weights
//	defer p.Close()
//	for chunk, err := range p.Generate(ctx, request) { ... }
//
// It renders the conversation ([prompt]), runs the network ([nn]) and lets it
// say only what is well formed ([constrain]): calls have offered names and
// arguments that fit, an answer with a schema fits it. What a grammar cannot
// express is checked afterwards and is an error. Files, addresses and the
// numbers of sums in a call are copied from the conversation; a call about a
// file that nobody named, or with a number that nobody said, is not made.
//
// Where a thought names a tool, the words that the person's wish and the tools'
// lines share have a say in which, and nothing but that tool is called. Calls are
// looked at once more before they are made: where none seems to fit, none is.
//
// # What it knows
//
// The network is very small. It reads, routes and copies; it knows nothing by
// heart but itself. So a plain answer that stands on nothing is held back until
// it is complete, and unless the network was sure and spoke of what was asked,
// an honest sentence takes its place: see [Judge], where all thresholds stand.
// An answer that reports what a tool gave back or what was looked up has no
// name, number or quotation that does not stand there; where the network hardly
// knows another, the material itself is read out; what it leaves out of a short
// report is added. If the firewall found
// instructions in it and the answer does not say so, a sentence is added.
// Everything else is streamed as it comes.
//
// # What ends a generation
//
// Its own end, a stop string in plain text, the limit of tokens (StopLength, in
// JSON too), or going in circles: a thought is closed, a text ends, JSON is
// shut. Cancellation is seen within a token.
//
// # Concurrency and memory
//
// A Provider is safe for concurrent use; a few generations run at a time, others
// wait for their turn as long as their context lasts. The network is loaded at
// the first use and given back when nothing was asked of it for a while. What
// was read of a prompt is kept in a bounded cache, so that the next round of a
// conversation, or another one with the same tools, goes on from there.
package builtin
