package shell

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
)

// data is the result for programs.
type data struct {
	Exit     int    `json:"exit"`
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	Signal   string `json:"signal,omitempty"`
	TimedOut bool   `json:"timed_out,omitempty"`
	Cut      bool   `json:"cut,omitempty"`
	Millis   int64  `json:"ms"`
}

func result(r moothall.ToolRun, o Outcome) (moothall.ToolResult, error) {
	d := data{
		Exit: o.Exit, Stdout: clean(o.Stdout), Stderr: clean(o.Stderr),
		Signal: o.Signal, TimedOut: o.TimedOut, Cut: o.Cut, Millis: o.Took.Milliseconds(),
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return moothall.ToolResult{}, fmt.Errorf("tool result: %w", err)
	}
	res := moothall.ToolResult{
		Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK,
		Text: d.text(o.Took), Data: raw, Labels: moothall.Private, Took: o.Took,
	}
	if o.Exit != 0 || o.TimedOut {
		res.Status = moothall.CallFailed
	}
	if o.Cut {
		res.Cut = "output beyond the sandbox's limit"
	}
	return res, nil
}

// text is the result for a model.
func (d data) text(took time.Duration) string {
	var b strings.Builder
	switch {
	case d.TimedOut:
		fmt.Fprintf(&b, "Ended: the time limit was reached after %s.\n", took.Round(time.Millisecond))
	case d.Signal == "SIGXCPU":
		fmt.Fprintf(&b, "Ended: its processor time was used up after %s.\n", took.Round(time.Millisecond))
	case d.Signal != "":
		fmt.Fprintf(&b, "Exit status %d (signal %s) after %s.\n", d.Exit, d.Signal, took.Round(time.Millisecond))
	default:
		fmt.Fprintf(&b, "Exit status %d after %s.\n", d.Exit, took.Round(time.Millisecond))
	}
	for _, part := range []struct{ name, text string }{{"stdout", d.Stdout}, {"stderr", d.Stderr}} {
		if part.text != "" {
			fmt.Fprintf(&b, "--- %s\n%s\n", part.name, strings.TrimRight(part.text, "\n"))
		}
	}
	if d.Stdout == "" && d.Stderr == "" {
		b.WriteString("There was no output.\n")
	}
	if d.Cut {
		b.WriteString("[output cut: it was longer than the limit]\n")
	}
	return b.String()
}

// clean makes text of what a program wrote.
func clean(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\x00", "\uFFFD")
}

// failed is a result that tells the model what it can do instead.
func failed(r moothall.ToolRun, text string) moothall.ToolResult {
	return moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallFailed, Text: text}
}
