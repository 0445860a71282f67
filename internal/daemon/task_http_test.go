package daemon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/schema"
)

// two is a task of two subtasks that both use a tool, and an answer that puts
// them together.
func two(s scene) ollamatest.Reply {
	switch {
	case s.who == "planner":
		return planned(subtask("sum", "assistant", "Add the numbers."), subtask("look", "researcher", "Look at the bridge."))
	case s.who == "writer":
		return says("Both are done.")
	case s.who == "assistant" && s.step == 0:
		return with("calculate", "expression", "2+3")
	case s.who == "researcher" && s.step == 0:
		return with("web_search", "query", "ferry bridge")
	}
	return reports("It is done.")
}

// TestTaskOverHTTP: the answer of a task, its receipt and its session.
func TestTaskOverHTTP(t *testing.T) {
	t.Parallel()
	s := newStage(t, two, func(s *stage) { s.web(ferry) })
	a := query(t, s.hall, `{"query":"Add the numbers, then look at the bridge","mode":"task","session_id":"s"}`)
	task := s.task(a.Task)
	if a.Task == "" || task.State != "done" || task.Session != "s" || !strings.HasPrefix(a.Text, "Both are done.") || a.Stop != moothall.StopDone {
		t.Fatalf("%s: %+v", task.State, a)
	}
	checkTaskReceipt(t, s, a)
	d, err := s.client.Session(t.Context(), "s")
	if err != nil || len(d.Messages) != 2 || d.Messages[0].Role != moothall.RoleUser || d.Messages[1].Content != a.Text {
		t.Errorf("the conversation is %+v, %v", d.Messages, err)
	}
	if len(d.Asked) != 1 || d.Asked[0].State != "done" || len(d.Asked[0].Answers) != 1 || d.Asked[0].Answers[0].Task != a.Task {
		t.Errorf("the turns are %+v", d.Asked)
	}
	// A chat turn that follows has the answer before it, and nothing of the agents.
	s.model.Script(says("As I said."))
	if next := query(t, s.hall, `{"query":"And now?","session_id":"s"}`); next.Text != "As I said." || next.Task != "" {
		t.Errorf("%+v", next)
	}
	chats := s.model.Chats()
	said := sceneOf(chats[len(chats)-1]).text()
	if !strings.Contains(said, "Both are done.") || strings.Contains(said, "bicycles") || strings.Contains(said, "Look at the bridge.") {
		t.Errorf("the chat was told:\n%s", said)
	}
}

func checkTaskReceipt(t *testing.T, s *stage, a moothall.Answer) {
	t.Helper()
	r := a.Receipt
	for role, calls := range map[moothall.ModelRole]int{moothall.ModelOrchestrator: 2, moothall.ModelChat: 2, moothall.ModelResearcher: 2} {
		if u := r.ByRole[role]; u.Calls != calls || u.PromptTokens == 0 || u.OutputTokens == 0 {
			t.Errorf("%s: %+v, want %d calls", role, u, calls)
		}
	}
	if a.Usage.Calls != 6 || !slices.Equal(r.Tools, []moothall.ToolName{"calculate", "web_search"}) || len(r.Refused) != 0 || r.Sent == nil || r.Labels != moothall.Untrusted {
		t.Errorf("%+v, %+v", a.Usage, r)
	}
	// What the receipt names of the record holds the whole turn: its own
	// entries, the agents, their calls, and the task's end.
	seen := map[moothall.AuditAction]int{}
	for e, err := range daemon.ShowAudit(t.Context(), s.home, daemon.AuditFilter{From: r.AuditFirst, To: r.AuditLast + 1}, false) {
		if err != nil || e.Session != "s" {
			t.Fatalf("%+v, %v", e, err)
		}
		seen[e.Action]++
	}
	if seen[moothall.ActionSpawn] != 3 || seen[moothall.ActionToolCall] < 4 || seen[moothall.ActionRunEnd] != 2 {
		t.Errorf("on record between %d and %d: %v", r.AuditFirst, r.AuditLast, seen)
	}
}

// valid reads a task over HTTP and holds it to the published schema.
func valid(t *testing.T, s *stage, id moothall.TaskID) moothall.Task {
	t.Helper()
	resp, body := get(t, s.hall.URL()+"/tasks/"+string(id))
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", resp.Status, body)
	}
	if problems := schema.Check(daemon.TaskSchema(), json.RawMessage(body)); len(problems) > 0 {
		t.Errorf("%s: %v", body, problems)
	}
	var task moothall.Task
	if err := json.Unmarshal([]byte(body), &task); err != nil {
		t.Fatal(err)
	}
	return task
}

// TestBeginTaskOverHTTP: POST /tasks answers at once, and what GET shows fits
// the schema at every stage.
func TestBeginTaskOverHTTP(t *testing.T) {
	t.Parallel()
	plans, works := newHold(), newHold()
	s := newStage(t, func(now scene) ollamatest.Reply {
		switch {
		case now.who == "planner":
			return plans.back(two(now))
		case now.who == "assistant" && now.step == 1:
			return works.back(two(now))
		}
		return two(now)
	}, func(s *stage) { s.web(ferry) })
	resp := post(t, s.hall.URL()+"/tasks", `{"query":"Add the numbers, then look at the bridge"}`)
	body, err := io.ReadAll(resp.Body)
	var begun moothall.Task
	if err != nil || resp.StatusCode != http.StatusAccepted || json.Unmarshal(body, &begun) != nil || resp.Header.Get("Location") != "/tasks/"+string(begun.ID) {
		t.Fatalf("%s %s, %v", resp.Status, body, err)
	}
	if problems := schema.Check(daemon.TaskSchema(), body); len(problems) > 0 || begun.State != "planning" {
		t.Errorf("%s: %v", body, problems)
	}
	<-plans.asked
	if got := valid(t, s, begun.ID); got.State != "planning" || len(got.Plan) > 0 {
		t.Errorf("before the plan: %+v", got)
	}
	close(plans.answer)
	<-works.asked
	if got := valid(t, s, begun.ID); got.State != "running" || len(got.Plan) == 0 {
		t.Errorf("at work: %+v", got)
	}
	close(works.answer)
	s.wait(begun.ID, "the task ends", over)
	if got := valid(t, s, begun.ID); got.State != "done" || len(got.Result) == 0 {
		t.Errorf("at its end: %+v", got)
	}
	var list []moothall.Task
	if _, body := get(t, s.hall.URL()+"/tasks"); json.Unmarshal([]byte(body), &list) != nil || len(list) != 1 || list[0].ID != begun.ID {
		t.Errorf("the list: %s", body)
	}
	for url, want := range map[string]int{"/tasks": http.StatusBadRequest, "/tasks/" + string(begun.ID): http.StatusConflict, "/tasks/nobody": http.StatusNotFound} {
		body := `{"action":"pause"}`
		if url == "/tasks" {
			body = `{"query":""}`
		}
		if resp := post(t, s.hall.URL()+url, body); resp.StatusCode != want {
			t.Errorf("%s: %s, want %d", url, resp.Status, want)
		}
	}
}

// TestTaskFails: a plan that makes no sense twice is an answer with a reason,
// and the failed task can be read.
func TestTaskFails(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(scene) ollamatest.Reply {
		return planned(subtask("a", "assistant", "x", "b"), subtask("b", "assistant", "y", "a"))
	})
	a, task := s.do("Write it down")
	if task.State != "failed" || task.result.Reason == nil || a.Text != "" || a.Stop != moothall.StopError || len(a.Flags) == 0 || len(s.played("planner")) != 2 {
		t.Errorf("%s after %d plans: %+v", task.State, len(s.played("planner")), a)
	}
	valid(t, s, a.Task)
}
