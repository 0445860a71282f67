// Command agentloop measures what an agent framework itself costs: how long a
// run of ten tool calls and an answer takes when the model answers at once
// and the tool does nothing.
//
//	go run . -out RESULT.md
//
// # Words
//
//   - The script is the model server: a process of its own that speaks
//     Ollama's chat and OpenAI's chat completions. It calls the tool until
//     ten tool messages are in the request, and then answers.
//   - A contestant is a framework that runs the loop against the script, in a
//     process of its own that lives as long as the comparison.
//   - A turn is some runs of one contestant, one after the other; a round
//     gives every contestant one turn. Only one contestant works at a time.
//
// A contestant times its own runs, so that the pipe to it is not measured. A
// run counts when the tool ran ten times and the answer came back; a turn
// counts when the script was asked eleven times a run. Whatever does not
// start or does not count has a row in the table that says so.
package main
