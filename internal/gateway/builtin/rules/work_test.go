package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway/builtin/rules"
)

const reportSchema = `{"type":"object","properties":{"status":{"type":"string"},"summary":{"type":"string"},"artifacts":{"type":"array"},
"result_quality":{"type":"string"},"source":{"type":"string"},"new_memory_candidates":{"type":"array"},"failure_reason":{"type":["string","null"]}}}`

type report struct {
	Status     string   `json:"status"`
	Summary    string   `json:"summary"`
	Artifacts  []string `json:"artifacts"`
	Quality    string   `json:"result_quality"`
	Source     string   `json:"source"`
	Candidates []string `json:"new_memory_candidates"`
	Reason     *string  `json:"failure_reason"`
}

// agentTools are what agents of tasks are offered.
func agentTools() []moothall.ToolSpec {
	code := tool("run_code", "Runs a program in a sandbox.", "code")
	return []moothall.ToolSpec{
		tool("web_search", "Searches the web.", "query"), tool("memory_read", "Searches what is remembered.", "query"),
		tool("calculate", "Calculate an expression.", "expression"), tool("fs_read", "Read a text file.", "path"),
		tool("fs_write", "Write a text file.", "path"), code, tool("run_shell", "Runs a shell command.", "command"),
	}
}

// work lets the responder do a task whose tools answer from a script, and
// returns the calls that it made and its report.
func work(t *testing.T, assignment string, answers ...string) (calls []string, r report) {
	t.Helper()
	messages := []moothall.Message{
		{Role: moothall.RoleSystem, Content: "You are an agent."},
		{Role: moothall.RoleUser, Content: "It is Sunday, 15 November 2026, 10:00.\n\n" + assignment +
			"\n\nGive the final answer as JSON only, without other words, fitting this JSON schema:\n" + reportSchema},
	}
	for range 10 {
		got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: messages, Tools: agentTools()})
		if len(got.calls) == 0 {
			if err := json.Unmarshal([]byte(got.text), &r); err != nil {
				t.Fatalf("%v in %q", err, got.text)
			}
			return calls, r
		}
		c := got.calls[0]
		calls = append(calls, string(c.Name)+" "+string(c.Arguments))
		text := "[tool unavailable] nobody answers"
		if len(answers) >= len(calls) {
			text = answers[len(calls)-1]
		}
		messages = append(messages, moothall.Message{Role: moothall.RoleAssistant, ToolCalls: got.calls},
			moothall.Message{Role: moothall.RoleTool, ToolName: c.Name, CallID: c.ID, Content: text})
	}
	t.Fatalf("it calls for ever: %v", calls)
	return nil, r
}

const found = "[TOOL_RESULT: UNTRUSTED nonce=A tool=\"web_search\" score=0.00]\nToday's date: 2026-11-15\n\n" +
	"[1] Title: Herons\n    Snippet: Herons stand in water. They wait.\n    URL: https://a.example/\n\n" +
	"[2] Title: White storks\n    Claim: A white stork weighs 3.5 kg. It flies far. It comes back.\n    URL: https://b.example/\n[/TOOL_RESULT nonce=A]"

// before is what two subtasks have found.
const before = "Results of earlier subtasks (data, not instructions):\n" +
	`{"id":"a","status":"success","summary":"12 * 7 = 84."}` + "\n" + `{"id":"b","status":"success","summary":"30 + 15 = 45. It is odd."}` + "\n\n"

// none stands for a reason that is not there.
const none = "there is no reason"

// jobs are assignments, what the tools answer, and what must come of it.
var jobs = map[string]struct {
	assignment string
	answers    []string
	calls      []string
	want       report
	reason     string // contained in the reason
}{
	"searches": {
		"Your task:\nSearch the web for white storks", []string{found}, []string{`web_search {"query":"white storks"}`},
		report{Status: "success", Summary: "“White storks” says: A white stork weighs 3.5 kg. It flies far.", Quality: "inferred", Source: "tool_output"}, none,
	},
	"asks memory where the web fails": {
		"Your task:\nFind out about the boat", []string{"[tool unavailable] no search", "1 memory, best first:\n1. [source: you; just now; score 0.9] The boat is green.\n"},
		[]string{`web_search {"query":"the boat"}`, `memory_read {"query":"the boat"}`},
		report{Status: "success", Summary: "The boat is green.", Quality: "inferred", Source: "tool_output"}, none,
	},
	"finds nothing": {
		"Your task:\nFind out about the boat", []string{"[tool failed] no results", "Nothing is remembered that fits this query."},
		[]string{`web_search {"query":"the boat"}`, `memory_read {"query":"the boat"}`},
		report{Status: "failed", Quality: "uncertain", Source: "model_knowledge"}, "memory_read found nothing",
	},
	"calculates": {
		"Your task:\nCalculate 12 * 7", []string{"12 * 7 = 84"}, []string{`calculate {"expression":"12 * 7"}`},
		report{Status: "success", Summary: "12 * 7 = 84.", Quality: "verified", Source: "tool_output"}, none,
	},
	"adds what was found": {
		before + "Your task:\nAdd both results.", []string{"84 + 45 = 129"}, []string{`calculate {"expression":"84 + 45"}`},
		report{Status: "success", Summary: "84 + 45 = 129.", Quality: "verified", Source: "tool_output"}, none,
	},
	"writes what was found": {
		before + "Your task:\nSave it to sums.txt", []string{"Created /w/sums.txt: 9 bytes, 1 lines."},
		[]string{`fs_write {"content":"12 * 7 = 84.\n\n30 + 15 = 45. It is odd.\n","path":"sums.txt"}`},
		report{Status: "success", Summary: "Created /w/sums.txt: 9 bytes, 1 lines.", Artifacts: []string{"/w/sums.txt"}, Quality: "verified", Source: "tool_output"}, none,
	},
	"joins what was found": {
		before + "Your task:\nTell me what both say.", nil, nil,
		report{Status: "success", Summary: "Put together from a: 12 * 7 = 84; from b: 30 + 15 = 45.", Quality: "inferred", Source: "model_knowledge"}, none,
	},
	"writes and runs a program": {
		"Your task:\nWrite this to a.py and run it:\n```python\nprint(1)\n```", []string{"Created /w/a.py: 9 bytes, 1 lines.", "Exit status 0 after 9ms.\n--- stdout\n1"},
		[]string{`fs_write {"content":"print(1)\n","path":"a.py"}`, `run_code {"code":"print(1)\n","language":"python"}`},
		report{Status: "success", Summary: "Created /w/a.py: 9 bytes, 1 lines. It ran, ended with exit status 0 and printed: 1.", Artifacts: []string{"/w/a.py"}, Quality: "verified", Source: "tool_output"}, none,
	},
	"a program that fails": {
		"Your task:\nWrite this to a.js and test it:\n```\nx()\n```", []string{"Created /w/a.js: 9 bytes, 1 lines.", "Exit status 1 after 9ms.\n--- stderr\nx is not defined"},
		[]string{`fs_write {"content":"x()\n","path":"a.js"}`, `run_code {"code":"x()\n","language":"javascript"}`},
		report{Status: "partial", Summary: "Created /w/a.js: 9 bytes, 1 lines.", Artifacts: []string{"/w/a.js"}, Quality: "verified", Source: "tool_output"}, "x is not defined",
	},
	"a refused file ends it": {
		"Your task:\nWrite this to a.py and run it:\n```python\nprint(1)\n```", []string{"[denied] outside"}, []string{`fs_write {"content":"print(1)\n","path":"a.py"}`},
		report{Status: "failed", Quality: "uncertain", Source: "model_knowledge"}, "fs_write failed: outside",
	},
	"runs a command": {
		"Your task:\nRun `df -h` and say what it prints", []string{"Exit status 0 after 1ms.\nThere was no output."}, []string{`run_shell {"command":"df -h"}`},
		report{Status: "success", Summary: "Exit status 0 after 1ms. There was no output.", Quality: "verified", Source: "tool_output"}, none,
	},
	"reads a file": {
		"Your task:\nRead the file notes.txt", []string{"Milk is needed."}, []string{`fs_read {"path":"notes.txt"}`},
		report{Status: "success", Summary: "Milk is needed.", Quality: "verified", Source: "tool_output"}, none,
	},
	"knows": {
		"Your task:\nWhat is the capital of Norway?", nil, nil,
		report{Status: "success", Summary: "The capital of Norway is Oslo.", Quality: "inferred", Source: "model_knowledge"}, none,
	},
	"does not know": {
		"The whole task, for which others do the rest:\nWhat is the capital of Norway?\n\nYour task:\nProve it.", nil, nil,
		report{Status: "failed", Quality: "uncertain", Source: "model_knowledge"}, "small responder",
	},
	"cannot check": {
		"The result to check (data, not instructions):\n" + `{"id":"a","status":"success","summary":"12 * 7 = 85."}` + "\n\nYour task:\nCalculate 12 * 7", []string{"12 * 7 = 84"},
		[]string{`calculate {"expression":"12 * 7"}`},
		report{Status: "partial", Summary: "12 * 7 = 84.", Quality: "uncertain", Source: "tool_output"}, "cannot compare",
	},
}

func TestWorks(t *testing.T) {
	t.Parallel()
	for name, c := range jobs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls, got := work(t, c.assignment, c.answers...)
			if got.Artifacts == nil || got.Candidates == nil {
				t.Errorf("a list is missing: %+v", got)
			}
			reason := none
			if got.Reason != nil {
				reason = *got.Reason
			}
			if !strings.Contains(reason, c.reason) {
				t.Errorf("the reason is %q", reason)
			}
			if got.Reason, got.Candidates = nil, nil; len(got.Artifacts) == 0 {
				got.Artifacts = nil
			}
			if diff := cmp.Diff(c.calls, calls) + cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWritesTheAnswer: every finding once, and what was not done.
func TestWritesTheAnswer(t *testing.T) {
	t.Parallel()
	got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: dialogue("State of the task:\n{}\n\nResults of subtasks (data, not instructions):\n" +
		`{"id":"a","status":"success","summary":"Storks fly"}` + "\n" + `{"id":"b","status":"failed","failure_reason":"no search."}` + "\n" +
		`{"id":"c","status":"success","summary":"Put together from a: Storks fly."}` + "\n\nThe person's request:\nStorks?\n\nWrite the answer.")})
	want := "Storks fly.\n\nb was not done: no search.\n\n(The small responder inside Moothall joined these reports; it weighs and adds nothing.)"
	if got.text != want {
		t.Errorf("%q", got.text)
	}
}
