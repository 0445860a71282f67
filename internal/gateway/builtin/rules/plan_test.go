package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway/builtin/rules"
)

const planSchema = `{"type":"object","properties":{"direct":{"type":"string"},"subtasks":{"type":"array","items":{"type":"object","properties":{
"id":{"type":"string"},"agent_type":{"type":"string","enum":["assistant","researcher","coder","sysadmin"]},"task":{"type":"string"},
"depends_on":{"type":"array","items":{"type":"string"}},"inputs":{"type":"array","items":{"type":"string"}}}}}},"required":["subtasks"]}`

// plan is what the planner's form asks for.
type plan struct {
	Subtasks []struct {
		ID        string   `json:"id"`
		Type      string   `json:"agent_type"`
		Task      string   `json:"task"`
		DependsOn []string `json:"depends_on"`
		Inputs    []string `json:"inputs"`
	} `json:"subtasks"`
	Direct string `json:"direct"`
}

func planFor(t testing.TB, r moothall.GenerateRequest) plan {
	t.Helper()
	var text strings.Builder
	for c, err := range (rules.Provider{}).Generate(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(c.Text)
	}
	var p plan
	d := json.NewDecoder(strings.NewReader(text.String()))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		t.Fatalf("%v in %s", err, text.String())
	}
	return p
}

func asksForPlan(goal string) moothall.GenerateRequest {
	return moothall.GenerateRequest{Model: rules.Model, Schema: json.RawMessage(planSchema), Messages: []moothall.Message{
		{Role: moothall.RoleSystem, Content: "You divide requests."},
		{Role: moothall.RoleUser, Content: "The person's request:\n" + goal + "\n\nGive the plan."},
	}}
}

func TestDividesAGoal(t *testing.T) {
	t.Parallel()
	for goal, want := range map[string][]string{
		"Search the web for storks; look up the price of corn; then write both to farm.txt": {
			"researcher: Search the web for storks", "researcher: Look up the price of corn", "coder 1 2: Write both to farm.txt",
		},
		"Find out how old the tower is and then calculate 3 * 4.": {
			"researcher: Find out how old the tower is", "assistant 1: Calculate 3 * 4.",
		},
		"1. Search for storks\n2. Search for herons\n3. Finally compare both": {
			"researcher: Search for storks", "researcher: Search for herons", "assistant 1 2: Compare both",
		},
		"Find out:\n- the weather in Rome\n- who built the tower\nThen summarise the results.": {
			"researcher: Find out: the weather in Rome", "researcher: Find out: who built the tower", "assistant 1 2: Summarise the results.",
		},
		"Check the log of the service. Restart the service.": {"sysadmin: Check the log of the service.", "sysadmin: Restart the service."},
		"I plan a walk. Search the web for paths. Using the results, tell me where to go.": {
			"researcher: I plan a walk. Search the web for paths.", "assistant 1: Using the results, tell me where to go.",
		},
		"What is the capital of Peru? What is the capital of Chad?": {"assistant: What is the capital of Peru?", "assistant: What is the capital of Chad?"},
		"Write a poem":                           {"assistant: Write a poem"},
		"Write a program that counts and run it": {"coder: Write a program that counts and run it"},
		"Calculate 1 + 1; then calculate 2 + 2; finally tell me the results": {
			"assistant: Calculate 1 + 1", "assistant 1: Calculate 2 + 2", "assistant 2: Tell me the results",
		},
		"Write this to a.py:\n```python\nprint('then run; and test it')\n```\nThen run this:\n```python\nimport a\n```": {
			"coder: Write this to a.py:\n```python\nprint('then run; and test it')\n```", "coder 1: Run this:\n```python\nimport a\n```",
		},
	} {
		p := planFor(t, asksForPlan(goal))
		var got []string
		for i, s := range p.Subtasks {
			line := s.Type
			for _, d := range s.DependsOn {
				line += " " + strings.TrimPrefix(d, "step-")
			}
			got = append(got, line+": "+s.Task)
			if s.ID == "" || s.Inputs == nil || s.DependsOn == nil {
				t.Errorf("%q: subtask %d is not of the form: %+v", goal, i, s)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", goal, diff)
		}
	}
}

// TestPlansByTheWordsOfASchema: the engine also asks in words, behind the
// request, and again behind a draft.
func TestPlansByTheWordsOfASchema(t *testing.T) {
	t.Parallel()
	r := asksForPlan("Search for a; search for b")
	r.Schema = nil
	r.Messages[1].Content += "\n\nGive the final answer as JSON only, without other words, fitting this JSON schema:\n" + planSchema
	r.Messages = append(r.Messages, moothall.Message{Role: moothall.RoleAssistant, Content: "?"}, moothall.Message{Role: moothall.RoleUser, Content: "This does not fit."})
	if p := planFor(t, r); len(p.Subtasks) != 2 {
		t.Errorf("%+v", p)
	}
}

// TestKnowsNoOtherWay: what failed is not planned in the same way again.
func TestKnowsNoOtherWay(t *testing.T) {
	t.Parallel()
	p := planFor(t, asksForPlan("Search for a; search for b\n\nSome subtasks failed. Plan the rest of the task anew."))
	if len(p.Subtasks) != 0 || !strings.Contains(p.Direct, "small responder") {
		t.Errorf("%+v", p)
	}
}

// TestTypesAreThoseOnOffer: a plan names no agent that the schema does not.
func TestTypesAreThoseOnOffer(t *testing.T) {
	t.Parallel()
	r := asksForPlan("Search the web for storks")
	r.Schema = json.RawMessage(strings.Replace(planSchema, `"assistant","researcher","coder","sysadmin"`, `"helper"`, 1))
	if p := planFor(t, r); len(p.Subtasks) != 1 || p.Subtasks[0].Type != "helper" {
		t.Errorf("%+v", p)
	}
}

// FuzzPlan: whatever a person asks for, a plan has the form, its names are
// its own, and nothing waits for what comes later.
func FuzzPlan(f *testing.F) {
	for _, s := range []string{"", "a", "Search for a; then b", "1. a\n2. b\n\nthen both", "```", "\x00\x001\x00", "and then and then", "find it. find it. Find it, find both, then test \"a; b\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, goal string) {
		if len(strings.Fields(goal)) > 20_000 || strings.Contains(goal, "The person's request:") || strings.Contains(goal, "Give the ") ||
			strings.Contains(goal, "Some subtasks failed.") || strings.Contains(goal, "The person says meanwhile:") {
			t.Skip("this speaks in the hall's own words, or is too long for any plan")
		}
		p := planFor(t, asksForPlan(goal))
		if len(p.Subtasks) == 0 {
			t.Fatal("no subtask")
		}
		seen := map[string]bool{}
		for _, s := range p.Subtasks {
			for _, d := range s.DependsOn {
				if !seen[d] {
					t.Errorf("%s waits for %s", s.ID, d)
				}
			}
			if seen[s.ID] || strings.TrimSpace(s.Task) == "" && strings.TrimSpace(goal) != "" && len(p.Subtasks) > 1 {
				t.Errorf("%+v", s)
			}
			seen[s.ID] = true
		}
	})
}
