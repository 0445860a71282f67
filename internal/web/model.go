package web

import (
	"net/http"
	"slices"
	"strings"

	"moothall"
)

// roles are those that a model can be bound to.
var roles = []moothall.ModelRole{
	moothall.ModelChat, moothall.ModelOrchestrator, moothall.ModelCoder, moothall.ModelResearcher,
	moothall.ModelCritic, moothall.ModelEmbedder, moothall.ModelSelector,
}

// models answers GET /models.
func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	cards, bindings, err := s.opt.Client.Gateway().Models(r.Context(), moothall.Scope{})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, ModelList{Models: cards, Roles: bindings})
}

// bindModel answers PUT /models/{role}. The model must be there.
func (s *Server) bindModel(w http.ResponseWriter, r *http.Request) {
	var choice ModelChoice
	role := moothall.ModelRole(r.PathValue("role"))
	err := readJSON(r, &choice)
	switch {
	case err != nil:
	case !slices.Contains(roles, role):
		err = moothall.Fail(moothall.CodeNotFound, "model", "there is no role "+string(role))
	case strings.TrimSpace(choice.Model) == "":
		err = moothall.Fail(moothall.CodeInvalid, "model", `"model" is empty`)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	g := s.opt.Client.Gateway()
	card, err := g.ShowModel(r.Context(), moothall.ModelRequest{Provider: choice.Provider, Model: choice.Model})
	b := moothall.ModelBinding{Role: role, Complexity: choice.Complexity, Provider: card.Provider, Model: card.Model}
	if err == nil {
		err = g.BindModel(r.Context(), moothall.Scope{}, b)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, b)
}

// pullModel answers POST /models/pull with events named progress, then one
// named done or error.
func (s *Server) pullModel(w http.ResponseWriter, r *http.Request) {
	var m ModelName
	err := readJSON(r, &m)
	if err == nil && strings.TrimSpace(m.Model) == "" {
		err = moothall.Fail(moothall.CodeInvalid, "model", `"model" is empty`)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	rc, err := patient(w)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := newStream(w, rc, s.opt.Logger)
	var last moothall.Progress
	for p, err := range s.opt.Client.Gateway().PullModel(r.Context(), moothall.ModelRequest{Provider: m.Provider, Model: m.Model}) {
		if err != nil {
			out.send("error", s.failureOf(r, err))
			return
		}
		if last = p; !out.send("progress", p) {
			return
		}
	}
	out.send("done", last)
}

// probeModel answers POST /models/probe.
func (s *Server) probeModel(w http.ResponseWriter, r *http.Request) {
	var m ModelName
	err := readJSON(r, &m)
	if err == nil {
		_, err = patient(w) // a probe asks the model several times
	}
	var card moothall.ModelCard
	if err == nil {
		card, err = s.opt.Client.Gateway().ProbeModel(r.Context(), moothall.ModelRequest{Provider: m.Provider, Model: m.Model})
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, card)
}
