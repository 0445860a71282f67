package web

import (
	"net/http"
	"net/url"
	"strings"

	"moothall"
)

// tasks answers GET /tasks.
func (s *Server) tasks(w http.ResponseWriter, r *http.Request) {
	list, err := s.opt.Client.Tasks(r.Context(), "")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// task answers GET /tasks/{id}.
func (s *Server) task(w http.ResponseWriter, r *http.Request) {
	t, err := s.findTask(r, moothall.TaskID(r.PathValue("id")))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, t)
}

func (s *Server) findTask(r *http.Request, id moothall.TaskID) (moothall.Task, error) {
	list, err := s.opt.Client.Tasks(r.Context(), id)
	if err == nil && len(list) == 0 {
		err = moothall.Fail(moothall.CodeNotFound, "task", "there is no task "+string(id))
	}
	if err != nil {
		return moothall.Task{}, err
	}
	return list[0], nil
}

// newTask answers POST /tasks: a query that becomes a task, and goes on when
// the request is over.
func (s *Server) newTask(w http.ResponseWriter, r *http.Request) {
	var q moothall.QueryRequest
	err := readJSON(r, &q)
	switch {
	case err != nil:
	case strings.TrimSpace(q.Query) == "":
		err = moothall.Fail(moothall.CodeInvalid, "task", `"query" is empty: say what is to be done`)
	case q.Mode != "" && q.Mode != moothall.ModeTask:
		err = moothall.Fail(moothall.CodeInvalid, "task", "a task has the mode task; ask POST /query for the others")
	}
	var t moothall.Task
	if err == nil {
		_, err = patient(w)
	}
	if err == nil {
		q.Mode, q.Detach = moothall.ModeTask, true
		t, err = s.beginTask(r, q)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Location", "/tasks/"+url.PathEscape(string(t.ID)))
	writeJSON(w, http.StatusAccepted, t)
}

func (s *Server) beginTask(r *http.Request, q moothall.QueryRequest) (t moothall.Task, err error) {
	for step, err := range s.opt.Client.Query(r.Context(), q) {
		switch {
		case err != nil:
			return t, err
		case step.Task != nil:
			t = *step.Task
		case step.Answer != nil && t.ID == "" && step.Answer.Task != "":
			return s.findTask(r, step.Answer.Task)
		}
	}
	if t.ID == "" {
		err = moothall.Fail(moothall.CodeInterrupted, "task", "the query ended without becoming a task")
	}
	return t, err
}

// controlTask answers POST /tasks/{id}.
func (s *Server) controlTask(w http.ResponseWriter, r *http.Request) {
	var order TaskOrder
	err := readJSON(r, &order)
	var t moothall.Task
	if err == nil {
		t, err = s.opt.Client.ControlTask(r.Context(), moothall.TaskControl{
			ID: moothall.TaskID(r.PathValue("id")), Action: order.Action, Words: order.Words,
		})
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, t)
}

// compact answers POST /sessions/{id}/compact with what is left.
func (s *Server) compact(w http.ResponseWriter, r *http.Request) {
	id := moothall.SessionID(r.PathValue("id"))
	_, err := patient(w) // a model writes the notes
	if err == nil {
		err = s.opt.Client.ChangeSession(r.Context(), moothall.SessionChange{ID: id, Compact: true})
	}
	var d SessionDetail
	if err == nil {
		d, err = s.detail(r.Context(), id)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, d)
}
