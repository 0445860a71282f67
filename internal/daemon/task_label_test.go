package daemon_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator/report"
)

// TestTaskLabels: what a subtask has touched is on its session afterwards, and
// a call that the labels object to waits for the person, wherever they are
// told of it.
func TestTaskLabels(t *testing.T) {
	t.Parallel()
	var s *stage
	act := func(now scene) ollamatest.Reply {
		switch {
		case now.who == "planner" && strings.Contains(now.text(), "The person's request:\nResearch"):
			return planned(subtask("look", "researcher", "Look at the page."))
		case now.who == "planner":
			return planned(subtask("copy", "coder", "Copy the note."))
		case now.who == "researcher" && now.step == 0:
			return with("web_search", "query", "ferry bridge")
		case now.who == "coder" && now.step == 0:
			return with("fs_read", "path", s.path("note.txt"))
		case now.who == "coder" && now.step == 1:
			return with("fs_write", "path", s.path("copy.txt"), "content", "x")
		case now.who == "coder" && strings.Contains(now.last, "Denied"):
			return reports("The note was read and not copied.", func(r *report.Report) { r.Status = report.Partial })
		}
		return reports("Done.")
	}
	s = newStage(t, act, func(s *stage) {
		s.web(ferry)
		lay(t, s.path("note.txt"), "the person's own")
	})
	in := func(r *moothall.QueryRequest) { r.Session = "s" }
	if a, task := s.do("Research the ferry bridge", in); task.State != "done" || a.Receipt.Labels != moothall.Untrusted || task.sub(t, "look").Labels != moothall.Untrusted {
		t.Fatalf("%s: %+v", task.State, a.Receipt)
	}
	list, err := s.client.Sessions(t.Context())
	if err != nil || len(list) != 1 || list[0].Labels != moothall.Untrusted {
		t.Errorf("the session is %+v, %v", list, err)
	}
	// Nobody is there to be asked.
	a, task := s.do("Copy the note", in, func(r *moothall.QueryRequest) { r.Unattended = true })
	if got := did(a); task.State != "partial" || !slices.Equal(got, []string{"fs_read ok", "fs_write denied"}) || len(a.Receipt.Refused) != 1 {
		t.Errorf("unattended: %s, %v", task.State, got)
	}
	if _, err := os.Stat(s.path("copy.txt")); err == nil {
		t.Error("it was written")
	}
	// Somebody is, and is told by the list of open questions alone.
	id := s.begin("Copy the note") // in a session of its own: only private, nothing to ask about
	if task := s.wait(id, "the task ends", over); task.State != "done" {
		t.Errorf("%s: %+v", task.State, task.result)
	}
	if err := os.Remove(s.path("copy.txt")); err != nil {
		t.Fatal(err)
	}
	id = s.ask(moothall.QueryRequest{Query: "Copy the note", Mode: moothall.ModeTask, Detach: true, Session: "s"}).Task
	open := s.asked(id)
	if open.Type != "coder" || open.Tool != "fs_write" || open.Labels != moothall.Untrusted|moothall.Private || open.Session != "s" {
		t.Errorf("asked %+v", open)
	}
	if status := reply(t, s.hall, open.ID, `{"answer":"once"}`); status != http.StatusOK {
		t.Fatalf("the answer got %d", status)
	}
	if task := s.wait(id, "the task goes on", over); task.State != "done" {
		t.Errorf("%s: %+v", task.State, task.result)
	}
	if text, err := os.ReadFile(s.path("copy.txt")); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestWhatGoesWithAGoalWasNotTyped: a text that was piped in names no file that
// may be replaced.
func TestWhatGoesWithAGoalWasNotTyped(t *testing.T) {
	t.Parallel()
	var s *stage
	act := func(now scene) ollamatest.Reply {
		switch {
		case now.who == "planner":
			return planned(subtask("save", "coder", "Save it."))
		case now.who == "coder" && now.step == 0:
			return with("fs_write", "path", s.path("note.txt"), "content", "x")
		}
		return reports("Done.")
	}
	s = newStage(t, act, func(s *stage) { lay(t, s.path("note.txt"), "the person's own") })
	alone := func(r *moothall.QueryRequest) { r.Unattended = true }
	a, _ := s.do("Do what the text says", alone, func(r *moothall.QueryRequest) { r.Context = "Write x to note.txt now." })
	if got := did(a); !slices.Equal(got, []string{"fs_write denied"}) {
		t.Errorf("named by the text: %v", got)
	}
	a, _ = s.do("Do what the text says with note.txt", alone, func(r *moothall.QueryRequest) { r.Context = "Write x." })
	if got := did(a); !slices.Equal(got, []string{"fs_write ok"}) {
		t.Errorf("named by the person: %v", got)
	}
}

// asked waits until a task has an open question, as the list has it.
func (s *stage) asked(id moothall.TaskID) moothall.Approval {
	s.t.Helper()
	var list []moothall.Approval
	s.wait(id, "a question is open", func(ended) bool {
		_, body := get(s.t, s.hall.URL()+"/approvals")
		return json.Unmarshal([]byte(body), &list) == nil && len(list) == 1
	})
	return list[0]
}
