package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"moothall"
)

// query answers POST /query: one JSON object at the end, or every step as it
// happens when server-sent events are asked for.
func (s *Server) query(w http.ResponseWriter, r *http.Request) {
	var q moothall.QueryRequest
	if err := readJSON(r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	if strings.TrimSpace(q.Query) == "" && q.Retry == "" {
		s.fail(w, r, moothall.Fail(moothall.CodeInvalid, "query", `"query" is empty`))
		return
	}
	rc, err := patient(w)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		s.queryStream(w, r, rc, q)
		return
	}
	for step, err := range s.opt.Client.Query(r.Context(), q) {
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if step.Answer != nil {
			writeJSON(w, http.StatusOK, step.Answer)
			_ = rc.Flush() // before all that a turn leaves to be done; who has gone is told nothing
			return
		}
	}
	s.fail(w, r, moothall.Fail(moothall.CodeInterrupted, "query", "the turn ended without an answer"))
}

// queryStream sends each step as an event named after its kind. It begins
// before the first of them: a question may wait long for its session, and who
// asked is to know that the hall has it.
func (s *Server) queryStream(w http.ResponseWriter, r *http.Request, rc *http.ResponseController, q moothall.QueryRequest) {
	out := newStream(w, rc, s.opt.Logger)
	_ = rc.Flush() // who has gone is told nothing
	for step, err := range s.opt.Client.Query(r.Context(), q) {
		kind, data := step.Kind, any(step)
		if err != nil {
			kind, data = "error", s.failureOf(r, err)
		}
		if !out.send(kind, data) {
			return
		}
	}
}

// readJSON reads one object and nothing after it.
func readJSON(r *http.Request, into any) error {
	if t := r.Header.Get("Content-Type"); t != "" && !strings.HasPrefix(t, "application/json") {
		return moothall.Fail(moothall.CodeInvalid, "request", "the body must be application/json, not "+t)
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	decoded := err == nil
	if decoded {
		_, err = d.Token()
	}
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return err
	case !decoded:
		return moothall.Fail(moothall.CodeInvalid, "request", "the body is not the JSON that is expected: "+moothall.Misread(err))
	case !errors.Is(err, io.EOF):
		return moothall.Fail(moothall.CodeInvalid, "request", "more follows after the JSON object")
	}
	return nil
}

// sessions answers GET /sessions.
func (s *Server) sessions(w http.ResponseWriter, r *http.Request) {
	list, err := s.opt.Client.Sessions(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// session answers GET /sessions/{id}.
func (s *Server) session(w http.ResponseWriter, r *http.Request) {
	d, err := s.detail(r.Context(), moothall.SessionID(r.PathValue("id")))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if r.FormValue("download") != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="session.json"`)
	}
	writeJSON(w, http.StatusOK, d)
}

// detail is a conversation with what the person has switched in it. A broker
// that is away keeps nobody from reading it.
func (s *Server) detail(ctx context.Context, id moothall.SessionID) (SessionDetail, error) {
	d, err := s.opt.Client.Session(ctx, id)
	if err != nil {
		return SessionDetail{}, err
	}
	out := SessionDetail{SessionDetail: d}
	if o, err := s.opt.Client.Broker().Override(ctx, moothall.Scope{Session: id}, moothall.Overrides{}); err == nil {
		out.Overrides = &o
	}
	return out, nil
}

// changeSession answers DELETE and PATCH on /sessions/{id}.
func (s *Server) changeSession(w http.ResponseWriter, r *http.Request) {
	c := moothall.SessionChange{ID: moothall.SessionID(r.PathValue("id")), Delete: r.Method == http.MethodDelete}
	if !c.Delete {
		var body SessionTitle
		if err := readJSON(r, &body); err != nil {
			s.fail(w, r, err)
			return
		}
		c.Title = body.Title
	}
	if err := s.opt.Client.ChangeSession(r.Context(), c); err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// stopQuery answers DELETE /query/{id}.
func (s *Server) stopQuery(w http.ResponseWriter, r *http.Request) {
	if err := s.opt.Client.Stop(r.Context(), moothall.QueryID(r.PathValue("id"))); err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
