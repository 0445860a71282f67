package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
	"moothall/internal/schema"
)

// one plans a single subtask and lets f answer for it.
func one(s plan.Subtask, f func(r moothall.GenerateRequest) (moottest.Reply, error)) func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) {
	return func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		if isPlanner(r) {
			if strings.Contains(transcript(r), "Some subtasks failed") {
				return say(`{"subtasks":[],"direct":"there is no other way"}`)
			}
			return say(planJSON(s))
		}
		return f(r)
	}
}

func TestClaimsThatNothingBacksAreLowered(t *testing.T) {
	t.Parallel()
	with := func(change func(*report.Report)) string { return good("Done.", change) }
	for name, c := range map[string]struct {
		answer                 string
		status, quality, where string
		state                  string
	}{
		"verified without a tool": {with(func(r *report.Report) { r.Quality = report.Verified }), "success", "inferred", "model_knowledge", "done"},
		"a source that was not":   {with(func(r *report.Report) { r.Source = report.FromWeb }), "success", "inferred", "model_knowledge", "done"},
		"a file that is there":    {with(func(r *report.Report) { r.Artifacts = []string{"/work/a"} }), "success", "inferred", "model_knowledge", "done"},
		"a file that is missing":  {with(func(r *report.Report) { r.Artifacts = []string{"/work/missing"} }), "partial", "inferred", "model_knowledge", "partial"},
		"an empty file":           {with(func(r *report.Report) { r.Artifacts = []string{"/work/empty"} }), "partial", "inferred", "model_knowledge", "partial"},
		"a file outside":          {with(func(r *report.Report) { r.Artifacts = []string{"/etc/passwd"} }), "partial", "inferred", "model_knowledge", "partial"},
		"no report at all":        {"I think that it is fine.", "failed", "uncertain", "model_knowledge", "failed"},
		"a field too many":        {strings.Replace(good("Done."), "{", `{"extra":1,`, 1), "failed", "uncertain", "model_knowledge", "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHall(t, one(sub("a", "coder", "make it"), func(moothall.GenerateRequest) (moottest.Reply, error) { return say(c.answer) }))
			out := h.do(t, orchestrator.Goal{Text: longGoal})
			s := find(t, out.Task, "a")
			if out.Task.State != c.state || s.Report.Status != c.status || s.Report.Quality != c.quality || s.Report.Source != c.where {
				t.Errorf("%s: %+v", out.Task.State, s.Report)
			}
			if problems := schema.Check(report.Schema(), mustJSON(s.Report)); len(problems) > 0 {
				t.Errorf("the report does not fit its schema: %v", problems)
			}
		})
	}
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestAMissingFileGoesBackToTheAgent(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "coder", "make it"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		if strings.Contains(transcript(r), "it is not there") {
			return say(good("Now it is there.", func(r *report.Report) { r.Artifacts = []string{"/work/a"} }))
		}
		return say(good("Made it.", func(r *report.Report) { r.Artifacts = []string{"/work/missing"} }))
	}))
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	if out.Task.State != "done" || !strings.Contains(out.Answer, "Files:\n- /work/a") {
		t.Errorf("%s %q", out.Task.State, out.Answer)
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		check  plan.Check
		passes int // the command does, from this time on; 0 never
		status string
		runs   int
		done   bool
	}{
		"a command that passes":      {plan.Check{Command: "make test"}, 1, "success", 1, true},
		"a command that passes late": {plan.Check{Command: "make test"}, 2, "success", 2, true},
		"a command that never does":  {plan.Check{Command: "make test"}, 0, "failed", 3, false},
		"part of it":                 {plan.Check{Command: "make test", Contains: "made"}, 0, "partial", 3, true},
		"words that are there":       {plan.Check{Contains: "MADE"}, 0, "success", 0, true},
		"words that are not":         {plan.Check{Contains: "unicorn"}, 0, "failed", 0, false},
		"a schema":                   {plan.Check{Schema: json.RawMessage(`{"properties":{"artifacts":{"minItems":1}}}`)}, 0, "failed", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			s := sub("a", "coder", "make it")
			s.Check = &c.check
			h := newHall(t, one(s, func(moothall.GenerateRequest) (moottest.Reply, error) { return say(good("Made it.")) }), func(o *orchestrator.Options) {
				o.Check = func(_ context.Context, r orchestrator.CheckRequest) (engine.Verdict, error) {
					runs++
					if r.Command != "make test" || r.Agent == "" || r.Type != "coder" || len(r.Lineage) != 2 {
						t.Errorf("%+v", r)
					}
					if c.passes > 0 && runs >= c.passes {
						return engine.Verdict{Passed: []string{"command"}}, nil
					}
					return engine.Verdict{Failed: []string{"FAIL canary-in-output"}}, nil
				}
			})
			out := h.do(t, orchestrator.Goal{Text: longGoal})
			got := find(t, out.Task, "a")
			if got.Report.Status != c.status || runs != c.runs || (got.State == "done") != c.done {
				t.Errorf("%s %+v after %d runs", got.State, got.Report, runs)
			}
			for _, p := range h.brain.prompts(moothall.ModelOrchestrator) {
				if strings.Contains(p, "canary-in-output") {
					t.Error("the output of a check reached the orchestrator")
				}
			}
		})
	}
}

func TestACommandThatCannotBeRunIsNoProof(t *testing.T) {
	t.Parallel()
	s := sub("a", "coder", "make it")
	s.Check = &plan.Check{Command: "make test"}
	h := newHall(t, one(s, func(moothall.GenerateRequest) (moottest.Reply, error) { return say(good("Made it.")) }))
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	if got := find(t, out.Task, "a"); got.Report.Status != "partial" || len(got.Notes) == 0 {
		t.Errorf("%+v %v", got.Report, got.Notes)
	}
}

func TestTheCommandGoesThroughTheBroker(t *testing.T) {
	t.Parallel()
	s := sub("a", "coder", "make it")
	s.Check = &plan.Check{Command: "go test ./..."}
	h := newHall(t, one(s, func(moothall.GenerateRequest) (moottest.Reply, error) { return say(good("Made it.")) }), func(o *orchestrator.Options) {
		o.Check = orchestrator.CommandCheck(o.Broker)
	})
	var seen []string
	h.broker.tool(moothall.ToolSpec{Name: "run_code", Risk: moothall.RiskHigh}, func(_ context.Context, c moothall.ToolCall) moothall.ToolResult {
		seen = append(seen, string(c.Arguments))
		return moothall.ToolResult{Status: moothall.CallOK}
	})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	got := find(t, out.Task, "a")
	if fmt.Sprint(seen) != `[{"code":"go test ./...","language":"shell"}]` || fmt.Sprint(got.Checked) != "[command]" {
		t.Errorf("%v %v", seen, got.Checked)
	}
}

func TestUncertainResultsAreVerifiedOnce(t *testing.T) {
	t.Parallel()
	uncertain := func(r *report.Report) { r.Quality = report.Uncertain }
	for name, c := range map[string]struct {
		verdict string
		quality string
		section string
	}{
		"confirmed":   {good("It is so.", func(r *report.Report) { r.Quality = report.Inferred }), "inferred", ""},
		"not known":   {good("Nobody knows.", uncertain), "uncertain", "Uncertain:\n- guess"},
		"no report":   {"well", "uncertain", "Uncertain:\n- guess"},
		"wrong again": {good("", func(r *report.Report) { r.Status = report.Failed }), "uncertain", "Uncertain:\n- guess"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checks := 0
			h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
				switch {
				case isPlanner(r):
					return say(planJSON(sub("a", "assistant", "guess"), sub("b", "assistant", "use it", "a")))
				case isWriter(r):
					return say("Here it is.")
				case strings.Contains(r.Messages[0].Content, "checking agent"):
					checks++
					return say(c.verdict)
				case taskOf(r) == "guess":
					return say(good("Perhaps 42.", uncertain))
				}
				if checks == 0 {
					t.Error("what depends on it did not wait")
				}
				return say(good("Used it."))
			})
			out := h.do(t, orchestrator.Goal{Text: longGoal})
			a := find(t, out.Task, "a")
			if a.Report.Quality != c.quality || a.Verifier != "verify-a" || out.Task.State != "done" {
				t.Errorf("%s %+v", out.Task.State, a)
			}
			if !strings.Contains(out.Answer, c.section) {
				t.Errorf("%q", out.Answer)
			}
		})
	}
}

func TestSourcesComeFromCallsNotFromWords(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "researcher", "look it up"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		if results(r) == 0 {
			return call("web_search", `{"query":"x"}`)
		}
		return say(good("It is 7, see https://made.up/.", func(r *report.Report) { r.Source = report.FromTools; r.Quality = report.Verified }))
	}))
	h.broker.tool(moothall.ToolSpec{Name: "web_search", Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted},
		func(context.Context, moothall.ToolCall) moothall.ToolResult {
			return moothall.ToolResult{
				Status: moothall.CallOK, Text: "canary", Labels: moothall.Untrusted, Sent: []moothall.Egress{{Host: "x.org", Bytes: 9}},
				Data: json.RawMessage(`{"results":[{"source_url":"https://a.org/1","title":"A"},{"source_url":"https://b.org/2"},{"source_url":"javascript:x"}]}`),
			}
		})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	s := find(t, out.Task, "a")
	if len(s.Sources) != 2 || s.Report.Source != "web" || s.Report.Quality != "verified" || !s.Labels.Has(moothall.Untrusted) {
		t.Errorf("%+v %+v", s.Sources, s.Report)
	}
	if !strings.Contains(out.Answer, "Sources:\n- https://a.org/1\n- https://b.org/2") || len(out.Sent) != 1 || !out.Labels.Has(moothall.Untrusted) || len(out.Calls) != 1 {
		t.Errorf("%q %+v %s %+v", out.Answer, out.Sent, out.Labels, out.Calls)
	}
	// A tool was used, but nobody checked what the agent made of it.
	if strings.Contains(out.Answer, "Verified:") || !strings.Contains(out.Answer, "Done with tools, not checked:\n- look it up") {
		t.Errorf("%q", out.Answer)
	}
}

func TestSummariesAreCutToThreeSentences(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "coder", "make it"), func(moothall.GenerateRequest) (moottest.Reply, error) {
		return say(good("One is 1.5. Two, e.g. this. Three. Four must not be here."))
	}))
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	if got := find(t, out.Task, "a").Report.Summary; got != "One is 1.5. Two, e.g. this. Three." {
		t.Errorf("%q", got)
	}
}
