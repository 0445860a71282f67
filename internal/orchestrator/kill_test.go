package orchestrator_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/store"
)

const (
	killDir = "MOOTHALL_ORCHESTRATOR_KILL_DIR"
	killAt  = "MOOTHALL_ORCHESTRATOR_KILL_AT"
)

// paper is a ledger's journal in a file: what is written stays when the
// process is killed.
type paper struct {
	mu   sync.Mutex
	file *os.File
}

func (p *paper) write(words ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.file.WriteString(strings.Join(words, " ") + "\n"); err != nil {
		panic(err)
	}
}

// killed is a hall in a process of its own, which ends itself with SIGKILL at
// the step that it is told.
func killed(dir string) int {
	at, err := strconv.Atoi(os.Getenv(killAt))
	if err == nil {
		err = killedHall(dir, at)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func killedHall(dir string, at int) error {
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(dir, "moothall.db"), &store.Options{Migrations: []store.Set{orchestrator.Migrations()}})
	if err != nil {
		return err
	}
	defer db.Close()
	broker, err := paperLedger(filepath.Join(dir, "calls"), at)
	if err != nil {
		return err
	}
	o, err := orchestrator.Open(orchestrator.Options{
		DB: db, Model: newBrain(killThink), Broker: broker, Audit: moottest.NewAudit().For(moothall.Orchestrator),
		Settings: orchestrator.Settings{Parallel: 2},
	})
	if err != nil {
		return err
	}
	defer o.Close()
	list, err := o.Tasks(ctx, "")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		task, err := o.Start(ctx, orchestrator.Goal{Text: "many things", Plan: &plan.Plan{Subtasks: killPlan()}})
		if err != nil {
			return err
		}
		list = []moothall.Task{task}
	} else if err := o.Recover(ctx); err != nil {
		return err
	}
	for s, err := range o.Watch(ctx, list[0].ID) {
		if err != nil {
			return err
		}
		if s.Task != nil && strings.Contains(string(s.Task.Plan), "unknown_after_crash") {
			answerByPaper(ctx, o, s.Task, filepath.Join(dir, "calls"))
		}
	}
	return nil
}

// answerByPaper is a person who looks before answering: what was done is not
// to be done again, what was not is.
func answerByPaper(ctx context.Context, o *orchestrator.Orchestrator, task *moothall.Task, path string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	for _, s := range planIn(task) {
		if s.State != "unknown_after_crash" {
			continue
		}
		action := orchestrator.Retry
		if strings.Contains(string(raw), "effect "+s.ID+"\n") {
			action = orchestrator.Accept
		}
		_, _ = o.Control(ctx, moothall.TaskControl{ID: task.ID, Action: action, Words: s.ID}) // it may be answered already
	}
}

// paperLedger reads what earlier processes did. The step at which it ends the
// process counts over everything that it is told.
func paperLedger(path string, at int) (*ledger, error) {
	l := newLedger()
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(raw)) {
		words := strings.Fields(line)
		switch words[0] {
		case "intent":
			l.calls[moothall.CallID(words[1])] = ""
		case "outcome":
			l.calls[moothall.CallID(words[1])] = moothall.CallOK
		}
	}
	l.recover()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p, steps := &paper{file: file}, 0
	l.tick = func(string) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if steps++; steps == at {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err != nil {
				return err
			}
			select {} // the signal is on its way
		}
		return nil
	}
	l.begun = func(c moothall.ToolCall) { p.write("intent", string(c.ID)) }
	l.ended = func(c moothall.ToolCall) { p.write("outcome", string(c.ID)) }
	l.run["write"] = func(_ context.Context, c moothall.ToolCall) moothall.ToolResult {
		var a struct{ Key string }
		_ = json.Unmarshal(c.Arguments, &a)
		p.write("effect", a.Key)
		return moothall.ToolResult{Status: moothall.CallOK, Text: "written"}
	}
	return l, nil
}

func killPlan() []plan.Subtask {
	var out []plan.Subtask
	for i := range 30 {
		s := sub(fmt.Sprint("k", i), "coder", fmt.Sprint("do k", i))
		if i > 2 {
			s.DependsOn = []string{fmt.Sprint("k", i-3)}
		}
		out = append(out, s)
	}
	return out
}

func killThink(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
	if isWriter(r) {
		return say("Done.")
	}
	last := ""
	for _, m := range r.Messages {
		if m.Role == moothall.RoleTool {
			last = m.Content
		}
	}
	if last == "" || strings.Contains(last, "[not run]") || strings.Contains(last, "may be made again") {
		return call("write", fmt.Sprintf(`{"key":%q}`, strings.TrimPrefix(taskOf(r), "do ")))
	}
	return say(good("Did it."))
}

// TestKilled kills a hall twenty times, each time at another step, and looks
// whether everything was done once.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 20
	if testing.Short() {
		kills = 6
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for n := 0; ; n++ {
		at := 2 + n*7%9
		if n >= kills {
			at = 0
		}
		c := exec.CommandContext(t.Context(), self)
		c.Env = append(os.Environ(), killDir+"="+dir, killAt+"="+strconv.Itoa(at))
		out, err := c.CombinedOutput()
		if err == nil {
			if n < kills {
				t.Errorf("the task was over after %d kills", n)
			}
			break
		}
		if !strings.Contains(err.Error(), "killed") {
			t.Fatalf("%v: %s", err, out)
		}
	}
	effects := map[string]int{}
	f, err := os.Open(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, ok := strings.CutPrefix(lines.Text(), "effect "); ok {
			effects[key]++
		}
	}
	killedEnd(t, dir, effects)
}

// killedEnd looks at the task that is left.
func killedEnd(t *testing.T, dir string, effects map[string]int) {
	h := newHall(t, killThink, func(o *orchestrator.Options) { o.DB = openStore(t, dir) })
	list, err := h.Tasks(t.Context(), "")
	if err != nil || len(list) != 1 {
		t.Fatalf("%d tasks, %v", len(list), err)
	}
	whole, err := h.Tasks(t.Context(), list[0].ID)
	if err != nil || whole[0].State != "done" {
		t.Fatalf("%s, %v", whole[0].State, err)
	}
	for _, s := range planOf(t, whole[0]).Subtasks {
		if s.State != "done" {
			t.Errorf("%s is %s", s.ID, s.State)
		}
		if effects[s.ID] != 1 {
			t.Errorf("%s was done %d times", s.ID, effects[s.ID])
		}
	}
}
