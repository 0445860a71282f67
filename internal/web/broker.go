package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

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

// checkTool answers POST /tools/{name}/check: what the broker would decide
// about a call. Nothing is executed; an agent of the type lives for as long
// as the question takes.
func (s *Server) checkTool(w http.ResponseWriter, r *http.Request) {
	var body ToolCheck
	if err := readJSON(r, &body); err != nil {
		s.fail(w, r, err)
		return
	}
	d, err := s.wouldDecide(r.Context(), moothall.ToolName(r.PathValue("name")), body)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, d)
}

func (s *Server) wouldDecide(ctx context.Context, tool moothall.ToolName, c ToolCheck) (d moothall.Decision, err error) {
	b := s.opt.Client.Broker()
	if len(c.Arguments) == 0 {
		c.Arguments = json.RawMessage("{}")
	}
	scope := moothall.Scope{Session: cmp.Or(c.Session, moothall.SessionID(moothall.NewID()))}
	// Without words: it is an agent's call that is asked about, and what stands
	// in it would be the person's own for the rest of the session.
	agent, err := b.Spawn(ctx, moothall.SpawnRequest{
		Scope: scope, Type: cmp.Or(c.As, "generator"), Query: moothall.QueryID(moothall.NewID()), Aside: true,
	})
	if err != nil {
		return d, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUp)
		defer cancel()
		err = errors.Join(err, b.Finish(ctx, scope, agent.Handle))
	}()
	return b.Validate(ctx, moothall.CallRequest{
		Scope: scope, Agent: agent.Handle, Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: tool, Arguments: c.Arguments},
	})
}

// cleanUp is how long giving back an agent may take.
const cleanUp = 5 * time.Second

// preview answers GET /approvals/{id}/preview.
func (s *Server) preview(w http.ResponseWriter, r *http.Request) {
	p, err := s.opt.Client.Preview(r.Context(), moothall.ApprovalID(r.PathValue("id")))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, p)
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
