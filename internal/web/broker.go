package web

import (
	"net/http"

	"moothall"
)

// tools answers GET /tools.
func (s *Server) tools(w http.ResponseWriter, r *http.Request) {
	specs, err := s.opt.Client.Broker().Tools(r.Context(), moothall.Scope{})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, specs)
}

// approvals answers GET /approvals: the open questions, with ?all=1 the
// answered ones too, with ?session_id= those of one conversation.
func (s *Server) approvals(w http.ResponseWriter, r *http.Request) {
	scope := moothall.Scope{Session: moothall.SessionID(r.FormValue("session_id"))}
	list, err := s.opt.Client.Broker().Approvals(r.Context(), scope, r.FormValue("all") != "")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// decide answers POST /approvals/{id}.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	var body ApprovalReply
	if err := readJSON(r, &body); err != nil {
		s.fail(w, r, err)
		return
	}
	a, err := s.opt.Client.Broker().Decide(r.Context(), moothall.ApprovalDecision{
		ID: moothall.ApprovalID(r.PathValue("id")), Answer: body.Answer, Arguments: body.Arguments,
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, a)
}

// override answers PUT /sessions/{id}/overrides.
func (s *Server) override(w http.ResponseWriter, r *http.Request) {
	var o moothall.Overrides
	if err := readJSON(r, &o); err != nil {
		s.fail(w, r, err)
		return
	}
	o, err := s.opt.Client.Broker().Override(r.Context(), moothall.Scope{Session: moothall.SessionID(r.PathValue("id"))}, o)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, o)
}
