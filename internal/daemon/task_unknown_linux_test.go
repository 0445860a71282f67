package daemon_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator"
)

// TestUnknownAfterCrash kills the hall while a program of an agent runs. After
// the restart the person is asked about it, and each answer has its effect.
func TestUnknownAfterCrash(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]struct{ state, sub, runs string }{
		orchestrator.Retry:  {"done", "done", "run\nrun\n"},
		orchestrator.Accept: {"done", "done", "run\n"},
		orchestrator.Skip:   {"failed", "failed", "run\n"},
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			s := furnished(t)
			s.home.User = "" // as the child has it
			runs := s.path("runs")
			// A number that no other process on this machine sleeps for.
			sleep := fmt.Sprintf("7%09d", time.Now().UnixNano()%1e9)
			script := fmt.Sprintf("cd %s; echo run >> runs; if [ ! -e begun ]; then touch begun; sleep %s; fi", s.home.Workspace(), sleep)
			s.model = ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
				switch now := sceneOf(c); {
				case now.who == "planner":
					return planned(subtask("slow", "coder", "Run it."))
				case now.who == "replanner":
					return says(`{"subtasks":[],"direct":"the person gave it up"}`)
				case now.step == 0 || strings.Contains(now.last, "may be made again"):
					return shell(script)
				}
				return reports("It has run.")
			}})
			relaxed(t, s.home, "kill")
			code := s.interrupt(runs, sleep)
			s.conf = taskingConfig(s.model.URL)
			s.open()
			list, err := s.client.Tasks(t.Context(), "")
			if err != nil || len(list) != 1 {
				t.Fatalf("%d tasks, %v", len(list), err)
			}
			id := list[0].ID
			task := s.wait(id, "the person is asked", func(e ended) bool { return e.State == "asking" })
			if sub := task.sub(t, "slow"); sub.State != "unknown_after_crash" || !strings.Contains(sub.Question, "run_code") {
				t.Errorf("%+v", sub)
			}
			if _, err := s.client.ControlTask(t.Context(), moothall.TaskControl{ID: id, Action: answer, Words: "another"}); moothall.ErrorCode(err) != moothall.CodeNotFound {
				t.Errorf("an answer about another subtask: %v", err)
			}
			s.control(id, answer, "slow")
			task = s.wait(id, "the task ends", over)
			text, err := os.ReadFile(runs)
			if task.State != want.state || task.sub(t, "slow").State != want.sub || string(text) != want.runs || err != nil {
				t.Errorf("%s, %s, %q, %v", task.State, task.sub(t, "slow").State, text, err)
			}
			if _, err := os.Stat(code); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the code of the hall that was killed: %v", err)
			}
		})
	}
}

// interrupt begins the task in another process and kills it when the program
// runs. It returns where the code lies.
func (s *stage) interrupt(runs, sleep string) string {
	s.t.Helper()
	cmd := child(s.t, "tasking", s.home.Data, s.model.URL)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	var code []string
	pattern := filepath.Join(os.TempDir(), fmt.Sprintf("moothall-cage-%d-*", cmd.Process.Pid), "code.sh")
	s.t.Cleanup(func() {
		if s.t.Failed() {
			entries, err := os.ReadDir(os.TempDir())
			s.t.Logf("looked for %s, found %q; the program: %v; %d temporary entries, %v: %v", pattern, code, commands("sleep\x00"+sleep), len(entries), err, entries)
		}
	})
	until(s.t, "the program runs", func() bool {
		for _, c := range s.model.Chats() {
			if now := sceneOf(c); strings.Contains(now.last, "sandbox") {
				moottest.Cannot(s.t, "code is not run on this machine: "+now.last)
			}
		}
		// Looked for while the hall lives: afterwards the next hall that opens, of
		// whichever test, removes what it left. Glob is silent about a folder that
		// it could not read, so one look is not the answer.
		code, _ = filepath.Glob(pattern)
		_, err := os.Stat(filepath.Join(filepath.Dir(runs), "begun"))
		return err == nil && len(commands("sleep\x00"+sleep)) > 0 && len(code) == 1
	})
	if err := cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	cmd.Wait()
	until(s.t, "the sandbox ended", func() bool { return len(commands("sleep\x00"+sleep)) == 0 })
	return code[0]
}
