// Package bustool makes tools of the hall out of processes on the bus.
//
// A process in any language (a guest) announces a tool on tool.schema, hears
// tool.request.<name> and answers on tool.result.<name>. This package keeps
// what was announced and gives the approved ones to the broker.
//
// # First use
//
//	tools, err := bustool.New(bustool.Options{
//		Guests:    []bustool.Guest{{Name: "words", Tools: []moothall.ToolName{"word_count"}}},
//		Subscribe: func(ctx context.Context, s moothall.Subject, all bool) iter.Seq2[moothall.Event, error] { … },
//		Publish:   func(ctx context.Context, e moothall.Event) error { … },
//		Pins:      pins, Changed: register,
//	})
//	go tools.Run(ctx)
//	for _, p := range tools.Pending() { … show p to a person … tools.Approve(p.From, p.Tool, p.Hash) }
//	for _, tool := range tools.Tools() { … register … }
//
// # What travels
//
//	tool.schema          guest   {"name", "description", "parameters"}
//	tool.request.<name>  broker  {"call_id", "tool", "arguments", "expires"}
//	tool.result.<name>   guest   {"status": "ok" or "failed", "text", "data"}
//
// The result's correlation id is the id of the request's event. Fields that
// are not listed are ignored.
//
// # Who publishes the request
//
// For every other tool the broker says on tool.request.<name> that a call was
// decided. For a tool on the bus that event is the call itself: the tool's Run
// publishes it, through Options.Publish, which speaks as the broker. So a
// guest never hears of a call that was denied, and never hears of one twice,
// as long as the broker publishes no request of its own for a tool whose
// Spec().Origin begins with "bus:". Its own tool.result, cleaned and with the
// decision, may follow the guest's; the senders tell them apart.
//
// # What is believed
//
// A guest may announce the tools that the person has listed for it, and no
// others; only its own answers count, by the sender that the bus vouches for.
// Definitions are pinned (see package pin). A guest's tool writes unless the
// person has listed it as reading. Results are untrusted.
//
// # Concurrency
//
// Everything is safe for concurrent use. There are no goroutines here: Run
// belongs to the caller, and a call listens only while it lasts, so that an
// answer after its time reaches nobody. Options.Changed is called without a
// lock held.
//
// # What it refuses
//
// Two guests with one tool; a tool whose name is taken; a definition that is
// not approved or above the limits.
package bustool
