package tape

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// Result is what came of a run, as far as it is compared: all of it. The
// history to keep and the memories are there as digests, since the request
// and the calls hold their words.
type Result struct {
	Answer    string              `json:"answer"`
	Thinking  string              `json:"thinking,omitempty"`
	Messages  string              `json:"messages"`
	Calls     []Called            `json:"calls,omitempty"`
	Layers    []string            `json:"layers,omitempty"`
	Mends     []engine.Mend       `json:"mends,omitempty"`
	Recalls   string              `json:"recalls,omitempty"`
	Labels    moothall.Label      `json:"labels"`
	Sent      []moothall.Egress   `json:"sent,omitempty"`
	Stop      moothall.StopReason `json:"stop_reason"`
	Flags     []string            `json:"flags,omitempty"`
	Usage     moothall.Usage      `json:"usage"`
	Provider  string              `json:"provider,omitempty"`
	Model     string              `json:"model,omitempty"`
	Rounds    int                 `json:"rounds"`
	Mode      string              `json:"mode"`
	First     time.Duration       `json:"first_ns"`
	ModelTime time.Duration       `json:"models_ns"`
	Waiting   time.Duration       `json:"waiting_ns"`
	ToolTime  time.Duration       `json:"tools_ns"`
	Passed    []string            `json:"passed,omitempty"`
	Failed    []string            `json:"failed,omitempty"`
	Partial   bool                `json:"partial,omitempty"`
	Err       *Failure            `json:"error,omitempty"`
}

// Called is a tool call in a result.
type Called struct {
	Tool   moothall.ToolName   `json:"tool"`
	Args   string              `json:"args"`
	Result string              `json:"result"`
	Status moothall.CallStatus `json:"status"`
	Millis int64               `json:"ms"`
}

func resultOf(r *engine.Result) *Result {
	if r == nil {
		return nil
	}
	out := &Result{
		Answer: r.Answer, Thinking: r.Thinking, Messages: digestMessages(r.Messages), Layers: r.Layers, Mends: r.Mends,
		Labels: r.Labels, Sent: r.Sent, Stop: r.Stop, Flags: r.Flags, Usage: r.Usage, Provider: r.Provider, Model: r.Model,
		Rounds: r.Rounds, Mode: r.Mode, First: r.First, ModelTime: r.ModelTime, Waiting: r.Waiting, ToolTime: r.ToolTime,
		Passed: r.Passed, Failed: r.Failed, Partial: r.Partial, Err: failureOf(r.Err),
	}
	for _, c := range r.Calls {
		out.Calls = append(out.Calls, Called{c.Tool, string(c.Args), c.Result, c.Status, c.Millis})
	}
	if len(r.Recalls) > 0 {
		b, _ := json.Marshal(r.Recalls) // plain data always marshals
		out.Recalls = digest(b)
	}
	return out
}

// equal compares all of two results.
func (r *Result) equal(o *Result) bool {
	a, errA := json.Marshal(r)
	b, errB := json.Marshal(o)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func (r *Result) size() int {
	n := len(r.Answer) + len(r.Thinking)
	for i := range r.Calls {
		n += len(r.Calls[i].Args) + len(r.Calls[i].Result)
	}
	return n
}

// Answer puts a recorded result into the words of the front.
func (t *Tape) Answer() moothall.Answer {
	r := t.Result
	if r == nil {
		return moothall.Answer{Query: t.Given.Query, Session: t.Given.Scope.Session}
	}
	a := moothall.Answer{
		Query: t.Given.Query, Session: t.Given.Scope.Session, Provider: r.Provider, Model: r.Model, Text: r.Answer, Thinking: r.Thinking,
		Stop: r.Stop, Flags: flags(r.Flags, r.Err), Usage: r.Usage,
	}
	for _, c := range r.Calls {
		a.Tools = append(a.Tools, moothall.CalledTool{Tool: c.Tool, Args: json.RawMessage(c.Args), Result: c.Result, Status: c.Status, Millis: c.Millis})
	}
	return a
}

// AnswerOf puts a result into the words of the front.
func AnswerOf(r *engine.Result) moothall.Answer {
	if r == nil {
		return moothall.Answer{}
	}
	return moothall.Answer{
		Provider: r.Provider, Model: r.Model, Text: r.Answer, Thinking: r.Thinking, Tools: r.Calls, Recalls: r.Recalls,
		Stop: r.Stop, Flags: flags(r.Flags, failureOf(r.Err)), Usage: r.Usage,
	}
}

// flags are those of a run and why it failed, in the way of a turn's answer.
func flags(list []string, f *Failure) []string {
	if f == nil {
		return list
	}
	return append(slices.Clone(list), "failed: "+f.err().Error())
}
