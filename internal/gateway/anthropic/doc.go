// Package anthropic is the provider for Anthropic's Messages API.
//
//	p, err := anthropic.New(anthropic.Options{Key: key})
//	defer p.Close()
//	for chunk, err := range p.Generate(ctx, request) { … }
//
// The wire is small, so it is written here with net/http and encoding/json:
// that is less code than the types of an SDK, and no dependency.
//
// System messages, wherever they stand, are joined into the one system prompt
// that the wire has.
//
// # Thinking
//
// Newer models decide for themselves how much to think ("adaptive", with an
// effort); older ones take a budget of tokens. The provider asks in the newer
// way, and in the older way where a model turns that down; it remembers this
// per model. A budget is added to the limit of tokens, which on this wire
// covers the thoughts too.
//
// A thought is signed, and in a conversation that goes on after a tool call
// the service wants the signed thoughts that came before the call. The
// vocabulary has no place for them, so the provider keeps them in memory, by
// the id that the call came with, and sends them back with it. They are the service's own
// words of that very turn; thinking in a request's messages is never sent.
// After a restart they are gone: an older model is then asked for the next
// message without thinking.
//
// # Schemas
//
// An answer that must fit a schema is asked for with output_config. A model
// that has no such thing gets the schema as a tool that it must use; the
// arguments of that call are the answer's text.
//
// # Place
//
// The provider counts as hosted whatever its address: a server of this kind
// on this machine passes calls on.
//
// # Concurrency
//
// A [Provider] is safe for concurrent use and starts no goroutine. Close ends
// idle connections.
//
// # What it refuses
//
// Embeddings, which the service does not make (CodeUnsupported); a key over
// plain HTTP to another machine; redirects; images of unknown kinds; answers
// that the service declined to give (CodeDenied). The wire has no seed: one
// that is asked for has no effect.
package anthropic
