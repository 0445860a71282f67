package wire

import (
	"errors"

	"moothall"
)

// ErrEnough is what a decoder returns when the caller wants no more.
var ErrEnough = errors.New("the caller has left")

// Output turns what a decoder finds into chunks. Its methods report whether
// the caller wants more.
type Output struct {
	stream *Stream
	yield  func(moothall.Chunk, error) bool
	whole  bool
	held   moothall.Chunk // the one chunk of a whole reply, until it is complete
	calls  bool
	bytes  int // of all output, for an estimate
	prompt int
	over   bool
}

// NewOutput yields to the caller of Generate. r is what was asked.
func NewOutput(s *Stream, r moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) *Output {
	return &Output{stream: s, yield: yield, whole: r.Whole, prompt: promptBytes(r)}
}

// Read has a decoder read the reply, as one value or event by event, as it
// comes. What the decoder could not read is the output's last word.
func (o *Output) Read(whole, events func() error) {
	read := events
	if o.whole || o.stream.Whole() {
		read = whole
	}
	if err := read(); err != nil && !errors.Is(err, ErrEnough) {
		o.Fail(err)
	}
}

// Thinking adds to the thoughts.
func (o *Output) Thinking(text string) bool {
	o.held.Thinking += text
	return o.pass(len(text))
}

// Text adds to the answer.
func (o *Output) Text(text string) bool {
	o.held.Text += text
	return o.pass(len(text))
}

// Calls adds complete calls.
func (o *Output) Calls(calls []moothall.ToolCall) bool {
	n := 0
	for _, c := range calls {
		n += len(c.Name) + len(c.Arguments)
	}
	o.held.ToolCalls = append(o.held.ToolCalls, calls...)
	o.calls = o.calls || len(calls) > 0
	return o.pass(n)
}

// pass yields what is held unless the reply is to be whole.
func (o *Output) pass(n int) bool {
	o.bytes += n
	if n == 0 || o.whole || o.over {
		return !o.over
	}
	return o.flush()
}

func (o *Output) flush() bool {
	chunk := o.held
	o.held = moothall.Chunk{}
	o.stream.Started()
	o.over = !o.yield(chunk, nil)
	return !o.over
}

// Finish yields the last chunk. cut says that the output ended at a limit.
func (o *Output) Finish(cut bool, usage moothall.Usage) {
	if o.over {
		return
	}
	o.held.Stop = moothall.StopDone
	switch {
	case cut:
		o.held.Stop = moothall.StopLength
	case o.calls:
		o.held.Stop = moothall.StopTools
	}
	if usage.PromptTokens == 0 && usage.OutputTokens == 0 {
		usage.PromptTokens, usage.OutputTokens = estimate(o.prompt), estimate(o.bytes)
	}
	usage.Calls = 1
	o.held.Usage = usage
	o.flush()
	o.over = true
}

// Fail yields an error, after what a whole reply held so far.
func (o *Output) Fail(err error) {
	if o.over {
		return
	}
	if o.held.Text != "" || o.held.Thinking != "" || len(o.held.ToolCalls) > 0 {
		if !o.flush() {
			return
		}
	}
	o.over = true
	o.yield(moothall.Chunk{}, err)
}

// estimate is for servers that do not count: about four bytes a token.
func estimate(bytes int) int { return (bytes + 3) / 4 }

func promptBytes(r moothall.GenerateRequest) int {
	n := len(r.Schema)
	for _, m := range r.Messages {
		n += len(m.Content)
		for _, c := range m.ToolCalls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return n
}
