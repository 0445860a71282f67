// Package google is the provider for Google's Gemini API.
//
//	p, err := google.New(google.Options{Key: key})
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
// Newer models take a level, those before them a budget of tokens, older ones
// neither. The provider asks in the newest way and steps back where a model
// turns it down; it remembers this per model.
//
// Calls carry a signature of the thoughts behind them, which newer models want
// to see again when the conversation goes on. The vocabulary has no place for
// it, so the provider keeps it in memory, by the id that the call came with.
// For a call whose signature is gone, after a restart or because another model
// made it, it sends the value that the service documents for this case, but
// only to models that have asked for a signature. Thinking in a request's
// messages is never sent.
//
// # Schemas
//
// Tools and answers are described in JSON schema (parametersJsonSchema,
// responseJsonSchema), which the service takes beside its own dialect: nothing
// is lost in translation.
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
// A key over plain HTTP to another machine; redirects; images of unknown
// kinds; answers that the service's filter has stopped (CodeDenied). The key
// travels in a header, never in an address.
package google
