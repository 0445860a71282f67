// Package ollamatest is a scriptable model server that speaks Ollama's native
// wire, its oddities included. Only tests import it.
//
// # First use
//
//	server := ollamatest.New(t, ollamatest.Options{})
//	server.Script(ollamatest.Reply{Thinking: "easy", Text: "four"})
//	client := ollama.New(ollama.Options{URL: server.URL})
//
// # What it does as the real server does
//
// Lines of JSON, thinking first, then content, then each call in a line of
// its own, then an empty last line with the counts; done_reason "stop" also
// with calls; calls of tools that were not offered vanish; 404 for an unknown
// model, 400 for tools or thinking that a model cannot do and for arguments
// that are a string, 500 for an option of the wrong type; truncate:false over
// num_ctx is a 400, and without it the prompt is cut in silence and
// prompt_eval_count is num_ctx. A token is a word here. Set [Options.Legacy]
// for a server from before capabilities, ids, truncate and /api/embed.
//
// Faults are fields of a [Reply]. Everything that was asked is recorded.
//
// # Concurrency
//
// A server is safe for concurrent use. It is closed when its test ends.
package ollamatest
