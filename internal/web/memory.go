package web

import (
	"net/http"
	"strconv"
	"strings"

	"moothall"
)

// memories answers GET /memories: a list, newest first, or with ?q= a search.
func (s *Server) memories(w http.ResponseWriter, r *http.Request) {
	limit, err := number(r, "limit", 50)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if q := r.FormValue("q"); q != "" {
		s.recall(w, r, q, limit)
		return
	}
	l := moothall.MemoryList{
		Kinds: list[moothall.MemoryKind](r, "kind"), Tags: list[string](r, "tag"), Session: moothall.SessionID(r.FormValue("session_id")),
		Proposed: r.FormValue("proposed") != "", Before: moothall.MemoryID(r.FormValue("before")), Limit: limit,
	}
	out := []moothall.MemoryEntry{}
	for e, err := range s.opt.Client.Memory().List(r.Context(), l) {
		if err != nil {
			s.fail(w, r, err)
			return
		}
		out = append(out, e)
	}
	writeJSON(w, http.StatusOK, out)
}

// recall answers a search; ?stages=1 also gives the candidates of each stage.
func (s *Server) recall(w http.ResponseWriter, r *http.Request, text string, limit int) {
	q := moothall.MemoryQuery{
		Text: text, Results: limit, Mode: r.FormValue("mode"), Thread: r.FormValue("thread"), Kinds: list[moothall.MemoryKind](r, "kind"),
		Tags: list[string](r, "tag"), Stages: r.FormValue("stages") != "", Whole: r.FormValue("whole") != "",
	}
	stages, results := []moothall.Recall{}, []moothall.Recall{}
	for c, err := range s.opt.Client.Memory().Recall(r.Context(), q) {
		switch {
		case err != nil:
			s.fail(w, r, err)
			return
		case c.Entry == nil:
			stages = append(stages, c)
		default:
			results = append(results, c)
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"query": text, "stages": stages, "results": results})
}

// remember answers POST /memories.
func (s *Server) remember(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Text        string   `json:"text"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
	}
	if err := readJSON(r, &body); err != nil {
		s.fail(w, r, err)
		return
	}
	e, err := s.opt.Client.Memory().Write(r.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{
		Kind: moothall.Fact, Corpus: body.Text, Name: body.Name, Description: body.Description, Tags: body.Tags,
		Trust: moothall.TrustPerson, Source: "person",
	}})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, e)
}

// forget answers DELETE /memories/{id} with what is gone.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) {
	gone, err := s.opt.Client.Memory().Forget(r.Context(), moothall.Scope{}, moothall.MemoryID(r.PathValue("id")))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, gone)
}

// review answers POST /memories/{id}/review.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Accept bool `json:"accept"`
	}
	err := readJSON(r, &body)
	if err == nil {
		err = s.opt.Client.Memory().Review(r.Context(), moothall.Scope{}, moothall.MemoryID(r.PathValue("id")), body.Accept)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// graph answers GET /graph?name=&location=&q=&depth=&history=.
func (s *Server) graph(w http.ResponseWriter, r *http.Request) {
	depth, err := number(r, "depth", 1)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q := moothall.GraphQuery{
		People: list[string](r, "name"), Locations: list[string](r, "location"), Text: r.FormValue("q"), Depth: depth, History: r.FormValue("history") != "",
	}
	out := []moothall.GraphFact{}
	for f, err := range s.opt.Client.Memory().Graph(r.Context(), q) {
		if err != nil {
			s.fail(w, r, err)
			return
		}
		out = append(out, f)
	}
	writeJSON(w, http.StatusOK, out)
}

// list reads a parameter that may be given several times, or with commas.
func list[T ~string](r *http.Request, name string) []T {
	var out []T
	for _, v := range r.URL.Query()[name] {
		for s := range strings.SplitSeq(v, ",") {
			if s != "" {
				out = append(out, T(s))
			}
		}
	}
	return out
}

func number(r *http.Request, name string, otherwise int) (int, error) {
	v := r.FormValue(name)
	if v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, moothall.Fail(moothall.CodeInvalid, "request", name+" is not a number")
	}
	return n, nil
}
