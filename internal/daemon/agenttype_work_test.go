package daemon_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
	"moothall/internal/policy"
)

// ferry is a page about something that no model knows.
var ferry = map[string]string{
	"url": "https://gazette.example/ferry-bridge", "title": "New ferry bridge opens", "language": "en",
	"text": "The ferry bridge at Alderhaven opened to walkers this week.\nThe crossing is 412 metres long and carries a path for bicycles.",
}

// did are a task's calls with how they ended: "fs_read ok".
func did(a moothall.Answer) []string {
	var out []string
	for _, c := range a.Tools {
		out = append(out, string(c.Tool)+" "+string(c.Status))
	}
	return out
}

// needSandbox ends a test on a machine that runs no code.
func needSandbox(t *testing.T, a moothall.Answer) {
	t.Helper()
	for _, c := range a.Tools {
		if c.Status == moothall.CallUnavailable && strings.Contains(c.Result, "sandbox") {
			moottest.Cannot(t, "code is not run on this machine: "+c.Result)
		}
	}
}

// manifestFile writes a manifest as a person would.
func manifestFile(m policy.Manifest) string {
	var b strings.Builder
	list := func(key string, items []string) {
		if len(items) > 0 {
			b.WriteString("    " + key + ": [\"" + strings.Join(items, "\", \"") + "\"]\n")
		}
	}
	b.WriteString("agent_types:\n")
	for name, t := range m.Types {
		b.WriteString("  " + string(name) + ":\n")
		list("allowed_tools", wordsOf(t.Allowed))
		list("delegates", wordsOf(t.Delegates))
		list("can_spawn", wordsOf(t.Spawns))
		if len(t.Paths) > 0 {
			b.WriteString("    allowed_paths:\n")
		}
		for tool, folders := range t.Paths {
			list("  "+string(tool), folders)
		}
	}
	return b.String()
}

func wordsOf[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// TestResearcher: search, page and memory through the real tools. The page is
// summarised before the agent sees it, and named as a source.
func TestResearcher(t *testing.T) {
	t.Parallel()
	const known = "The walking club of Alderhaven meets on Sundays."
	act := func(s scene) ollamatest.Reply {
		switch {
		case s.who == "planner":
			return planned(subtask("find", "researcher", "Find out how long the ferry bridge is."))
		case s.who == "researcher" && s.step == 0:
			return with("web_search", "query", "ferry bridge Alderhaven")
		case s.who == "researcher" && s.step == 1:
			return with("web_fetch", "url", ferry["url"])
		case s.who == "researcher" && s.step == 2:
			return with("memory_read", "query", "walking club Alderhaven")
		case s.who == "researcher":
			return reports("The crossing is 412 metres long.", func(r *report.Report) { r.Quality = report.Verified })
		}
		return says("unexpected " + s.who)
	}
	s := newStage(t, act, func(s *stage) {
		s.web(ferry)
		m := policy.DefaultManifest() // the default has no page for a researcher, only searches
		for _, kind := range []moothall.AgentType{"researcher", "orchestrator"} {
			row := m.Types[kind]
			if kind == "researcher" {
				row.Allowed = append(row.Allowed, "web_fetch")
			} else {
				row.Delegates = append(row.Delegates, "web_fetch")
			}
			m.Types[kind] = row
		}
		lay(t, s.home.Manifest(), manifestFile(m))
	})
	if _, err := s.client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Kind: moothall.Fact, Name: "walking club", Corpus: known}}); err != nil {
		t.Fatal(err)
	}
	a, task := s.do("Research how long the ferry bridge Alderhaven is")
	if got := did(a); !slices.Equal(got, []string{"web_search ok", "web_fetch ok", "memory_read ok"}) || task.State != "done" {
		t.Fatalf("%s: %v\n%+v", task.State, got, a.Tools)
	}
	sub := task.sub(t, "find")
	if sub.Report.Source != report.FromWeb || sub.Report.Quality != report.Verified || sub.Labels != moothall.Untrusted|moothall.Private {
		t.Errorf("%+v, labels %s", sub.Report, sub.Labels)
	}
	if !slices.Contains(task.result.Sources, ferry["url"]) || !strings.Contains(a.Text, ferry["url"]) || !strings.Contains(a.Text, "412 metres") {
		t.Errorf("sources %v, answer %q", task.result.Sources, a.Text)
	}
	last := s.played("researcher")[3]
	for _, want := range []string{"412 metres", known} {
		if !strings.Contains(last.text(), want) {
			t.Errorf("the agent was not told %q", want)
		}
	}
}

// TestCoder writes a program and its test, sees it fail in the sandbox, mends
// it and sees it pass. The plan's check runs the test once more.
func TestCoder(t *testing.T) {
	t.Parallel()
	var s *stage
	act := func(now scene) ollamatest.Reply {
		program, test := s.path("sum.sh"), s.path("sum_test.sh")
		run := "sh " + test
		switch {
		case now.who == "planner":
			code := subtask("code", "coder", "Write sum.sh and its test.")
			code.Check = &plan.Check{Command: run}
			return planned(code)
		case now.who != "coder":
			return says("unexpected " + now.who)
		}
		switch now.step {
		case 0:
			return with("fs_write", "path", program, "content", "echo $(($1 - $2))\n")
		case 1:
			return with("fs_write", "path", test, "content", `test "$(sh `+program+` 2 3)" = 5 || { echo wrong sum; exit 1; }`+"\n")
		case 2, 4:
			return with("run_code", "language", "shell", "code", run)
		case 3:
			return with("fs_write", "path", program, "mode", "replace-text", "old_text", "$1 - $2", "new_text", "$1 + $2")
		}
		return reports("sum.sh adds two numbers and its test passes.", func(r *report.Report) {
			r.Artifacts, r.Quality = []string{program, test}, report.Verified
		})
	}
	s = newStage(t, act)
	a, task := s.do("Write a program that adds two numbers, and test it", relax)
	needSandbox(t, a)
	if got := did(a); !slices.Equal(got, []string{"fs_write ok", "fs_write ok", "run_code failed", "fs_write ok", "run_code ok"}) || task.State != "done" {
		t.Fatalf("%s: %v\n%+v", task.State, got, a.Tools)
	}
	sub := task.sub(t, "code")
	if len(sub.Checked) == 0 || len(sub.Artifacts) != 2 || !sub.Artifacts[0].Proven || !sub.Artifacts[1].Proven {
		t.Errorf("checked %v, artifacts %+v", sub.Checked, sub.Artifacts)
	}
	if !slices.Equal(task.result.Artifacts, []string{s.path("sum.sh"), s.path("sum_test.sh")}) || len(task.result.Verified) != 1 {
		t.Errorf("%+v", task.result)
	}
	if text, err := os.ReadFile(s.path("sum.sh")); err != nil || string(text) != "echo $(($1 + $2))\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestCoderCannotLie: a check that fails goes back to the agent, and a file
// that is not there is not proven.
func TestCoderCannotLie(t *testing.T) {
	t.Parallel()
	var s *stage
	act := func(now scene) ollamatest.Reply {
		if now.who == "planner" {
			code := subtask("code", "coder", "Write sum.sh.")
			code.Check = &plan.Check{Command: "test -s " + s.path("sum.sh")}
			return planned(code)
		}
		if now.who == "replanner" {
			return says(`{"subtasks":[],"direct":"there is no other way"}`)
		}
		return reports("It is all there.", func(r *report.Report) { r.Artifacts, r.Quality = []string{s.path("sum.sh")}, report.Verified })
	}
	s = newStage(t, act)
	a, task := s.do("Write a program that adds two numbers", relax)
	needSandbox(t, a)
	sub := task.sub(t, "code")
	if task.State != "failed" || sub.Report.Status != report.Failed || sub.Artifacts[0].Proven || len(s.played("coder")) < 2 {
		t.Errorf("%s after %d attempts: %+v, %+v", task.State, len(s.played("coder")), sub.Report, sub.Artifacts)
	}
}

// TestSysadmin reads a log and proposes a command, which runs in its folders
// once the person says yes, and does not when they say no.
func TestSysadmin(t *testing.T) {
	t.Parallel()
	var s *stage
	act := func(now scene) ollamatest.Reply {
		switch {
		case now.who == "planner":
			return planned(subtask("mend", "sysadmin", "Read the log and mend what it complains about."))
		case now.who == "replanner":
			return says(`{"subtasks":[],"direct":"the person does not want it"}`)
		case now.who != "sysadmin":
			return says("unexpected " + now.who)
		case now.step == 0:
			return with("fs_read", "path", filepath.Join(s.user, "app.log"))
		case now.step == 1:
			return with("run_shell", "command", "touch "+filepath.Join(s.user, "projects", "spool"))
		case strings.Contains(now.last, "Denied") || strings.Contains(now.last, "denied"):
			return reports("", gaveUp("The person refused the command."))
		}
		return reports("The spool that the log misses is there.", func(r *report.Report) { r.Quality = report.Verified })
	}
	s = newStage(t, act, func(s *stage) { lay(t, filepath.Join(s.user, "app.log"), "error: no spool\n") })
	spool := filepath.Join(s.user, "projects", "spool")
	for _, c := range []struct {
		answer, state string
		calls         []string
	}{
		{"deny", "failed", []string{"fs_read ok", "run_shell denied"}},
		{"once", "done", []string{"fs_read ok", "run_shell ok"}},
	} {
		var asked *moothall.Approval
		a := s.ask(moothall.QueryRequest{Query: "Check the log and mend what is wrong", Mode: moothall.ModeTask}, func(step moothall.Step) {
			if step.Asked == nil {
				return
			}
			asked = step.Asked
			if step.From != "mend" || asked.Type != "sysadmin" || asked.Tool != "run_shell" {
				t.Errorf("asked %+v from %s", asked, step.From)
			}
			if _, err := os.Stat(spool); err == nil {
				t.Error("the command ran before the person said yes")
			}
			if status := reply(t, s.hall, asked.ID, `{"answer":"`+c.answer+`"}`); status != http.StatusOK {
				t.Errorf("the answer got %d", status)
			}
		})
		needSandbox(t, a)
		task := s.task(a.Task)
		if got := did(a); asked == nil || !slices.Equal(got, c.calls) || task.State != c.state {
			t.Fatalf("%s: %s, %v\n%+v", c.answer, task.State, got, a)
		}
		if _, err := os.Stat(spool); (err == nil) != (c.answer == "once") {
			t.Errorf("%s: %v", c.answer, err)
		}
		sub := task.sub(t, "mend")
		if c.answer == "deny" && (sub.Report.Why() != "The person refused the command." || task.result.Reason == nil || len(task.result.Failed) != 1 || len(a.Receipt.Refused) != 1) {
			t.Errorf("%+v, %+v, %+v", sub.Report, task.result, a.Receipt)
		}
	}
}

// TestAssistant hands a question to a researcher below it, who searches; the
// assistant sees the report, and nothing of the page.
func TestAssistant(t *testing.T) {
	t.Parallel()
	act := func(s scene) ollamatest.Reply {
		switch {
		case s.who == "assistant" && s.step == 0:
			return with("delegate", "agent_type", "researcher", "task", "Find out how long the ferry bridge is.")
		case s.who == "assistant":
			return reports("The bridge is 412 metres long.", func(r *report.Report) { r.Source = report.FromWeb })
		case s.who == "researcher" && s.step == 0:
			return with("web_search", "query", "ferry bridge")
		case s.who == "researcher":
			return reports("The crossing is 412 metres long.", func(r *report.Report) { r.Source = report.FromWeb })
		}
		return says("unexpected " + s.who)
	}
	s := newStage(t, act, func(s *stage) { s.web(ferry) })
	a, task := s.do("How long is the ferry bridge?") // a simple question: nobody plans
	if got := did(a); !slices.Contains(got, "web_search ok") || !slices.Contains(got, "delegate ok") || task.State != "done" {
		t.Fatalf("%s: %v\n%+v", task.State, got, a)
	}
	if !slices.Contains(task.result.Sources, ferry["url"]) || a.Receipt.Labels != moothall.Untrusted {
		t.Errorf("sources %v, labels %s", task.result.Sources, a.Receipt.Labels)
	}
	for _, now := range s.played("assistant") {
		if strings.Contains(now.text(), "bicycles") {
			t.Error("words of the page reached the assistant")
		}
	}
	if n := len(s.played("planner")); n != 0 {
		t.Errorf("%d plans for a simple question", n)
	}
	depth := map[moothall.AgentType]int{}
	for e, err := range daemon.ShowAudit(t.Context(), s.home, daemon.AuditFilter{Action: moothall.ActionSpawn}, false) {
		if err != nil {
			t.Fatal(err)
		}
		depth[e.Type] = len(e.Lineage)
	}
	if depth["orchestrator"] != 1 || depth["assistant"] != 2 || depth["researcher"] != 3 {
		t.Errorf("spawned at %v", depth)
	}
}
