package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"moothall"
	"moothall/internal/gateway/wire"
)

// reply is a whole reply, or one piece of a streamed one.
type reply struct {
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
}

type choice struct {
	Message      delta  `json:"message"`
	Delta        delta  `json:"delta"`
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content          content    `json:"content"`
	Refusal          string     `json:"refusal"`
	ReasoningContent string     `json:"reasoning_content"`
	Reasoning        string     `json:"reasoning"`
	ToolCalls        []fragment `json:"tool_calls"`
}

type fragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// content is a text, or a list of parts that hold one.
type content string

// UnmarshalJSON reads either form.
func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil { // null leaves it empty
		*c = content(text)
		return nil
	}
	var parts []part
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

// arguments are JSON in a string, or the JSON itself.
type arguments string

// UnmarshalJSON reads either form.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*a = arguments(text)
		return nil
	}
	*a = arguments(b)
	return nil
}

// decoder reads one answer.
type decoder struct {
	stream *wire.Stream
	out    *wire.Output
	model  string
	calls  wire.Calls
	next   int // index for a call that comes without one
	reason string
	usage  moothall.Usage
}

// whole reads an answer that comes at once.
func (d *decoder) whole() error {
	var raw json.RawMessage
	if err := d.stream.JSON(&raw); err != nil {
		return err
	}
	r, err := d.read(raw)
	switch {
	case err != nil:
		return err
	case len(r.Choices) == 0:
		return d.stream.Malformed(errors.New("a reply without a choice"))
	}
	if err := d.take(r, r.Choices[0].Message); err != nil {
		return err
	}
	return d.finish()
}

// events reads an answer that comes in pieces.
func (d *decoder) events() error {
	done := false
	for !done {
		e, err := d.stream.Next()
		switch {
		case errors.Is(err, io.EOF) && d.reason == "":
			return d.stream.Cut()
		case errors.Is(err, io.EOF):
			return d.finish()
		case err != nil && d.reason != "" && d.stream.Lost():
			return d.finish() // the answer was complete, only its count is lost
		case err != nil:
			return err
		}
		if done = string(bytes.TrimSpace(e.Data)) == "[DONE]"; done {
			break
		}
		if e.Name == "error" {
			return d.stream.Refuse(d.model, wire.Explain(e.Data))
		}
		var raw json.RawMessage
		if err := d.stream.Decode(e, &raw); err != nil {
			return err
		}
		r, err := d.read(raw)
		if err != nil {
			return err
		}
		if len(r.Choices) > 0 {
			err = d.take(r, r.Choices[0].Delta)
		} else {
			err = d.take(r, delta{})
		}
		if err != nil {
			return err
		}
	}
	return d.finish()
}

// read decodes one value, which may be an error under status 200.
func (d *decoder) read(raw json.RawMessage) (reply, error) {
	var r reply
	if said, faulty := wire.Faulty(raw); faulty {
		return r, d.stream.Refuse(d.model, said)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, d.stream.Malformed(err)
	}
	return r, nil
}

// take handles one piece.
func (d *decoder) take(r reply, piece delta) error {
	if r.Usage != nil {
		d.usage.PromptTokens, d.usage.OutputTokens = r.Usage.PromptTokens, r.Usage.CompletionTokens
	}
	if len(r.Choices) > 0 && r.Choices[0].FinishReason != "" {
		d.reason = r.Choices[0].FinishReason
	}
	thinking := piece.ReasoningContent
	if thinking == "" {
		thinking = piece.Reasoning
	}
	for _, f := range piece.ToolCalls {
		d.fragment(f)
	}
	if !d.out.Thinking(thinking) || !d.out.Text(string(piece.Content)) || !d.out.Text(piece.Refusal) {
		return wire.ErrEnough
	}
	return nil
}

// fragment adds to a call. Without an index, an id or a name begins a call
// and anything else belongs to the one before.
func (d *decoder) fragment(f fragment) {
	var index int
	switch {
	case f.Index != nil:
		index = *f.Index
	case f.ID != "" || f.Function.Name != "" || d.next == 0:
		d.next--
		index = d.next // negative: never an index of the wire
	default:
		index = d.next
	}
	d.calls.Add(index, f.ID, f.Function.Name, string(f.Function.Arguments))
}

// finish ends the answer for the reason that the server gave.
func (d *decoder) finish() error {
	if d.reason == "content_filter" {
		return moothall.Fail(moothall.CodeDenied, "model "+d.model, "the service's content filter stopped the answer")
	}
	cut := d.reason == "length"
	if !d.out.Calls(d.calls.List(cut)) {
		return wire.ErrEnough
	}
	d.out.Finish(cut, d.usage)
	return nil
}
