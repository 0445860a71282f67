package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"moothall"
	"moothall/internal/gateway"
)

// Said is a server's refusal in its own words, read from any of the forms
// that model servers use. It stands in the chain of the error that was made
// of it.
type Said struct {
	Status  int    // of HTTP; 0 when it came inside a stream
	Kind    string // the server's name for the error, its type and code
	Param   string // the field that it complains about
	Message string
	After   string // how long to wait, as in a Retry-After header
	cause   error
}

// Error names the status; the message stands in the error above it.
func (s *Said) Error() string {
	text := "refused in the stream"
	if s.Status != 0 {
		text = "HTTP status " + strconv.Itoa(s.Status)
	}
	if s.cause != nil {
		text += ": " + s.cause.Error()
	}
	return text
}

// Unwrap returns what the gateway keeps about the refusal.
func (s *Said) Unwrap() error { return s.cause }

// refused reads the body of a refusal and makes an error of it.
func (s *Stream) refused(model string) error {
	body, err := io.ReadAll(io.LimitReader(s, maxErrorBody))
	if err != nil && s.parent.Err() != nil {
		return s.fault(err)
	}
	said := Explain(body)
	said.Status = s.resp.StatusCode
	if after := retryAfter(s.resp.Header); after != "" {
		said.After = after
	}
	return s.Refuse(model, said)
}

// Refuse makes an error of a refusal. Inside a stream that has begun it is an
// interruption, whatever the server says.
func (s *Stream) Refuse(model string, said Said) error {
	said.Message = clean(s.hide(said.Message))
	said.Kind, said.Param, said.After = clean(s.hide(said.Kind)), clean(s.hide(said.Param)), s.hide(said.After)
	r := gateway.Refusal{
		Provider: s.client.Name, Model: model, Status: said.Status, Code: said.code(),
		Message: said.Message, RetryAfter: said.After, Now: time.Now(),
	}
	if s.started {
		r.Code = moothall.CodeInterrupted
	}
	err := r.Err(s.op())
	if e, ok := errors.AsType[*moothall.Error](err); ok {
		said.cause = e.Err
		e.Err = &said
	}
	return err
}

// clean makes one printable line of a server's text.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// retryAfter reads the headers that say how long to wait. OpenAI's own is in
// milliseconds and more exact.
func retryAfter(h http.Header) string {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return strconv.FormatFloat(ms/1000, 'f', -1, 64)
	}
	return h.Get("Retry-After")
}

// wordings are what servers say where their status alone is misleading. The
// first row that fits decides.
var wordings = []struct {
	code  moothall.Code
	words []string
}{
	{moothall.CodeDenied, []string{"api_key_invalid", "api key not valid", "api key expired", "authentication_error", "permission_error"}},
	{moothall.CodeExhausted, []string{"insufficient_quota", "credit balance is too low", "rate_limit_error", "resource_exhausted"}},
	{moothall.CodeTooLarge, []string{
		"context_length_exceeded", "exceed_context_size", "request_too_large", "maximum context length", "context window",
		"available context size", "prompt is too long", "longer than the maximum model length", "context the overflows",
		"greater than the context length", "exceed context limit", "exceeds the maximum number of tokens",
	}},
	{moothall.CodeUnsupported, []string{
		"tool choice requires", "requires --jinja", "support tool use", "not support function", "function calling is not enabled",
		"is not a multimodal model", "support image", "does not support embed", "start it with `--embeddings`",
	}},
	{moothall.CodeInvalid, []string{ // of a chat template, with a status of 500
		"message must be at the beginning", "tool call id", "after role 'tool'", "roles must alternate",
	}},
	{moothall.CodeNotFound, []string{"model_not_found", "not_found_error", "no such model", "could not load model", "unexpected model name"}},
}

// code is what the words say; empty leaves it to the gateway's table. A rate
// limit is one whatever the words: some speak of a request too large for it.
func (s *Said) code() moothall.Code {
	if s.Status == http.StatusTooManyRequests || s.Status == http.StatusUnauthorized || s.Status == http.StatusForbidden {
		return ""
	}
	text := strings.ToLower(s.Kind + " " + s.Message)
	for _, w := range wordings {
		if slices.ContainsFunc(w.words, func(word string) bool { return strings.Contains(text, word) }) {
			return w.code
		}
	}
	if s.Status == http.StatusNotFound { // "not found, or not supported" is still not found
		return moothall.CodeNotFound
	}
	return ""
}

// errorBody covers the shapes in which servers put errors.
type errorBody struct {
	Error   json.RawMessage `json:"error"` // an object, or a text
	Detail  json.RawMessage `json:"detail"`
	Message string          `json:"message"`
	Type    any             `json:"type"`   // a name; a number says what the status does
	Status  any             `json:"status"` // as the type
	Code    any             `json:"code"`   // a number or a name
	Param   any             `json:"param"`
	Details json.RawMessage `json:"details"` // Google's, or whatever else a server calls so
}

// detail is one of Google's details of an error.
type detail struct {
	Reason string `json:"reason"`
	Delay  string `json:"retryDelay"`
}

// Explain reads an error's body: JSON of the known shapes, or short text.
func Explain(body []byte) Said {
	var b errorBody
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0] // Google, when a stream was asked for
	}
	if json.Unmarshal(body, &b) != nil {
		if strings.HasPrefix(strings.TrimSpace(string(body)), "<") {
			return Said{} // a page for a browser says nothing to a person here
		}
		return Said{Message: string(body)}
	}
	return b.said()
}

// Faulty reports whether an event is an error rather than a piece of an
// answer, and reads it.
func Faulty(data []byte) (Said, bool) {
	var b errorBody
	if !bytes.Contains(data, []byte(`"error"`)) || json.Unmarshal(data, &b) != nil {
		return Said{}, false
	}
	var text string
	isError := len(b.Error) > 0 && string(b.Error) != "null" && (json.Unmarshal(b.Error, &text) != nil || text != "")
	return b.said(), isError
}

func (b errorBody) said() Said {
	var text string
	var inner errorBody
	switch {
	case json.Unmarshal(b.Error, &text) == nil && text != "":
		return Said{Message: text, Kind: join(b.Code)}
	case json.Unmarshal(b.Error, &inner) == nil:
		inner.Error = nil
		return inner.said()
	}
	s := Said{Message: b.Message, Kind: strings.Join(strings.Fields(join(b.Type)+" "+join(b.Status)+" "+join(b.Code)), " "), Param: join(b.Param)}
	if s.Message == "" && json.Unmarshal(b.Detail, &s.Message) != nil {
		s.Message = string(b.Detail)
	}
	var details []detail
	if json.Unmarshal(b.Details, &details) != nil {
		details = nil // of some other shape
	}
	for _, d := range details {
		s.Kind = strings.TrimSpace(s.Kind + " " + d.Reason)
		if wait, err := time.ParseDuration(d.Delay); err == nil {
			s.After = strconv.FormatFloat(wait.Seconds(), 'f', -1, 64)
		}
	}
	return s
}

func join(v any) string {
	text, _ := v.(string)
	return text
}
