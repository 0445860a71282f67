package gateway

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// Refusal is a server's answer that is not a success, in the words that all
// HTTP servers share. Providers fill it in and return its [Refusal.Err].
type Refusal struct {
	Provider   string
	Model      string
	Status     int           // HTTP status; 0 when an error came in a stream
	Code       moothall.Code // what the provider knows better than the table below; may be empty
	Message    string        // the server's own words
	RetryAfter string        // the header of that name, seconds or an HTTP date
	Now        time.Time     // what a date in RetryAfter counts from; zero means that a date is ignored
}

// Err classifies the refusal.
func (r Refusal) Err(op string) error {
	e := &moothall.Error{Code: r.Code, Op: op, Message: r.text()}
	if e.Code == "" {
		e.Code = r.classify()
	}
	switch e.Code {
	case moothall.CodeNotFound:
		e.Remedy = "list what is there with 'moothall model list', or fetch it with 'moothall model pull " + r.Model + "'"
	case moothall.CodeDenied:
		e.Remedy = "check the key that the configuration names for " + r.Provider
	case moothall.CodeExhausted:
		e.Remedy = "wait, or use another model"
	}
	if wait, ok := parseRetryAfter(r.RetryAfter, r.Now); ok {
		e.Err = &retryAfter{wait}
	} else if e.Code == moothall.CodeUnavailable && r.has("more system memory", "out of memory", "not enough memory", "insufficient memory") {
		e.Remedy, e.Err = "use a smaller model, or make room on the server", errNoRoom
	}
	return e
}

// errNoRoom is the cause where a server has too little memory for a model.
var errNoRoom = errors.New("the server has too little memory for the model")

// text says who said what. The server's words are cut: they may hold a whole
// page of HTML.
func (r Refusal) text() string {
	said := strings.ToValidUTF8(strings.TrimSpace(r.Message), "?")
	if len(said) > 300 {
		said = strings.ToValidUTF8(said[:300], "") + "..."
	}
	switch {
	case said == "" && r.Status != 0:
		return fmt.Sprintf("%s answered with status %d", r.Provider, r.Status)
	case said == "":
		return r.Provider + " refused"
	}
	return r.Provider + " says: " + said
}

// classify goes by the server's words where they are plain, since servers
// agree on them more than on statuses, then by the status.
func (r Refusal) classify() moothall.Code {
	if c := r.classifyWords(); c != "" && r.Status != 401 && r.Status != 403 && r.Status != 429 {
		return c
	}
	switch r.Status {
	case 401, 403:
		return moothall.CodeDenied
	case 402, 429:
		return moothall.CodeExhausted
	case 404, 410:
		return moothall.CodeNotFound
	case 405, 415, 501:
		return moothall.CodeUnsupported
	case 408, 504:
		return moothall.CodeTimeout
	case 413:
		return moothall.CodeTooLarge
	}
	if r.Status >= 400 && r.Status < 500 {
		return moothall.CodeInvalid
	}
	return moothall.CodeUnavailable
}

func (r Refusal) classifyWords() moothall.Code {
	switch {
	case r.has("context length", "context size", "context window", "prompt is too long", "maximum context", "input length exceeds",
		"input token count", "too many tokens"):
		return moothall.CodeTooLarge
	case r.has("does not support", "not supported", "unsupported"):
		return moothall.CodeUnsupported
	case r.has("model") && r.has("not found", "does not exist"):
		return moothall.CodeNotFound
	}
	return ""
}

// has reports whether one of some words, in small letters, is in the message.
func (r Refusal) has(words ...string) bool {
	m := strings.ToLower(r.Message)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m, w) })
}

// Broken classifies an error of the connection. started says whether a chunk
// was yielded; where names the server for a person, remedy what may help when
// it does not answer.
func Broken(ctx context.Context, op, where, remedy string, err error, started bool) error {
	if e, ok := errors.AsType[*moothall.Error](err); ok && ctx.Err() == nil {
		return e
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &moothall.Error{Code: moothall.CodeTimeout, Op: op, Message: where + " did not answer in the time allowed", Err: err}
	case ctx.Err() != nil:
		return &moothall.Error{Code: moothall.CodeCanceled, Op: op, Message: "the caller gave up", Err: ctx.Err()}
	case started:
		return &moothall.Error{
			Code: moothall.CodeInterrupted, Op: op, Message: where + " broke off in mid-answer",
			Remedy: "what came so far is kept; ask again for the rest", Err: err,
		}
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: op, Message: where + " does not answer", Remedy: remedy, Err: err}
}

// retryAfter is the cause that carries a server's wish to be left alone.
type retryAfter struct{ wait time.Duration }

func (r *retryAfter) Error() string { return "retry after " + r.wait.String() }

// RetryAfter returns how long the server behind err wants callers to wait.
func RetryAfter(err error) (time.Duration, bool) {
	r, ok := errors.AsType[*retryAfter](err)
	if !ok {
		return 0, false
	}
	return r.wait, true
}

// maxRetryAfter keeps a silly header from being a silly duration.
const maxRetryAfter = 24 * time.Hour

// httpDate is the one form of date that servers may send.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

func parseRetryAfter(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	if secs, err := strconv.ParseFloat(s, 64); err == nil {
		if !(secs >= 0) || math.IsInf(secs, 0) { // NaN fails the comparison
			return 0, false
		}
		return time.Duration(min(secs, maxRetryAfter.Seconds()) * float64(time.Second)), true
	}
	at, err := time.Parse(httpDate, s)
	if err != nil || now.IsZero() {
		return 0, false
	}
	return min(max(at.Sub(now), 0), maxRetryAfter), true
}
