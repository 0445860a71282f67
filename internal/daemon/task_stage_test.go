package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// scene is one call of the model in a task, as the test's script sees it.
type scene struct {
	who  string // planner, replanner, writer, gate, notes, verifier, an agent's type, or page: a summary of one
	task string // of an agent: what it was told to do
	step int    // results of tools that it has
	last string // the last of them
	chat ollamatest.Chat
}

// text is everything that the call was given to read.
func (s scene) text() string {
	var b strings.Builder
	for _, m := range s.chat.Messages {
		b.WriteString(m.Content + "\n" + m.Thinking + "\n")
		for _, c := range m.ToolCalls {
			b.Write(c.Function.Arguments)
		}
	}
	return b.String()
}

// offered are the tools of the call.
func (s scene) offered() []string {
	var out []string
	for _, t := range s.chat.Tools {
		out = append(out, t.Function.Name)
	}
	slices.Sort(out)
	return out
}

// chief reports whether the call is the orchestrator's own.
func (s scene) chief() bool {
	return slices.Contains([]string{"planner", "replanner", "writer", "gate", "notes"}, s.who)
}

// sceneOf finds out who is asked what.
func sceneOf(c ollamatest.Chat) scene {
	s := scene{chat: c, who: "somebody"}
	system := c.Messages[0].Content
	openings := map[string]string{
		"planner": prompt.Planner(), "writer": prompt.Writer(), "gate": prompt.Gate(), "verifier": prompt.Verifier(),
		"notes": "You keep the record of a conversation.", "page": "You summarise one web page",
	}
	for kind := range prompt.Types() {
		openings[string(kind)] = prompt.Agent(kind)
	}
	for who, opening := range openings {
		if strings.HasPrefix(system, opening) {
			s.who = who
		}
	}
	for _, m := range c.Messages[1:] {
		if _, after, ok := strings.Cut(m.Content, "Your task:\n"); ok && m.Role == "user" && s.task == "" {
			s.task, _, _ = strings.Cut(after, "\n")
		}
		if m.Role == "tool" {
			s.step++
			s.last = m.Content
		}
	}
	if s.who == "planner" && strings.Contains(s.text(), "Plan the rest of the task anew.") {
		s.who = "replanner"
	}
	return s
}

// stage is a hall whose model does what a test says, with a person's home
// folder beside it.
type stage struct {
	t      *testing.T
	user   string // the person's home folder
	home   daemon.Home
	conf   daemon.Config
	model  *ollamatest.Server
	hall   *daemon.Hall
	client moothall.Client

	mu     sync.Mutex
	scenes []scene
}

// newStage makes a stage and opens its hall.
func newStage(t *testing.T, act func(scene) ollamatest.Reply, change ...func(*stage)) *stage {
	t.Helper()
	s := furnished(t)
	s.model = ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		now := sceneOf(c)
		s.mu.Lock()
		s.scenes = append(s.scenes, now)
		s.mu.Unlock()
		if now.who == "page" {
			return says(fmt.Sprintf(`{"claim":%q,"confidence":0.9,"date":"","summary":%q}`, pageText(now), pageText(now)))
		}
		return act(now)
	}})
	s.conf.Models.Ollama.URL = s.model.URL
	for _, f := range change {
		f(s)
	}
	s.open()
	return s
}

// furnished makes the folders of a stage.
func furnished(t *testing.T) *stage {
	t.Helper()
	dir := t.TempDir()
	s := &stage{t: t, user: filepath.Join(dir, "me"), conf: config()}
	var err error
	if s.home, err = daemon.FindHome(filepath.Join(dir, "h"), func(string) string { return s.user }); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{filepath.Join(s.user, "projects"), s.home.Workspace()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// open opens the hall, with a client at its socket.
func (s *stage) open() {
	s.t.Helper()
	s.hall = serve(s.t, s.home, s.conf)
	client, err := daemon.Connect(s.t.Context(), s.home, s.conf, "test", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { client.Close() })
	s.client = client
}

// reopen closes the hall as a person does, and opens it again.
func (s *stage) reopen() {
	s.t.Helper()
	if err := s.hall.Shutdown(); err != nil {
		s.t.Fatal(err)
	}
	s.open()
}

// pageText is what a page says, as who summarises it reads it.
func pageText(s scene) string {
	var lines []string
	for line := range strings.Lines(s.text()) {
		if text, ok := strings.CutPrefix(line, "> "); ok {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return strings.Join(lines, " ")
}

// played are the calls of one role so far; "" means of all.
func (s *stage) played(who string) []scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.scenes), func(c scene) bool { return who != "" && c.who != who })
}

// path is a file in the workspace.
func (s *stage) path(name string) string { return filepath.Join(s.home.Workspace(), name) }

// web gives the hall pages to find.
func (s *stage) web(pages ...map[string]string) {
	s.t.Helper()
	raw, err := json.Marshal(pages)
	if err != nil {
		s.t.Fatal(err)
	}
	s.conf.Search.Canned = filepath.Join(s.user, "web.json")
	lay(s.t, s.conf.Search.Canned, string(raw))
}

// lay writes a file.
func lay(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask puts a question and hands each step to who wants to see it.
func (s *stage) ask(r moothall.QueryRequest, see ...func(moothall.Step)) moothall.Answer {
	s.t.Helper()
	var a *moothall.Answer
	for step, err := range s.client.Query(s.t.Context(), r) {
		if err != nil {
			s.t.Fatalf("%s: %v", r.Query, err)
		}
		for _, f := range see {
			f(step)
		}
		if step.Answer != nil {
			a = step.Answer
		}
	}
	if a == nil {
		s.t.Fatalf("%s: no answer came", r.Query)
	}
	return *a
}

// answering answers whatever the person is asked on the way.
func (s *stage) answering(answer moothall.ApprovalAnswer) func(moothall.Step) {
	return func(step moothall.Step) {
		if step.Asked == nil {
			return
		}
		if _, err := s.client.Broker().Decide(s.t.Context(), moothall.ApprovalDecision{ID: step.Asked.ID, Answer: answer}); err != nil {
			s.t.Errorf("the answer to %s: %v", step.Asked.Tool, err)
		}
	}
}

// do works on a goal with nothing asked, and returns the task as it ended.
func (s *stage) do(goal string, change ...func(*moothall.QueryRequest)) (moothall.Answer, ended) {
	s.t.Helper()
	r := moothall.QueryRequest{Query: goal, Mode: moothall.ModeTask}
	for _, f := range change {
		f(&r)
	}
	a := s.ask(r)
	return a, s.task(a.Task)
}

// relax lets high-risk tools run without asking, for one message.
func relax(r *moothall.QueryRequest) { r.Override = &moothall.Overrides{Level: "relax"} }

// ended is a task with its plan and its result.
type ended struct {
	moothall.Task
	plan   orchestrator.PlanView
	result orchestrator.ResultView
}

// sub is one of its subtasks.
func (e ended) sub(t *testing.T, id string) orchestrator.SubtaskView {
	t.Helper()
	for _, s := range e.plan.Subtasks {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("the plan has no %s: %s", id, e.Plan)
	return orchestrator.SubtaskView{}
}

// task reads a task.
func (s *stage) task(id moothall.TaskID) ended {
	s.t.Helper()
	e, err := readTask(s.t.Context(), s.client, id)
	if err != nil {
		s.t.Fatalf("task %s: %v", id, err)
	}
	return e
}

func readTask(ctx context.Context, c moothall.Client, id moothall.TaskID) (e ended, err error) {
	list, err := c.Tasks(ctx, id)
	if err != nil {
		return e, err
	}
	e.Task = list[0] // who asks for one gets one, or an error
	if len(e.Plan) > 0 {
		err = json.Unmarshal(e.Plan, &e.plan)
	}
	if err == nil && len(e.Result) > 0 {
		err = json.Unmarshal(e.Result, &e.result)
	}
	return e, err
}

// wait waits until a task is as it should be: it is looked at whenever the
// bus tells of a change.
func (s *stage) wait(id moothall.TaskID, what string, ok func(ended) bool) ended {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	subjects := []moothall.Subject{moothall.SubjectTaskPlanned, moothall.SubjectTaskStep, moothall.SubjectTaskFinished, moothall.SubjectApprovalRequested}
	for _, err := range s.client.Events(ctx, moothall.EventQuery{Subjects: subjects, Mark: true}) {
		if err != nil {
			break
		}
		if e := s.task(id); ok(e) {
			return e
		}
	}
	s.t.Fatalf("%s: the task is %+v", what, s.task(id).Task)
	return ended{}
}

// over reports whether a task has ended.
func over(e ended) bool { return len(e.Result) > 0 }

// control steers a task.
func (s *stage) control(id moothall.TaskID, action, words string) moothall.Task {
	s.t.Helper()
	task, err := s.client.ControlTask(s.t.Context(), moothall.TaskControl{ID: id, Action: action, Words: words})
	if err != nil {
		s.t.Fatalf("%s: %v", action, err)
	}
	return task
}

// planned is a planner's reply.
func planned(list ...plan.Subtask) ollamatest.Reply {
	b, err := json.Marshal(plan.Plan{Subtasks: list})
	if err != nil {
		panic(err) // words alone: cannot fail
	}
	return says(string(b))
}

func subtask(id string, kind moothall.AgentType, task string, after ...string) plan.Subtask {
	return plan.Subtask{ID: id, Type: kind, Task: task, DependsOn: append([]string{}, after...), Inputs: []string{}}
}

// reports is an agent's last word.
func reports(summary string, change ...func(*report.Report)) ollamatest.Reply {
	r := report.Report{
		Status: report.Success, Summary: summary, Artifacts: []string{}, Quality: report.Inferred, Source: report.FromTools, Candidates: []string{},
	}
	for _, f := range change {
		f(&r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // words alone: cannot fail
	}
	return says(string(b))
}

// gaveUp makes a report one of failure.
func gaveUp(why string) func(*report.Report) {
	return func(r *report.Report) { r.Status, r.Reason, r.Quality = report.Failed, &why, report.Uncertain }
}

// with is a call of a tool with arguments.
func with(tool string, pairs ...string) ollamatest.Reply {
	args := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(args)
	if err != nil {
		panic(err) // words alone: cannot fail
	}
	return calls(tool, string(b))
}
