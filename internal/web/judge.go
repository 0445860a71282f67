package web

import (
	"cmp"
	"net/http"

	"moothall"
)

// feedback answers POST /feedback.
func (s *Server) feedback(w http.ResponseWriter, r *http.Request) {
	var f moothall.Feedback
	err := readJSON(r, &f)
	if err == nil && f.Said {
		err = moothall.Fail(moothall.CodeInvalid, "feedback", `"said" marks what the hall heard in a conversation; leave it out`)
	}
	if err == nil {
		err = f.Validate()
	}
	if err == nil {
		err = s.opt.Client.Feedback(r.Context(), f)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// judgementQuery reads ?limit, before, since, session_id and query_id.
func judgementQuery(r *http.Request, otherwise int) (moothall.JudgementQuery, error) {
	limit, err := pageSize(r, otherwise)
	before, err2 := moment(r, "before")
	since, err3 := moment(r, "since")
	return moothall.JudgementQuery{
		Query: moothall.QueryID(r.FormValue("query_id")), Session: moothall.SessionID(sessionParam(r)),
		Since: since, Before: before, Limit: limit,
	}, cmp.Or(err, err2, err3)
}

// sessionParam reads the session that a list is narrowed to; both spellings
// are in use.
func sessionParam(r *http.Request) string {
	return cmp.Or(r.FormValue("session_id"), r.FormValue("session"))
}

// judgements answers GET /judgements.
func (s *Server) judgements(w http.ResponseWriter, r *http.Request) {
	q, err := judgementQuery(r, 100)
	var list []moothall.Judgement
	if err == nil {
		list, err = s.opt.Client.Judgements(r.Context(), q)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// critic answers GET /critic: how far the critic can be believed, and what it
// said last.
func (s *Server) critic(w http.ResponseWriter, r *http.Request) {
	q, err := judgementQuery(r, 20)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	report, err := s.opt.Client.Report(r.Context(), q.Since)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := CriticPage{Calibration: report.Calibration}
	if out.Judgements, err = s.opt.Client.Judgements(r.Context(), q); err != nil {
		s.fail(w, r, err)
		return
	}
	if n := len(out.Judgements); n == q.Limit {
		out.Before = out.Judgements[n-1].Time
	}
	writeJSON(w, http.StatusOK, out)
}

// respondents answers GET /respondents.
func (s *Server) respondents(w http.ResponseWriter, r *http.Request) {
	since, err := moment(r, "since")
	var report moothall.Report
	if err == nil {
		report, err = s.opt.Client.Report(r.Context(), since)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, report)
}

// replay answers POST /replay/{query}. A body is needed only to change
// something.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) {
	var change ReplayChange
	if r.ContentLength != 0 {
		if err := readJSON(r, &change); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	if _, err := patient(w); err != nil {
		s.fail(w, r, err)
		return
	}
	got, err := s.opt.Client.Replay(r.Context(), moothall.ReplayRequest{
		Query: moothall.QueryID(r.PathValue("query")), Model: change.Model, Prompt: change.Prompt, Policy: change.Policy,
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, got)
}
