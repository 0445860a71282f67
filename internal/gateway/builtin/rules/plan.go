package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// subtask is one entry of a plan.
type subtask struct {
	ID        string   `json:"id"`
	Type      string   `json:"agent_type"`
	Task      string   `json:"task"`
	DependsOn []string `json:"depends_on"`
	Inputs    []string `json:"inputs"`
}

// planned is a plan as it is asked for.
type planned struct {
	Subtasks []subtask `json:"subtasks"`
	Direct   string    `json:"direct,omitempty"`
}

// asPlanner divides a request when a plan is what is asked for.
func asPlanner(r moothall.GenerateRequest) (reply, bool) {
	form, types := wanted(r)
	asked, ok := section(r.Messages, requestMark)
	if form != planForm || !ok {
		return reply{}, false
	}
	goal, _, _ := strings.Cut(asked.text, planEnd)
	goal, _, again := strings.Cut(goal, replanMark)
	if again {
		return inJSON("It failed, and I know no other way.",
			planned{Subtasks: []subtask{}, Direct: "The small responder inside Moothall divides a request along its words and knows no other way to do this one."}), true
	}
	p := planOf(goal, types)
	return inJSON(fmt.Sprintf("I divide the request along its own words: parts %d.", len(p.Subtasks)), p), true
}

func inJSON(thinking string, v any) reply {
	b, err := json.Marshal(v)
	if err != nil {
		return reply{thinking: thinking, text: "{}"} // words always marshal
	}
	return reply{thinking: thinking, text: string(b)}
}

// planOf makes a subtask of each part of a goal.
func planOf(goal string, types []string) planned {
	parts := divide(goal)
	on := depend(parts)
	name := func(i int) string { return fmt.Sprintf("step-%d", i+1) }
	p := planned{Subtasks: []subtask{}}
	for i, part := range parts {
		s := subtask{ID: name(i), Type: typeFor(part.text, types), Task: part.text, DependsOn: []string{}, Inputs: []string{}}
		for _, j := range on[i] {
			s.DependsOn = append(s.DependsOn, name(j))
		}
		p.Subtasks = append(p.Subtasks, s)
	}
	return p
}

// trades are the types of agents, and the words that ask for one; the first
// that fits is taken.
var trades = []struct {
	name  string
	words *regexp.Regexp
}{
	{"coder", regexp.MustCompile("(?is)```|\\b(write|run|test|fix|mend|implement|build|create|refactor|execute)\\b.*\\b(program|script|function|code|unit tests?|tests|[\\w-]+\\.(py|js|ts|go|sh|c|rs))\\b|" +
		"\\b(write|save|store|put|append)\\b.*\\b(to|into|in|as)\\b.*\\b[\\w-]+\\.[a-z]{1,5}\\b")},
	{"researcher", regexp.MustCompile(`(?i)\b(search|find out|find|look up|research|investigate|news|latest|on the web|recall|remembered?)\b`)},
	{"sysadmin", regexp.MustCompile(`(?i)\b(logs?|disks?|services?|daemons?|packages?|install|restart|reboot|process(es)?|uptime|/etc|/var)\b`)},
}

// typeFor chooses among the types that there are.
func typeFor(task string, types []string) string {
	for _, t := range trades {
		if slices.Contains(types, t.name) && t.words.MatchString(task) {
			return t.name
		}
	}
	if slices.Contains(types, "assistant") || len(types) == 0 {
		return "assistant"
	}
	return types[0]
}
