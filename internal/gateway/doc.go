// Package gateway is the way to every model: it chooses the model, waits for
// its turn on the server, passes the answer on and writes down what it cost.
//
//	g, err := gateway.Open(gateway.Options{
//		Providers: []gateway.Provider{ollama, builtin},
//		Roles:     []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: "ollama", Model: "qwen3:8b"}},
//		State:     "models.json", Cards: "cards",
//	})
//	defer g.Close()
//	for chunk, err := range g.For(moothall.ChatHall).Generate(ctx, request) { ... }
//
// # Words
//
//   - A provider reaches the models of one server or service ([Provider]).
//     Children of this package are providers; this package imports none.
//   - A role is what code asks for. A binding maps a role, and perhaps a
//     complexity, to a model of a provider.
//   - A card says what a model can do; a probe finds out by trying.
//   - A local provider is on a machine of the person's; others are hosted,
//     and so is a model that a local server passes on to somebody else.
//
// # Which model answers
//
// The model that the request names; else the binding of its role and
// complexity, of its role, of chat and its complexity, of chat, in this
// order, bindings made at run time before configured ones; else one that is
// chosen. Embedding has the embedder's binding or a choice. The choice goes
// to the first local provider, in the order of the options, that answers and
// has a model that will do; [Best] says which of several. When a chosen
// model's server stops answering before it has given anything, the choice is
// made again, once; when it has too little memory for the model, that one is
// passed over for a while. A bound model is never replaced.
//
// Hosted models are refused with CodeDenied unless Options.AllowHosted says
// yes for the session, and they are never chosen. Not even a list is asked of
// a hosted provider without that.
//
// # Turns
//
// Calls to a local server go through a queue ([Server] has its settings):
// person before task before background, few model swaps, fair between
// sessions, and none waits for ever behind its own priority. Embeddings have
// a queue of their own beside it, because a person's recall must not wait for
// a long answer and embedders are small. Calls to hosted providers do not
// queue. The critic and the reward observer are background whatever they ask
// for. A cancelled call gives its place back at once.
//
// # What can go wrong
//
// Every error is an *[moothall.Error]; a panic of a provider or of the sink
// is caught and becomes CodeInternal. A server that says when to come back is
// asked again, twice at most, when the wait is short and nothing was given
// yet. Silence before the first chunk and between chunks is bounded. Nothing
// else is retried: the engine knows better.
//
// # What leaves the machine
//
// The bytes that calls send to other machines are measured at their
// connections, see package egress. A call's chunks carry them as they become
// known, each what came since the chunk before, so that their sum is the
// whole; a call that fails has them in a chunk of its own before the error.
// [Call].Sent has the whole, of embeddings too. A model on this machine sends
// nothing, and that is then a measurement.
//
// # Concurrency
//
// A [Gateway] is safe for concurrent use and has no goroutine of its own.
// [Gateway.Close] ends the calls that run and waits for them.
package gateway
