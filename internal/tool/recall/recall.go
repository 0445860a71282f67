package recall

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"moothall"
)

// Options configure the tools.
type Options struct {
	// Now is the clock that ages are counted by. Nil means time.Now.
	Now func() time.Time
}

func (o Options) filled() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Tools returns all three, to be registered with a broker.
func Tools(m moothall.Memory, o Options) []moothall.Tool {
	return []moothall.Tool{NewRead(m, o), NewWrite(m, o), NewGraph(m, o)}
}

// The limits of the tools.
const (
	timeout   = 20 * time.Second
	maxResult = 16 << 10 // bytes of a result's text
	maxPiece  = 4 << 10  // bytes of one entry in it
	roomNotes = 400      // bytes kept free for what is said about the rest
)

// result fills in what all results have.
func result(r moothall.ToolRun, status moothall.CallStatus, text string) moothall.ToolResult {
	return moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: status, Text: text}
}

// failed turns a failure into a result that a model can read. Only a caller
// who left gets an error.
func failed(ctx context.Context, r moothall.ToolRun, err error) (moothall.ToolResult, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return moothall.ToolResult{}, ctx.Err()
	}
	status := moothall.CallFailed
	switch moothall.ErrorCode(err) {
	case moothall.CodeNotConfigured, moothall.CodeUnavailable, moothall.CodeTimeout, moothall.CodeCanceled, moothall.CodeInterrupted:
		status = moothall.CallUnavailable
	}
	return result(r, status, reason(err)), nil
}

// reason is what of an error may be shown: never its cause.
func reason(err error) string {
	text := "The memory could not do this."
	var e *moothall.Error
	switch {
	case errors.As(err, &e) && e.Message != "":
		text = "The memory says: " + cut(oneLine(e.Message), 500) + "."
	case moothall.ErrorCode(err) == moothall.CodeTimeout:
		text = "The memory did not answer in time."
	}
	if remedy := moothall.ErrorRemedy(err); remedy != "" {
		text += " What the person can do: " + cut(oneLine(remedy), 300) + "."
	}
	return text
}

// encode writes a result's data, which is made of plain values only.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // a score that is no number; the text says it all
	}
	return b
}

// outside reports whether content counts as foreign. Trust that is not stated
// is none.
func outside(t moothall.Trust) bool {
	return t != moothall.TrustPerson && t != moothall.TrustModel
}

// origin names where content comes from, for the tag of a result.
func origin(t moothall.Trust) string {
	if outside(t) {
		return string(moothall.TrustExternal)
	}
	return string(t)
}
