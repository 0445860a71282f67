// Package openai is the provider for servers that speak OpenAI's chat
// completions: OpenAI itself, llama.cpp's server, vLLM, LM Studio, LocalAI and
// others.
//
//	p, err := openai.New(openai.Options{BaseURL: "http://127.0.0.1:8080/v1"})
//	defer p.Close()
//	for chunk, err := range p.Generate(ctx, request) { … }
//
// The wire is small, so it is written here with net/http and encoding/json:
// that is less code than the types of an SDK, and no dependency.
//
// # Where servers differ
//
//   - Thoughts come as reasoning_content (llama.cpp, LM Studio, older vLLM) or
//     as reasoning (vLLM, Ollama). Both are read. OpenAI shows none here.
//   - Arguments of calls come as a string, in fragments, or as an object.
//   - Ids and indexes of calls may be missing or all the same.
//   - Counts of tokens come at the end of a stream only when asked for with
//     stream_options; from a server that refuses to count they are estimated.
//   - The stream may end with [DONE] or just end. One that has said neither
//     why it stops nor [DONE] was cut off.
//   - Some chat templates take one system message, at the beginning, where
//     others take several anywhere.
//   - Mistral's models take ids of calls that have nine letters and digits, and
//     no words of the user right after results.
//   - A limit is called max_completion_tokens by OpenAI and max_tokens by the
//     others.
//   - Thinking is asked for with reasoning_effort at OpenAI. Elsewhere it is a
//     variable of the chat template, and a level is sent as both.
//
// A server that turns a request down because of one of these, or because it
// takes no temperature or seed, gets it again without; the provider remembers
// this per model. A wish for thinking, temperature or seed is no more than
// that: it yields to getting an answer. Tools and schemas do not: a server
// that cannot do them says so, with CodeUnsupported.
//
// # Concurrency
//
// A [Provider] is safe for concurrent use and starts no goroutine. Close ends
// idle connections.
//
// # What it refuses
//
// A key over plain HTTP to another machine, redirects, images of unknown
// kinds, and answers that the service's filter has stopped (CodeDenied).
package openai
