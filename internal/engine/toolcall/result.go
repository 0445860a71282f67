package toolcall

import (
	"strings"

	"moothall"
)

// Options say what the text is a reply to. A nil *Options is an empty one.
type Options struct {
	// Tools are the tools on offer. Only their names and aliases count.
	Tools []moothall.ToolSpec
	// Family hints at the model's family ("qwen3", "cogito"); it may be empty
	// or unknown. It only breaks ties between readings of the same text.
	Family string
	// ThinkingPrefilled says that the prompt already opened the thinking, so
	// that the text starts inside it.
	ThinkingPrefilled bool
}

// Result is what a reply says. Content and Thinking carry no white space at
// either end; what stands inside is kept byte by byte.
type Result struct {
	// Calls are the calls in their order. Name is the tool's own name, also
	// where the model used an alias. ID is empty unless the form carries one.
	Calls    []moothall.ToolCall
	Content  string
	Thinking string
	// Layer names the form that gave the first call or problem: "json",
	// "fenced", "pythonic", "line", "harmony" or "tagged:" and the tag; empty
	// when the reply is text only.
	Layer string
	// Problems are the calls that could not be read or name no tool on offer.
	Problems []Problem
	// Mends say what was repaired on the way, in words.
	Mends []string
}

// Problem is a call that was meant and cannot be made.
type Problem struct {
	Name string // the tool's name as written, where it could be read
	Text string // for the model: what is wrong and how to write it right
	Raw  string // the text of the call
}

// Kind says what a [Piece] is.
type Kind uint8

// The kinds of pieces.
const (
	// Text is a part of the content.
	Text Kind = iota + 1
	// Thinking is a part of the thinking.
	Thinking
	// Rethink carries no text. It says that all [Text] pieces so far were
	// thinking: the closing tag came and no opening one ever did.
	Rethink
)

// Piece is a part of a reply that is certain while the reply still streams.
type Piece struct {
	Kind Kind
	Text string
}

// Join folds pieces as a person's screen would: what it returns equals the
// Content and Thinking of the [Result] when given all pieces of a reply.
func Join(pieces []Piece) (content, thinking string) {
	var c, t strings.Builder
	for _, p := range pieces {
		switch p.Kind {
		case Text:
			c.WriteString(p.Text)
		case Thinking:
			t.WriteString(p.Text)
		case Rethink:
			t.WriteString(c.String())
			c.Reset()
		}
	}
	return c.String(), t.String()
}
