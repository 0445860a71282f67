package daemon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

// Words that stand where only tools read, each in a place of its own.
const (
	inPage   = "canary-page-6f1e"
	inFile   = "canary-file-a20b"
	inOutput = "canary-output-77d4"
	inCheck  = "canary-check-09c3"
	inMemory = "canary-memory-51fa"
)

// TestRawContentStaysBelow: words from pages, files, programs, checks and
// memories reach the agents that look at them, and never a prompt of the
// orchestrator's own: plan, new plan, memory gate, notes, answer.
func TestRawContentStaysBelow(t *testing.T) {
	t.Parallel()
	var s *stage
	s = newStage(t, func(now scene) ollamatest.Reply { return canaries(s, now) }, func(s *stage) {
		page := map[string]string{"url": "https://gazette.example/ferry", "title": "The ferry", "text": "The ferry sails at noon " + inPage + " from the old pier."}
		s.web(page)
		lay(t, s.path("log.txt"), "the pump is loud "+inFile+"\n")
		lay(t, s.path("check.txt"), "wrong: "+inCheck+"\n")
		lay(t, s.path("out.txt"), "the output says "+inOutput+"\n")
		// A small window for the orchestrator alone: its results become notes.
		s.model.Add(ollamatest.Model{Name: "chief:1b", Family: "qwen3", Parameters: "0.5B", Size: 1 << 29, Window: 4096, Capabilities: []string{"completion", "tools"}})
		s.conf.Models.Roles = []daemon.RoleConfig{{Role: "orchestrator", Provider: "ollama", Model: "chief:1b"}}
	})
	s.settings(`{"summaries":2,"retries":1}`)
	for _, e := range []moothall.MemoryEntry{
		{Kind: moothall.Fact, Name: "boat", Corpus: "The boat Petrel lies in the yard of Alderhaven."},
		{Kind: moothall.Document, Name: "boat page", Corpus: "The boat Petrel lies in the harbour of " + inMemory + ".", Source: "external: https://boats.example", Trust: moothall.TrustExternal},
	} {
		if _, err := s.client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: e}); err != nil {
			t.Fatal(err)
		}
	}
	a := s.ask(moothall.QueryRequest{Query: "Collect what is known about the ferry, then write it down", Mode: moothall.ModeTask}, s.answering("once"))
	task := s.task(a.Task)
	needSandbox(t, a)
	if task.State == "failed" || task.plan.Replans != 1 || task.plan.Context.Compacted == 0 {
		t.Errorf("%s, %d new plans, compacted %d times: %+v", task.State, task.plan.Replans, task.plan.Context.Compacted, task.result)
	}
	for _, who := range []string{"planner", "replanner", "gate", "notes", "writer"} {
		if len(s.played(who)) == 0 {
			t.Errorf("the %s was never asked", who)
		}
	}
	for _, word := range []string{inPage, inFile, inOutput, inCheck, inMemory} {
		below := 0
		for _, now := range s.played("") {
			switch has := strings.Contains(now.text(), word); {
			case has && now.chief():
				t.Errorf("%s reached the %s:\n%s", word, now.who, now.text())
			case has && now.who == "somebody":
				t.Errorf("%s reached nobody known: %s", word, now.chat.Messages[0].Content)
			case has:
				below++
			}
		}
		if below == 0 {
			t.Errorf("%s was never seen by anybody: this did not test much", word)
		}
		if strings.Contains(a.Text, word) || strings.Contains(string(task.Plan), word) {
			t.Errorf("%s stands in the answer or the plan", word)
		}
	}
}

// measured is a summary as long as one may be, in which nothing repeats.
func measured() string {
	var b strings.Builder
	for b.Len() < report.MaxSummary-100 {
		b.WriteString(strings.ToLower(moothall.NewID()) + " ")
	}
	return "The depths are " + b.String()
}

// settings changes those of the orchestrator while the hall runs.
func (s *stage) settings(raw string) {
	s.t.Helper()
	if _, err := s.client.Configure(s.t.Context(), "orchestrator", json.RawMessage(raw)); err != nil {
		s.t.Fatal(err)
	}
}

// canaries is a task that touches everything there is.
func canaries(s *stage, now scene) ollamatest.Reply {
	switch now.who {
	case "planner":
		bad := subtask("bad", "coder", "Do what cannot be done.", "file")
		bad.Check = &plan.Check{Command: "cat " + s.path("check.txt") + "; exit 1"}
		return planned(subtask("remember", "assistant", "Say where the boat lies."), subtask("page", "researcher", "Look at the page.", "remember"),
			subtask("file", "coder", "Look at the file.", "page"), bad)
	case "replanner":
		var list []plan.Subtask
		for i := range 12 {
			list = append(list, subtask(fmt.Sprint("more-", i), "assistant", fmt.Sprint("Measure the harbour, part ", i, ".")))
		}
		return planned(list...)
	case "writer":
		return says("It is all written down.")
	case "gate":
		return says(`{"contradicts":true,"reason":"yard or harbour"}`)
	case "notes":
		return says(`{"decisions":["The harbour was measured."],"artifacts":[],"questions":[]}`)
	}
	switch {
	case now.task == "Say where the boat lies.":
		return reports("The boat lies in the harbour.", func(r *report.Report) {
			r.Candidates = []string{"The boat Petrel lies in the harbour of Alderhaven."}
		})
	case now.task == "Look at the page." && now.step == 0:
		return with("web_search", "query", "ferry pier")
	case now.task == "Look at the page." && now.step == 1:
		return with("memory_read", "query", "boat Petrel harbour")
	case now.task == "Look at the file." && now.step == 0:
		return with("fs_read", "path", s.path("log.txt"))
	case now.task == "Look at the file." && now.step == 1:
		return with("run_code", "language", "shell", "code", "cat "+s.path("out.txt"))
	case strings.HasPrefix(now.task, "Measure"):
		return reports(measured())
	}
	return reports("I have looked at it.")
}
