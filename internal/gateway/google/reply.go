package google

import (
	"encoding/json"
	"errors"
	"io"

	"moothall"
	"moothall/internal/gateway/wire"
)

// madePrefix marks ids of calls that came without one.
const madePrefix = "call_"

// reply is a whole reply, or one piece of a streamed one.
type reply struct {
	Candidates []candidate `json:"candidates"`
	Feedback   struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage `json:"usageMetadata"`
}

type candidate struct {
	Content       content `json:"content"`
	FinishReason  string  `json:"finishReason"`
	FinishMessage string  `json:"finishMessage"`
}

type usage struct {
	Prompt     int `json:"promptTokenCount"`
	Candidates int `json:"candidatesTokenCount"`
	Thoughts   int `json:"thoughtsTokenCount"`
}

// decoder reads one answer.
type decoder struct {
	stream *wire.Stream
	out    *wire.Output
	model  string
	keep   *wire.Keep
	reason string
	detail string
	usage  moothall.Usage
	seen   map[moothall.CallID]bool
}

// whole reads an answer that comes at once.
func (d *decoder) whole() error {
	var raw json.RawMessage
	if err := d.stream.JSON(&raw); err != nil {
		return err
	}
	if err := d.take(raw); err != nil {
		return err
	}
	if d.reason == "" {
		return d.stream.Malformed(errors.New("a reply without a reason to stop"))
	}
	return d.finish()
}

// events reads an answer that comes in pieces. There is no mark of the end:
// the piece with the reason to stop is the last that matters.
func (d *decoder) events() error {
	for {
		e, err := d.stream.Next()
		switch {
		case errors.Is(err, io.EOF) && d.reason == "":
			return d.stream.Cut()
		case errors.Is(err, io.EOF):
			return d.finish()
		case err != nil && d.reason != "" && d.stream.Lost():
			return d.finish() // the answer was complete
		case err != nil:
			return err
		}
		var raw json.RawMessage
		if err := d.stream.Decode(e, &raw); err != nil {
			return err
		}
		if err := d.take(raw); err != nil {
			return err
		}
	}
}

// take handles one piece, which may be an error under status 200.
func (d *decoder) take(raw json.RawMessage) error {
	if said, faulty := wire.Faulty(raw); faulty {
		return d.stream.Refuse(d.model, said)
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return d.stream.Malformed(err)
	}
	if r.Usage != nil { // counts grow from piece to piece
		d.usage.PromptTokens = max(d.usage.PromptTokens, r.Usage.Prompt)
		d.usage.OutputTokens = max(d.usage.OutputTokens, r.Usage.Candidates+r.Usage.Thoughts)
	}
	if r.Feedback.BlockReason != "" {
		d.reason, d.detail = "BLOCKED", r.Feedback.BlockReason
	}
	if len(r.Candidates) == 0 {
		return nil
	}
	c := r.Candidates[0]
	if c.FinishReason != "" {
		d.reason, d.detail = c.FinishReason, c.FinishMessage
	}
	for _, p := range c.Content.Parts {
		if !d.part(p) {
			return wire.ErrEnough
		}
	}
	return nil
}

// part handles one part and reports whether the caller wants more.
func (d *decoder) part(p part) bool {
	switch {
	case p.Call != nil && p.Call.Name == "":
		return true // a call of nothing
	case p.Call != nil:
		return d.call(p)
	case p.Thought:
		return d.out.Thinking(p.Text)
	}
	return d.out.Text(p.Text)
}

func (d *decoder) call(p part) bool {
	call := moothall.ToolCall{ID: wire.ID(p.Call.ID), Name: moothall.ToolName(p.Call.Name), Arguments: wire.Arguments(string(p.Call.Args))}
	if d.seen == nil {
		d.seen = map[moothall.CallID]bool{}
	}
	if d.seen[call.ID] {
		call.ID = wire.ID("")
	}
	d.seen[call.ID] = true
	if p.Signature != "" {
		if kept, err := json.Marshal(p.Signature); err == nil { // a string always has a JSON form
			d.keep.Put(d.model, call, kept)
		}
	}
	return d.out.Calls([]moothall.ToolCall{call})
}

// finish ends the answer for the reason that the service gave.
func (d *decoder) finish() error {
	switch d.reason {
	case "STOP":
		d.out.Finish(false, d.usage)
		return nil
	case "MAX_TOKENS":
		d.out.Finish(true, d.usage)
		return nil
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE":
		return d.stream.Refuse(d.model, wire.Said{Message: "the model made a call that cannot be read: " + d.reason + " " + d.detail})
	case "OTHER", "FINISH_REASON_UNSPECIFIED":
		return d.stream.Refuse(d.model, wire.Said{Message: "the service ended the answer without a reason: " + d.detail})
	}
	text := "the service's filter stopped the answer: " + d.reason
	if d.detail != "" {
		text += ", " + d.detail
	}
	return moothall.Fail(moothall.CodeDenied, "model "+d.model, text)
}
