package anthropic

import (
	"encoding/json"
	"errors"
	"io"

	"moothall"
	"moothall/internal/gateway/sse"
	"moothall/internal/gateway/wire"
)

// event is any of the events of a stream.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message reply  `json:"message"`
	Block   block  `json:"content_block"`
	Delta   struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		Signature  string `json:"signature"`
		Partial    string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

// reply is a whole reply, or the beginning of a streamed one.
type reply struct {
	Content    []block `json:"content"`
	StopReason string  `json:"stop_reason"`
	Usage      usage   `json:"usage"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  string          `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Data      string          `json:"data,omitempty"` // of thoughts that are not shown
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}

type usage struct {
	Input      int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Output     int `json:"output_tokens"`
}

// decoder reads one answer.
type decoder struct {
	stream     *wire.Stream
	out        *wire.Output
	model      string
	answerTool bool
	keep       *wire.Keep
	atOnce     bool // the reply is whole

	open     map[int]*block // by index, as far as it came
	thoughts []signed       // signed, in order
	calls    wire.Calls
	reason   string
	usage    moothall.Usage
}

// signed is a block of thoughts as it must be sent back. Its text is always
// there, even when it is empty.
type signed struct {
	Type      string  `json:"type"`
	Thinking  *string `json:"thinking,omitempty"`
	Signature string  `json:"signature,omitempty"`
	Data      string  `json:"data,omitempty"`
}

// whole reads an answer that comes at once.
func (d *decoder) whole() error {
	var r reply
	if err := d.stream.JSON(&r); err != nil {
		return err
	}
	if r.StopReason == "" {
		return d.stream.Malformed(errors.New("a reply without a reason to stop"))
	}
	d.count(r.Usage)
	d.reason, d.atOnce = r.StopReason, true
	for i, b := range r.Content {
		if err := d.begin(i, b); err != nil {
			return err
		}
		d.end(i)
	}
	return d.finish()
}

// events reads an answer that comes in pieces.
func (d *decoder) events() error {
	for {
		raw, err := d.stream.Next()
		switch {
		case errors.Is(err, io.EOF):
			return d.stream.Cut()
		case err != nil:
			return err
		}
		done, err := d.event(raw)
		if err != nil {
			return err
		}
		if done {
			return d.finish()
		}
	}
}

// event handles one event and reports whether it was the last.
func (d *decoder) event(raw sse.Event) (bool, error) {
	var e event
	if err := d.stream.Decode(raw, &e); err != nil {
		return false, err
	}
	switch e.Type {
	case "message_start":
		d.count(e.Message.Usage)
	case "content_block_start":
		return false, d.begin(e.Index, e.Block)
	case "content_block_delta":
		return false, d.delta(e)
	case "content_block_stop":
		d.end(e.Index)
	case "message_delta":
		d.count(e.Usage)
		if e.Delta.StopReason != "" {
			d.reason = e.Delta.StopReason
		}
	case "message_stop":
		return true, nil
	case "error":
		return false, d.stream.Refuse(d.model, wire.Explain(raw.Data))
	}
	return false, nil // pings, and events that later versions of the wire add
}

// count takes over what is counted so far: later counts include earlier ones.
func (d *decoder) count(u usage) {
	d.usage.PromptTokens = max(d.usage.PromptTokens, u.Input+u.CacheWrite+u.CacheRead)
	d.usage.OutputTokens = max(d.usage.OutputTokens, u.Output)
}

// begin takes a block with what it holds already: all of it in a whole reply,
// next to nothing in a stream.
func (d *decoder) begin(index int, b block) error {
	if d.open == nil {
		d.open = map[int]*block{}
	}
	d.open[index] = &b
	ok := true
	switch b.Type {
	case "text":
		ok = d.out.Text(b.Text)
	case "thinking":
		ok = d.out.Thinking(b.Thinking)
	case "tool_use":
		input := string(b.Input)
		if !d.atOnce {
			input = "" // a stream begins with an empty object; the pieces follow
		}
		return d.input(index, input)
	}
	if !ok {
		return wire.ErrEnough
	}
	return nil
}

// input adds to the arguments of a call, or to the answer where the call
// stands for it.
func (d *decoder) input(index int, text string) error {
	b := d.open[index]
	if d.answerTool && b.Name == answerTool {
		if !d.out.Text(text) {
			return wire.ErrEnough
		}
		return nil
	}
	d.calls.Add(index, b.ID, b.Name, text)
	return nil
}

// delta adds to a block.
func (d *decoder) delta(e event) error {
	b := d.open[e.Index]
	if b == nil {
		return d.stream.Malformed(errors.New("a piece of a block that was not begun"))
	}
	ok := true
	switch e.Delta.Type {
	case "text_delta":
		ok = d.out.Text(e.Delta.Text)
	case "thinking_delta":
		b.Thinking += e.Delta.Thinking
		ok = d.out.Thinking(e.Delta.Thinking)
	case "signature_delta":
		b.Signature += e.Delta.Signature
	case "input_json_delta":
		return d.input(e.Index, e.Delta.Partial)
	}
	if !ok {
		return wire.ErrEnough
	}
	return nil
}

// end notes a block of thoughts for the way back.
func (d *decoder) end(index int) {
	b := d.open[index]
	delete(d.open, index)
	switch {
	case b == nil:
	case b.Type == "thinking" && b.Signature != "":
		d.thoughts = append(d.thoughts, signed{Type: b.Type, Thinking: &b.Thinking, Signature: b.Signature})
	case b.Type == "redacted_thinking":
		d.thoughts = append(d.thoughts, signed{Type: b.Type, Data: b.Data})
	}
}

// finish ends the answer for the reason that the service gave.
func (d *decoder) finish() error {
	if d.reason == "refusal" {
		return moothall.Fail(moothall.CodeDenied, "model "+d.model, "the service declined to answer")
	}
	cut := d.reason == "max_tokens" || d.reason == "model_context_window_exceeded"
	calls := d.calls.List(cut)
	if len(calls) > 0 && len(d.thoughts) > 0 {
		if kept, err := json.Marshal(d.thoughts); err == nil { // strings always have a JSON form
			d.keep.Put(d.model, calls[0], kept)
		}
	}
	if !d.out.Calls(calls) {
		return wire.ErrEnough
	}
	d.out.Finish(cut, d.usage)
	return nil
}
