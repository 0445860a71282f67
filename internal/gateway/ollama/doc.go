// Package ollama is the provider for Ollama servers, on their native wire.
//
//	p, err := ollama.New(ollama.Options{URL: "http://127.0.0.1:11434"})
//	defer p.Close()
//	for chunk, err := range p.Generate(ctx, request) { ... }
//
// The native API is used because the OpenAI-compatible one of the same
// server has no field for the window, sets a temperature of its own and
// loses calls.
//
// # The window
//
// num_ctx is always sent: what the request asks for, else what the person
// wrote into the Modelfile, else [Options.Window]; never more than the model
// has. It stays the same from call to call, because another number makes the
// server load the model again. truncate:false and shift:false are always
// sent. Servers from before these fields drop the front of a long prompt and
// answer as if nothing had happened. Therefore a prompt of more words than
// the window has tokens is not sent at all, and prompt_eval_count is compared
// with the window and with a low estimate of what was sent: a prompt that was
// evidently cut is CodeTooLarge with the numbers and the largest parts,
// never an answer. In a stream the count comes last: the chunks that came
// before the error are of an answer to something else.
//
// # Special tokens
//
// The server reads <|im_end|> and its like as control tokens wherever they
// stand, so a page that a tool fetched could end its turn and speak as the
// system. In messages of the roles tool and user such marks are broken up
// with a space after their first character; in tool results the tags that
// frame calls and results are broken too. The space is there to be seen: an
// invisible character would end up in files that a model copies from. System
// and assistant messages are left alone. The first are the hall's own words
// and may teach a model its marks; the second are what the model wrote, and
// changed examples would be imitated.
//
// # What servers do, and what is made of it
//
//   - A stream that ends properly without a last line: the server stops a
//     model that repeats one token so. It becomes StopRepetition when the
//     output does repeat, and CodeInterrupted when it does not.
//   - {"error": ...} in a line under status 200: the error that it is.
//   - A call of a tool that was not offered is swallowed by the server. What
//     remains is an answer without text and calls, with OutputTokens above 0.
//   - Arguments in the history must be objects; others are wrapped.
//   - A 404 in plain text is a path that the server does not know, and not a
//     missing model. /api/embed then falls back to the older /api/embeddings.
//   - Servers without capabilities in /api/show: read from the template.
//   - Cloud models answer elsewhere: [Provider.Outside] says where.
//
// # Concurrency
//
// A [Provider] is safe for concurrent use and starts no goroutines beyond
// those of net/http; List asks for details four at a time and waits for them.
package ollama
