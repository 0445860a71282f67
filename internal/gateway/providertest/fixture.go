package providertest

import (
	"encoding/json"
	"testing"

	"moothall"
	"moothall/internal/gateway"
)

// Fixture is a provider and the scripted server behind it.
type Fixture struct {
	Provider gateway.Provider
	Model    string // a model that is there, with tools, thinking and schema
	Embedder string // a model that makes vectors; empty: the provider makes none

	// Script adds replies to those that the server will give.
	Script func(replies ...Reply)
	// Requests returns the requests for generations that the server got, in
	// order.
	Requests func() []Request
	// Abandoned has one value for each reply that the server could not
	// finish because the other side had gone. It is buffered.
	Abandoned <-chan struct{}

	NoThinking bool // the wire has no field for thinking
	NoSchema   bool // the wire has no field for a JSON schema
}

// Reply is what the server does with one request: it sends Thinking, Text and
// ToolCalls in this order, then does what the first of Hang, Die, Garbage and
// Fault that is set says, and otherwise ends as the wire ends.
type Reply struct {
	Seen      func()          // called when the request was read; may be nil
	Wait      <-chan struct{} // send nothing, not even headers, before this is closed or the other side goes
	Thinking  string
	Text      string
	Pieces    int // into how many chunks the text is cut; 0 means 3
	ToolCalls []moothall.ToolCall
	Cut       bool // the output was cut at the limit of tokens
	Prompt    int  // counts of tokens
	Output    int

	Hang    bool   // send nothing more until the other side goes
	Die     bool   // drop the connection
	Garbage string // send this where a chunk should be, then end the body
	Fault   string // send an error with this message as the wire does in mid-stream

	Failure    Failure // refuse instead of answering
	RetryAfter string  // header of a refusal
}

// Failure is a way to refuse.
type Failure string

// The failures. For each the suite wants one code.
const (
	FailModel    Failure = "unknown model"  // CodeNotFound
	FailPrompt   Failure = "prompt too big" // CodeTooLarge
	FailTools    Failure = "no tools"       // CodeUnsupported
	FailKey      Failure = "bad key"        // CodeDenied
	FailRate     Failure = "rate limit"     // CodeExhausted, with the wait
	FailRequest  Failure = "bad request"    // CodeInvalid
	FailServer   Failure = "server error"   // CodeUnavailable
	FailOverload Failure = "overloaded"     // CodeUnavailable
)

// Request is a request for a generation as the server understood it.
type Request struct {
	Model     string
	Stream    bool
	Messages  []moothall.Message // a wire with a field for the system prompt has it as the first message here
	Tools     []moothall.ToolName
	Schema    json.RawMessage
	MaxTokens int
	Stop      []string
}

// Test runs the suite.
func Test(t *testing.T, open func(t *testing.T) Fixture) {
	tests := map[string]func(*testing.T, Fixture){
		"text streams":                  textStreams,
		"whole replies":                 wholeReplies,
		"thinking":                      thinkingApart,
		"tool calls streamed":           func(t *testing.T, f Fixture) { toolCalls(t, f, false) },
		"tool calls whole":              func(t *testing.T, f Fixture) { toolCalls(t, f, true) },
		"large tool call":               largeToolCall,
		"history reaches the server":    historySent,
		"settings reach the server":     settingsSent,
		"schema":                        schemaSent,
		"cut by length":                 cutByLength,
		"empty reply":                   emptyReply,
		"large output":                  largeOutput,
		"canceled in a stream":          canceledInStream,
		"canceled before the first":     canceledBeforeFirst,
		"canceled before the call":      canceledBefore,
		"breaking out":                  breakingOut,
		"slow first token and deadline": deadline,
		"slow first token":              slowFirst,
		"disconnect":                    disconnect,
		"disconnect before the first":   disconnectFirst,
		"malformed chunk":               malformed,
		"malformed first chunk":         malformedFirst,
		"error in the stream":           faultInStream,
		"refusals":                      refusals,
		"retry after":                   retryAfter,
		"concurrent callers":            concurrent,
		"cards":                         cards,
		"embedding":                     embedding,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}
