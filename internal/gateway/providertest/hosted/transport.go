package hosted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"moothall"
)

// Transport answers every request with the same bytes.
type Transport struct {
	Body     []byte
	Type     string // of the content
	Bytewise bool
}

// bytewise reads one byte at a time.
type bytewise struct{ io.Reader }

func (b bytewise) Read(p []byte) (int, error) { return b.Reader.Read(p[:min(1, len(p))]) }

// RoundTrip makes it an http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body io.Reader = bytes.NewReader(t.Body)
	if t.Bytewise {
		body = bytewise{body}
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {t.Type}}, Body: io.NopCloser(body), Request: r,
	}, nil
}

// Outcome is what came of a generation, for comparison.
type Outcome struct {
	Text, Thinking string
	Calls          []string // names and arguments
	Stop           moothall.StopReason
	Code           moothall.Code
}

// Check reads a stream to its end and reports the first rule of the contract
// that it breaks.
func Check(seq func(func(moothall.Chunk, error) bool)) (Outcome, error) {
	var o Outcome
	var broken error
	over := false
	for c, err := range seq {
		switch {
		case over:
			broken = fmt.Errorf("%+v, %v follows after the end", c, err)
		case err != nil:
			o.Code, over = moothall.ErrorCode(err), true
		case c.Stop != "":
			o.Stop, over = c.Stop, true
		case c.Text == "" && c.Thinking == "" && len(c.ToolCalls) == 0:
			broken = errors.New("an empty chunk")
		}
		o.Text, o.Thinking = o.Text+c.Text, o.Thinking+c.Thinking
		for _, call := range c.ToolCalls {
			if call.ID == "" || call.Name == "" || !json.Valid(call.Arguments) {
				broken = fmt.Errorf("a call %q %q with arguments %q", call.ID, call.Name, call.Arguments)
			}
			o.Calls = append(o.Calls, string(call.Name)+string(call.Arguments))
		}
	}
	if !over {
		broken = errors.New("the stream has no end")
	}
	return o, broken
}
