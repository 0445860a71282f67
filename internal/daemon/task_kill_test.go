package daemon_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator"
)

// taskKills is how often the hall is killed in the midst of one task.
const taskKills = 15

// tasking plays a hall that works on a task: it begins one where there is
// none, says what was done before, and goes on until it is killed or the task
// waits for nobody any more.
func tasking(args []string) error {
	c := taskingConfig(args[1])
	ctx := context.Background()
	hall, err := daemon.Open(ctx, daemon.Options{Home: home(args[0]), Config: c})
	if err != nil {
		return err
	}
	if err := hall.Serve(ctx); err != nil {
		return err
	}
	client, err := daemon.Connect(ctx, home(args[0]), c, "test", nil)
	if err != nil {
		return err
	}
	list, err := client.Tasks(ctx, "")
	if err != nil {
		return err
	}
	for _, t := range list {
		e, err := readTask(ctx, client, t.ID)
		if err != nil {
			return err
		}
		for _, s := range e.plan.Subtasks {
			if s.State == "done" {
				fmt.Println("done", s.Task)
			}
		}
	}
	if len(list) == 0 {
		for _, err := range client.Query(ctx, moothall.QueryRequest{Session: "kill", Query: "Write all the lines down", Mode: moothall.ModeTask, Detach: true}) {
			if err != nil {
				return err
			}
		}
	}
	fmt.Println("ready")
	select {}
}

func taskingConfig(url string) daemon.Config {
	c := config()
	c.Models.Ollama.URL, c.Models.Ollama.Parallel, c.Tasks.Parallel = url, 2, 2
	return c
}

// writers is the model of the task: each agent looks at the clock, adds one
// line to a file of its own, and reports.
type writers struct {
	t *testing.T
	h daemon.Home

	mu   sync.Mutex
	done map[string]bool // subtasks that a hall said were done
}

const lines = 24

func (w *writers) act(now scene) ollamatest.Reply {
	switch now.who {
	case "planner":
		var ids []string
		for i := range lines {
			ids = append(ids, fmt.Sprint("line", i))
		}
		return manySubtasks(ids, "coder")
	case "writer":
		return says("All lines are written.")
	case "coder":
	default:
		return says("unexpected " + now.who)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done[now.task] {
		w.t.Errorf("%q was done, and is done again", now.task)
	}
	written := false
	for _, m := range now.chat.Messages {
		if m.ToolName == "fs_write" && !strings.Contains(m.Content, "[not run]") && !strings.Contains(m.Content, "may be made again") {
			written = true
		}
	}
	switch {
	case now.step == 0:
		return with("now")
	case !written:
		return with("fs_write", "path", w.path(now.task), "mode", "append", "content", "line\n")
	}
	return reports("The line is written.")
}

// path is the file of a subtask.
func (w *writers) path(task string) string {
	return w.h.Workspace() + "/" + strings.Trim(strings.ReplaceAll(task, " ", "-"), ".") + ".txt"
}

// TestKillTask kills a hall at random moments of one task. What was done is
// not done again; in the end every line is there once, and the task is done.
// Where nobody can know whether a line was written, the person is asked.
func TestKillTask(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	w := &writers{t: t, h: s.home, done: map[string]bool{}}
	s.model = ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply { return w.act(sceneOf(c)) }})
	// Each restart spawns anew the agents that were at work, and all of them
	// count.
	lay(t, s.home.Manifest(), "limits:\n  spawns: 500\n")
	for range taskKills {
		w.killed(s)
		if t.Failed() {
			return
		}
	}
	before := len(w.done)
	s.conf = taskingConfig(s.model.URL)
	s.home.User = "" // as the children had it
	s.open()
	list, err := s.client.Tasks(t.Context(), "")
	if err != nil || len(list) != 1 {
		t.Fatalf("%d tasks, %v", len(list), err)
	}
	asked := map[string]int{}
	task := s.wait(list[0].ID, "the task ends", func(e ended) bool {
		for _, sub := range e.plan.Subtasks {
			if sub.State == "unknown_after_crash" {
				asked[w.decide(s, e.ID, sub)]++
			}
		}
		return over(e)
	})
	if task.State != "done" {
		t.Errorf("%s: %+v", task.State, task.result)
	}
	for _, sub := range task.plan.Subtasks {
		text, err := os.ReadFile(w.path(sub.Task))
		if err != nil || string(text) != "line\n" || sub.State != "done" {
			t.Errorf("%s is %s and wrote %q, %v", sub.ID, sub.State, text, err)
		}
	}
	report, err := daemon.VerifyAudit(t.Context(), s.home, nil, "")
	if err != nil || !report.OK {
		t.Errorf("the record: %+v, %v", report.Findings, err)
	}
	t.Logf("%d kills; %d of %d subtasks were done before the last start, the person was asked and said %v", taskKills, before, lines, asked)
}

// killed runs the part and kills it some time after it is ready.
func (w *writers) killed(s *stage) {
	cmd := child(w.t, "tasking", s.home.Data, s.model.URL)
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if task, ok := strings.CutPrefix(lines.Text(), "done "); ok {
			w.mu.Lock()
			w.done[task] = true
			w.mu.Unlock()
		}
		if lines.Text() == "ready" {
			time.AfterFunc(time.Duration(rand.IntN(60))*time.Millisecond, func() { cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.Exited() {
		w.t.Errorf("the hall ended by itself: %v", err)
	}
}

// decide answers for the person, who looks at the file.
func (w *writers) decide(s *stage, id moothall.TaskID, sub orchestrator.SubtaskView) string {
	answer := orchestrator.Retry
	if _, err := os.Stat(w.path(sub.Task)); err == nil {
		answer = orchestrator.Accept
	}
	if !strings.Contains(sub.Question, "fs_write") {
		w.t.Errorf("the question is %q", sub.Question)
	}
	s.control(id, answer, sub.ID)
	return answer
}
