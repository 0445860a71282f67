package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall"
	"moothall/internal/schema"
)

// Rules say what a plan may hold.
type Rules struct {
	Types []moothall.AgentType
	Known []string // finished subtasks that may be depended on; their names are taken
	Taken []string // further names that are taken
	Max   int      // subtasks; 0 means MaxModel
}

// maxProblems is how many are told; more help nobody.
const maxProblems = 8

// Parse reads a plan out of a model's words. With problems there is no plan.
func Parse(text string, r Rules) (Plan, []string) {
	raw, err := schema.Extract(text)
	if err != nil {
		return Plan{}, []string{"the plan is not JSON: " + err.Error()}
	}
	var p Plan
	if err := json.Unmarshal(raw, &p); err != nil {
		return Plan{}, []string{"the plan does not have the form that was asked for: " + moothall.Misread(err)}
	}
	p.tidy()
	p.rename(r)
	if problems := Validate(p, r); len(problems) > 0 {
		return Plan{}, problems
	}
	return p, nil
}

// tidy mends what means no harm: spaces, a dependency named twice, a check of
// nothing.
func (p *Plan) tidy() {
	p.Direct = strings.TrimSpace(p.Direct)
	for i := range p.Subtasks {
		s := &p.Subtasks[i]
		s.ID, s.Task = strings.TrimSpace(s.ID), strings.TrimSpace(s.Task)
		s.Type = moothall.AgentType(strings.ToLower(strings.TrimSpace(string(s.Type))))
		s.DependsOn, s.Inputs = trimmed(s.DependsOn), trimmed(s.Inputs)
		if c := s.Check; c != nil {
			c.Command, c.Contains = strings.TrimSpace(c.Command), strings.TrimSpace(c.Contains)
			if t := strings.TrimSpace(string(c.Schema)); t == "null" || t == "{}" || t == `""` {
				c.Schema = nil
			}
			if c.Empty() {
				s.Check = nil
			}
		}
	}
}

// trimmed drops what is empty or there twice. It is never nil, so that a plan
// is written as the published schema has it.
func trimmed(list []string) []string {
	out := make([]string, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// rename gives subtasks of a new plan names of their own where an earlier
// plan has used them: small models begin to count at one again.
func (p *Plan) rename(r Rules) {
	if len(r.Known)+len(r.Taken) == 0 {
		return
	}
	taken := map[string]bool{}
	for _, list := range [][]string{r.Known, r.Taken} {
		for _, id := range list {
			taken[id] = true
		}
	}
	for _, s := range p.Subtasks {
		if !taken[s.ID] {
			taken[s.ID] = false
		}
	}
	names := map[string]string{}
	for i := range p.Subtasks {
		id := p.Subtasks[i].ID
		if !taken[id] || names[id] != "" {
			continue
		}
		fresh := id
		for n := 2; ; n++ {
			fresh = fmt.Sprintf("%s-%d", id, n)
			if _, used := taken[fresh]; !used {
				break
			}
		}
		taken[fresh] = false
		names[id] = fresh
	}
	p.apply(names, r.Known)
}

// apply renames subtasks and what depends on them. Within a plan its own
// subtask is meant, unless it would wait for itself and a finished one has
// the name.
func (p *Plan) apply(names map[string]string, known []string) {
	for i := range p.Subtasks {
		s := &p.Subtasks[i]
		was := s.ID
		if fresh := names[was]; fresh != "" {
			s.ID = fresh
		}
		for j, d := range s.DependsOn {
			if names[d] != "" && (d != was || !slices.Contains(known, d)) {
				s.DependsOn[j] = names[d]
			}
		}
	}
}

// Validate says what is wrong with a plan, in words for a model.
func Validate(p Plan, r Rules) []string {
	v := validator{rules: r, ids: make(map[string]bool, len(p.Subtasks)), known: set(r.Known), taken: set(r.Taken)}
	if v.rules.Max <= 0 {
		v.rules.Max = MaxModel
	}
	v.size(p)
	for i := range p.Subtasks {
		v.name(p.Subtasks[i].ID)
	}
	if len(v.problems) > 0 {
		return v.problems
	}
	for i := range p.Subtasks {
		v.subtask(&p.Subtasks[i])
	}
	if len(v.problems) == 0 {
		if loop := cycle(p.Subtasks); len(loop) > 0 {
			v.fail("these subtasks wait for one another: %s", strings.Join(loop, ", "))
		}
	}
	return v.problems
}

type validator struct {
	rules             Rules
	ids, known, taken map[string]bool
	problems          []string
}

func set(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

func (v *validator) fail(format string, args ...any) {
	if len(v.problems) < maxProblems {
		v.problems = append(v.problems, fmt.Sprintf(format, args...))
	}
}

func (v *validator) size(p Plan) {
	switch {
	case len(p.Subtasks) == 0 && p.Direct == "":
		v.fail("the plan has no subtask and no direct answer")
	case len(p.Subtasks) > v.rules.Max:
		v.fail("the plan has %d subtasks; %d are the most", len(p.Subtasks), v.rules.Max)
	case len(p.Direct) > MaxDirect || !utf8.ValidString(p.Direct):
		v.fail("the direct answer is too long")
	}
}

func (v *validator) name(id string) {
	switch {
	case !moothall.ValidToken(id) || len(id) > MaxID:
		v.fail("the id %q is not a short name of letters, digits, - and _", clip(id))
	case v.ids[id], v.known[id], v.taken[id]:
		v.fail("the id %s is used twice", id)
	}
	v.ids[id] = true
}

func (v *validator) subtask(s *Subtask) {
	switch {
	case !slices.Contains(v.rules.Types, s.Type):
		v.fail("%s: there is no agent_type %q; there are %s", s.ID, clip(string(s.Type)), join(v.rules.Types))
	case s.Task == "":
		v.fail("%s: the task is empty", s.ID)
	case len(s.Task) > MaxTask || !utf8.ValidString(s.Task):
		v.fail("%s: the task is longer than %d bytes", s.ID, MaxTask)
	case len(s.DependsOn) > MaxDepends:
		v.fail("%s: it depends on more than %d others", s.ID, MaxDepends)
	case len(s.Inputs) > MaxInputs || slices.ContainsFunc(s.Inputs, func(t string) bool { return len(t) > MaxInput || !utf8.ValidString(t) }):
		v.fail("%s: its inputs are more than %d, or longer than %d bytes", s.ID, MaxInputs, MaxInput)
	}
	for _, d := range s.DependsOn {
		switch {
		case d == s.ID:
			v.fail("%s: it depends on itself", s.ID)
		case !v.ids[d] && !v.known[d]:
			v.fail("%s: it depends on %q, which is no subtask", s.ID, clip(d))
		}
	}
	v.check(s)
}

func (v *validator) check(s *Subtask) {
	c := s.Check
	if c == nil {
		return
	}
	var m map[string]any
	switch {
	case len(c.Command) > MaxCommand || len(c.Contains) > MaxInput || len(c.Schema) > MaxSchema:
		v.fail("%s: its check is too long", s.ID)
	case !utf8.ValidString(c.Command) || strings.ContainsRune(c.Command, 0):
		v.fail("%s: its command is not text", s.ID)
	case len(c.Schema) > 0 && json.Unmarshal(c.Schema, &m) != nil:
		v.fail("%s: the schema of its check is not a JSON object", s.ID)
	}
}

func join(types []moothall.AgentType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// clip keeps a model's odd words short in what is said about them.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
