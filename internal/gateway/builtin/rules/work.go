package rules

import (
	"fmt"
	"strings"

	"moothall"
)

// report is what an agent gives back, in the form that is asked for.
type report struct {
	Status     string   `json:"status"`
	Summary    string   `json:"summary"`
	Artifacts  []string `json:"artifacts"`
	Quality    string   `json:"result_quality"`
	Source     string   `json:"source"`
	Candidates []string `json:"new_memory_candidates"`
	Reason     *string  `json:"failure_reason"`
}

// job is a subtask as its agent sees it.
type job struct {
	task    string
	before  []handed           // what it builds on
	checks  bool               // it looks at another's result
	results []moothall.Message // of its calls so far
}

// asWorker does a subtask when a report is what is asked for: a step with a
// tool at a time, then the report.
func asWorker(r moothall.GenerateRequest) (reply, bool) {
	form, _ := wanted(r)
	asked, ok := section(r.Messages, taskMark)
	if form != reportForm || !ok {
		return reply{}, false
	}
	j := job{task: asked.text, before: results(asked.before), checks: strings.Contains(asked.before, "\n"+checkMark)}
	for _, m := range asked.since {
		if m.Role == moothall.RoleTool {
			j.results = append(j.results, m)
		}
	}
	if call, why, ok := j.next(r.Tools); ok {
		return reply{thinking: why, calls: []moothall.ToolCall{call}}, true
	}
	return inJSON("I report what the tools said.", j.report(r.Messages)), true
}

// report says what came of a job, and how far that can be trusted.
func (j job) report(messages []moothall.Message) report {
	var found, problems []string
	for _, m := range j.results {
		if text, why := gist(m, j.task); why != "" {
			problems = append(problems, why)
		} else {
			found = append(found, text)
		}
	}
	out := report{Status: "success", Artifacts: artifacts(j.results), Quality: "inferred", Source: "model_knowledge", Candidates: []string{}}
	switch {
	case len(found) > 0:
		out.Summary, out.Source = digest(found), "tool_output"
		out.Quality = j.quality()
	case len(problems) > 0:
		return failed(strings.Join(problems, "; "))
	case len(j.before) > 0:
		out.Summary = j.together()
	default:
		known, ok := knows(j.task, messages)
		if !ok {
			return failed("the small responder inside Moothall does not know this, and none of its tools is for it")
		}
		out.Summary = sentences(oneLine(known), 3)
	}
	if last := len(j.results) - 1; len(found) > 0 && trouble(j.results[last]) != "" {
		why := problems[len(problems)-1]
		out.Status, out.Reason = "partial", &why
	}
	if j.checks {
		why := "the small responder inside Moothall can look things up again and cannot compare what it finds"
		out.Status, out.Quality, out.Reason = "partial", "uncertain", &why
	}
	if out.Summary == "" {
		return failed("there was nothing to say")
	}
	return out
}

func failed(why string) report {
	return report{Status: "failed", Artifacts: []string{}, Quality: "uncertain", Source: "model_knowledge", Candidates: []string{}, Reason: &why}
}

// knows answers from the little that it knows itself.
func knows(question string, messages []moothall.Message) (string, bool) {
	for _, answer := range []func(string, []moothall.Message) (reply, bool){aboutPlaces, aboutItself} {
		if out, ok := answer(question, messages); ok {
			return out.text, true
		}
	}
	return "", false
}

// quality is "verified" where tools did what was wanted or computed it. What a
// search or a memory brings is only what was found: whether it answers the
// task, rules cannot tell.
func (j job) quality() string {
	for _, m := range j.results {
		if trouble(m) == "" && looksAround(m.ToolName) {
			return "inferred"
		}
	}
	return "verified"
}

func looksAround(tool moothall.ToolName) bool {
	name := string(tool)
	return strings.Contains(name, "search") || strings.Contains(name, "memory_read") || strings.Contains(name, "fetch") || strings.Contains(name, "recall")
}

// digest puts findings into three sentences at most.
func digest(found []string) string {
	n := max(1, 3/len(found))
	var out []string
	for _, f := range found {
		out = append(out, ended(sentences(f, n)))
	}
	return sentences(strings.Join(out, " "), 3)
}

// ended gives a sentence its end.
func ended(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], `.!?`) || strings.HasSuffix(s, "”") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// puttingTogether begins the summary of who only joins what others found.
const puttingTogether = "Put together "

// together is what the subtasks before have found, in one sentence: more of
// them must fit than sentences are allowed.
func (j job) together() string {
	var out []string
	for _, h := range j.before {
		text := h.Summary
		if text == "" {
			text = "nothing, " + h.Failure
		}
		out = append(out, fmt.Sprintf("from %s: %s", h.ID, strings.TrimRight(sentences(oneLine(text), 1), ".")))
	}
	return puttingTogether + strings.Join(out, "; ") + "."
}
