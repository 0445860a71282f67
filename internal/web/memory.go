package web

import (
	"cmp"
	"net/http"

	"moothall"
)

// What narrows a search alone, and a list alone.
var (
	searchOnly = []string{"thread", "source", "trust", "since", "until"}
	listOnly   = []string{"session_id", "proposed", "before"}
)

// memories answers GET /memories: a list, newest first, or with ?q= a search.
func (s *Server) memories(w http.ResponseWriter, r *http.Request) {
	limit, err := pageSize(r, 50)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q := r.FormValue("q")
	if err := misplaced(r, q != ""); err != nil {
		s.fail(w, r, err)
		return
	}
	if q != "" {
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

// misplaced refuses what narrows only the other of list and search: everything
// would pass for what was asked for.
func misplaced(r *http.Request, search bool) error {
	names, way := searchOnly, "a search: say with q for what"
	if search {
		names, way = listOnly, "a list: leave q out"
	}
	for _, name := range names {
		if r.FormValue(name) != "" {
			return moothall.Fail(moothall.CodeInvalid, "request", name+" narrows "+way)
		}
	}
	return nil
}

// recall answers a search; ?stages=1 also gives the candidates of each stage,
// and kind, tag, thread, source, trust, since and until narrow it.
func (s *Server) recall(w http.ResponseWriter, r *http.Request, text string, limit int) {
	since, err := moment(r, "since")
	until, err2 := moment(r, "until")
	_, err3 := patient(w) // a model reads the question
	if err := cmp.Or(err, err2, err3); err != nil {
		s.fail(w, r, err)
		return
	}
	q := moothall.MemoryQuery{
		Text: text, Results: limit, Mode: r.FormValue("mode"), Thread: r.FormValue("thread"), Kinds: list[moothall.MemoryKind](r, "kind"),
		Tags: list[string](r, "tag"), Stages: r.FormValue("stages") != "", Whole: r.FormValue("whole") != "",
		Source: r.FormValue("source"), MinTrust: moothall.Trust(r.FormValue("trust")), Since: since, Until: until,
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
	writeJSON(w, http.StatusOK, Recalls{Query: text, Stages: stages, Results: results})
}

// memory answers GET /memories/{id}.
func (s *Server) memory(w http.ResponseWriter, r *http.Request) {
	d, err := moothall.ShowMemory(r.Context(), s.opt.Client.Memory(), moothall.MemoryID(r.PathValue("id")))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, d)
}

// remember answers POST /memories.
func (s *Server) remember(w http.ResponseWriter, r *http.Request) {
	var body NewMemory
	err := readJSON(r, &body)
	if err == nil {
		_, err = patient(w) // a model reads it
	}
	var e moothall.MemoryEntry
	if err == nil {
		e, err = s.opt.Client.Memory().Write(r.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{
			Kind: moothall.Fact, Corpus: body.Text, Name: body.Name, Description: body.Description, Tags: body.Tags,
			Trust: moothall.TrustPerson, Source: "person",
		}})
	}
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
	var body MemoryReview
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
