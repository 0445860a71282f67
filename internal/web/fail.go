package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"moothall"
)

// statusOf is the one place where the hall's codes become HTTP's.
func statusOf(code moothall.Code) int {
	switch code {
	case moothall.CodeInvalid:
		return http.StatusBadRequest
	case moothall.CodeNotFound:
		return http.StatusNotFound
	case moothall.CodeConflict:
		return http.StatusConflict
	case moothall.CodeDenied:
		return http.StatusForbidden
	case moothall.CodeNotConfigured, moothall.CodeUnsupported:
		return http.StatusNotImplemented
	case moothall.CodeUnavailable, moothall.CodeInterrupted:
		return http.StatusServiceUnavailable
	case moothall.CodeTimeout:
		return http.StatusGatewayTimeout
	case moothall.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case moothall.CodeExhausted:
		return http.StatusInsufficientStorage
	case moothall.CodeCanceled:
		return 499 // the client went away; nobody reads this
	}
	return http.StatusInternalServerError
}

// Failure is the body of every answer that is not a success.
type Failure struct {
	Error Problem `json:"error"`
}

// Problem says what went wrong.
type Problem struct {
	Code    moothall.Code `json:"code"`
	Message string        `json:"message"`
	Remedy  string        `json:"remedy,omitempty"`
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := s.failureOf(r, err)
	writeJSON(w, statusOf(f.Error.Code), f)
}

// failureOf is an error as it may be shown. What is not ours to show is
// logged and hidden.
func (s *Server) failureOf(r *http.Request, err error) Failure {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		err = &moothall.Error{
			Code: moothall.CodeTooLarge, Op: "request", Message: fmt.Sprintf("the body is larger than the limit of %d bytes", tooBig.Limit),
			Remedy: "send less at once, or raise front.max_body",
		}
	}
	var f Failure
	f.Error.Code, f.Error.Message, f.Error.Remedy = moothall.ErrorCode(err), err.Error(), moothall.ErrorRemedy(err)
	if f.Error.Code == moothall.CodeInternal {
		s.opt.Logger.Error("request failed", "path", r.URL.Path, "err", err)
		f.Error.Message = "internal error; the log has the details"
	}
	return f
}

func refuse(w http.ResponseWriter, status int, code moothall.Code, message, remedy string) {
	var f Failure
	f.Error.Code, f.Error.Message, f.Error.Remedy = code, message, remedy
	writeJSON(w, status, f)
}

func notFound(w http.ResponseWriter, r *http.Request) {
	refuse(w, http.StatusNotFound, moothall.CodeNotFound, "nothing is served at "+r.URL.Path,
		"GET /openapi.json lists what is")
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(whole(v)) // plain data always marshals
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client is gone; there is nobody to tell
}
