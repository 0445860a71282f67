package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/schema"
)

var types = []moothall.AgentType{"assistant", "coder"}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text    string
		rules   plan.Rules
		problem string // a part of the first one; empty: it is a plan
	}{
		"a plan":             {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","depends_on":[]},{"id":"b","agent_type":"coder","task":"y","depends_on":["a"]}]}`, plan.Rules{}, ""},
		"in a fence":         {"Sure:\n```json\n{\"subtasks\":[{\"id\":\"a\",\"agent_type\":\"coder\",\"task\":\"x\"}]}\n```", plan.Rules{}, ""},
		"a direct answer":    {`{"subtasks":[],"direct":"hello"}`, plan.Rules{}, ""},
		"capitals in a type": {`{"subtasks":[{"id":"a","agent_type":" Coder","task":"x"}]}`, plan.Rules{}, ""},
		"no JSON":            {`first do this`, plan.Rules{}, "not JSON"},
		"a list":             {`{"subtasks":{"id":"a"}}`, plan.Rules{}, "form"},
		"nothing":            {`{"subtasks":[]}`, plan.Rules{}, "no subtask"},
		"unknown type":       {`{"subtasks":[{"id":"a","agent_type":"wizard","task":"x"}]}`, plan.Rules{}, `no agent_type "wizard"`},
		"no task":            {`{"subtasks":[{"id":"a","agent_type":"coder","task":" "}]}`, plan.Rules{}, "task is empty"},
		"odd id":             {`{"subtasks":[{"id":"a b","agent_type":"coder","task":"x"}]}`, plan.Rules{}, "not a short name"},
		"no id":              {`{"subtasks":[{"agent_type":"coder","task":"x"}]}`, plan.Rules{}, "not a short name"},
		"long id":            {`{"subtasks":[{"id":"` + strings.Repeat("a", 41) + `","agent_type":"coder","task":"x"}]}`, plan.Rules{}, "not a short name"},
		"an id twice":        {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x"},{"id":"a","agent_type":"coder","task":"y"}]}`, plan.Rules{}, "used twice"},
		"itself":             {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","depends_on":["a"]}]}`, plan.Rules{}, "depends on itself"},
		"nobody":             {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","depends_on":["z"]}]}`, plan.Rules{}, "no subtask"},
		"a cycle":            {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","depends_on":["b"]},{"id":"b","agent_type":"coder","task":"x","depends_on":["a"]},{"id":"c","agent_type":"coder","task":"x"}]}`, plan.Rules{}, "wait for one another: a, b"},
		"what is known":      {`{"subtasks":[{"id":"b","agent_type":"coder","task":"x","depends_on":["a"]}]}`, plan.Rules{Known: []string{"a"}}, ""},
		"what only failed":   {`{"subtasks":[{"id":"b","agent_type":"coder","task":"x","depends_on":["a"]}]}`, plan.Rules{Taken: []string{"a"}}, "no subtask"},
		"too many":           {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x"},{"id":"b","agent_type":"coder","task":"x"}]}`, plan.Rules{Max: 1}, "1 are the most"},
		"a long task":        {`{"subtasks":[{"id":"a","agent_type":"coder","task":"` + strings.Repeat("x", 5000) + `"}]}`, plan.Rules{}, "longer than"},
		"a bad schema":       {`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","check":{"schema":[1]}}]}`, plan.Rules{}, "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.rules.Types = types
			p, problems := plan.Parse(c.text, c.rules)
			switch {
			case c.problem == "" && len(problems) > 0:
				t.Errorf("%v", problems)
			case c.problem != "" && (len(problems) == 0 || !strings.Contains(problems[0], c.problem)):
				t.Errorf("%v, want %q", problems, c.problem)
			case c.problem != "" && len(p.Subtasks) > 0:
				t.Error("a plan in spite of problems")
			}
		})
	}
}

func TestNamesOfEarlierPlansAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	p, problems := plan.Parse(`{"subtasks":[
		{"id":"a","agent_type":"coder","task":"again","depends_on":["a"]},
		{"id":"b","agent_type":"coder","task":"next","depends_on":["a","c"]}]}`,
		plan.Rules{Types: types, Known: []string{"a", "c"}, Taken: []string{"b", "a-2"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	for _, s := range p.Subtasks {
		got = append(got, s.ID+"<"+strings.Join(s.DependsOn, ","))
	}
	if diff := cmp.Diff([]string{"a-3<a", "b-2<a-3,c"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheSchemaFitsPlans(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(plan.Plan{Subtasks: []plan.Subtask{{ID: "a", Type: "coder", Task: "x", DependsOn: []string{}, Inputs: []string{}, Check: &plan.Check{Command: "true"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if problems := schema.Check(plan.Schema(types), raw); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestSimple(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"What is the capital of France?":    true,
		"hello":                             true,
		"Wie spät ist es in Tokio?":         true,
		"Is 91 a prime number?":             true,
		"":                                  false,
		"Write a program that sorts a list": false,
		"What is new in Go, and then write a summary to news.md?": false,
		"Compare A and B":                        false,
		"What is it? And who was it?":            false,
		"Find the bug, fix it and run the tests": false,
		"Как дела?":                              false, // a model decides
		"what " + strings.Repeat("word ", 40):    false,
		"what\nis\nthis":                         false,
	} {
		if got := plan.Simple(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestALargePlanIsChecked(t *testing.T) {
	t.Parallel()
	p := plan.Plan{}
	for i := range 1000 {
		s := plan.Subtask{ID: fmt.Sprint("n", i), Type: "coder", Task: "x"}
		if i > 0 {
			s.DependsOn = []string{fmt.Sprint("n", i-1)}
		}
		p.Subtasks = append(p.Subtasks, s)
	}
	rules := plan.Rules{Types: types, Max: plan.MaxGiven}
	if problems := plan.Validate(p, rules); len(problems) > 0 {
		t.Error(problems)
	}
	if problems := plan.Validate(p, plan.Rules{Types: types}); len(problems) == 0 {
		t.Error("a model may not ask for so many")
	}
	p.Subtasks[0].DependsOn = []string{"n999"}
	if problems := plan.Validate(p, rules); len(problems) == 0 {
		t.Error("a cycle of a thousand was not found")
	}
}

// FuzzParse: whatever a model says, a plan that comes out can be carried out.
func FuzzParse(f *testing.F) {
	f.Add(`{"subtasks":[{"id":"a","agent_type":"coder","task":"x","depends_on":["k"]}]}`)
	f.Add(`{"subtasks":[{"id":"k","agent_type":"coder","task":"x","depends_on":["k"],"check":{"schema":{}}}],"direct":"x"}`)
	f.Add("```json\n{\"subtasks\":[]}\n```")
	f.Add(`{"subtasks":[{"id":"k","agent_type":"coder","task":"x"},{"id":"k-2","agent_type":"coder","task":"x","depends_on":["k"]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		rules := plan.Rules{Types: types, Known: []string{"k"}, Taken: []string{"t"}}
		p, problems := plan.Parse(text, rules)
		if len(problems) > 0 {
			return
		}
		if len(p.Subtasks) == 0 && p.Direct == "" {
			t.Fatal("an empty plan")
		}
		done := []string{"k"}
		for range p.Subtasks { // one can begin in every round, or there is a cycle
			for _, s := range p.Subtasks {
				if !slices.Contains(done, s.ID) && !slices.ContainsFunc(s.DependsOn, func(d string) bool { return !slices.Contains(done, d) }) {
					done = append(done, s.ID)
				}
			}
		}
		if len(done) != len(p.Subtasks)+1 || slices.Contains(done[1:], "k") || slices.Contains(done, "t") {
			t.Fatalf("%+v cannot be carried out: %v", p, done)
		}
		if again := plan.Validate(p, rules); len(again) > 0 {
			t.Fatal(again)
		}
	})
}
