package orchestrator

import (
	"encoding/json"
	"math"
	"strconv"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

// PlanView is the plan of a [moothall.Task], with how far it got.
type PlanView struct {
	Revision int           `json:"revision"`
	Replans  int           `json:"replans"`
	Changed  bool          `json:"changed,omitempty"` // only what changed is listed
	Subtasks []SubtaskView `json:"subtasks"`
	Tokens   TokenView     `json:"tokens"`
	Context  GaugeView     `json:"context"`
	Words    []string      `json:"words,omitempty"` // what the person said since
	Notes    string        `json:"notes,omitempty"` // in the place of older summaries
}

// SubtaskView is one subtask, as people see it.
type SubtaskView struct {
	plan.Subtask
	State     string             `json:"state"`
	Attempt   int                `json:"attempt,omitempty"`
	Verifies  string             `json:"verifies,omitempty"`
	Verifier  string             `json:"verified_by,omitempty"`
	Question  string             `json:"question,omitempty"`
	Agent     moothall.AgentID   `json:"agent,omitempty"`
	Report    *report.Report     `json:"report,omitempty"`
	Artifacts []journal.Artifact `json:"artifacts,omitempty"`
	Sources   []journal.Source   `json:"sources,omitempty"`
	Checked   []string           `json:"checked,omitempty"`
	Notes     []string           `json:"notes,omitempty"`
	Labels    moothall.Label     `json:"labels"`
	Tokens    TokenView          `json:"tokens"`
	Context   GaugeView          `json:"context"`
	Millis    int64              `json:"ms"`
}

// TokenView is what was used of what there is; a budget of 0 is none.
type TokenView struct {
	Used   int `json:"used"`
	Budget int `json:"budget"`
}

// GaugeView says how full a context was when it was fullest.
type GaugeView struct {
	Tokens    int     `json:"tokens"`
	Window    int     `json:"window"`
	Share     float64 `json:"share"`
	Compacted int     `json:"compacted,omitempty"`
}

// ResultView is the result of a [moothall.Task].
type ResultView struct {
	Status    string                                `json:"status"` // success, partial, failed, stopped
	Answer    string                                `json:"answer"`
	Sources   []string                              `json:"sources"`
	Artifacts []string                              `json:"artifacts"`
	Unproven  []string                              `json:"unproven"`
	Verified  []string                              `json:"verified"`  // a check passed, or a second agent confirmed it
	Unchecked []string                              `json:"unchecked"` // tools were used, and nothing but the agent says that it is right
	Uncertain []string                              `json:"uncertain"`
	Failed    []string                              `json:"failed"`
	Flags     []string                              `json:"flags"`
	Reason    *string                               `json:"failure_reason"`
	Labels    moothall.Label                        `json:"labels"`
	Tokens    TokenView                             `json:"tokens"`
	ByRole    map[moothall.ModelRole]moothall.Usage `json:"by_role"`
	Context   GaugeView                             `json:"context"`
}

// view is the task as people see it, with the nodes given; nil means all of
// them. The lock is held.
func (t *task) view(nodes []*node) moothall.Task {
	out := moothall.Task{
		ID: t.id, Session: t.session, Goal: t.row.Goal, State: t.stateWord(), Created: t.row.Created, Updated: t.row.Updated,
	}
	p := PlanView{
		Revision: t.row.Revision, Replans: t.row.Replans, Changed: nodes != nil, Subtasks: []SubtaskView{},
		Tokens: TokenView{Used: t.row.Tokens, Budget: shownBudget(t.budget())}, Context: gaugeView(t.row.Gauge), Notes: t.row.Notes,
	}
	for _, w := range t.row.Words {
		p.Words = append(p.Words, w.Text)
	}
	if nodes == nil {
		nodes = t.nodes
	}
	for _, n := range nodes {
		p.Subtasks = append(p.Subtasks, n.view())
		if n.State == journal.SubRunning {
			p.Tokens.Used += n.live
		}
	}
	if t.row.Revision > 0 {
		out.Plan = marshal(p)
	}
	if journal.Ended(t.row.State) {
		out.Result = marshal(t.result())
	}
	return out
}

func shownBudget(n int) int {
	if n >= math.MaxInt32 {
		return 0
	}
	return max(n, 0)
}

func gaugeView(g journal.Gauge) GaugeView {
	v := GaugeView{Tokens: g.Tokens, Window: g.Window, Compacted: g.Compacted}
	if g.Window > 0 {
		v.Share = math.Round(float64(g.Tokens)/float64(g.Window)*1000) / 1000
	}
	return v
}

// stateWord is the state for people: what keeps a task from going on comes
// first. The lock is held.
func (t *task) stateWord() string {
	switch {
	case journal.Ended(t.row.State):
		return t.row.State
	case t.row.Paused:
		return "paused"
	case t.asking > 0 && t.running == 0:
		return "asking"
	}
	return t.row.State
}

func (n *node) view() SubtaskView {
	v := SubtaskView{
		Subtask: n.Subtask.Subtask, State: n.State, Attempt: n.Attempt, Verifies: n.Verifies, Verifier: n.Verifier, Agent: n.Agent,
		Artifacts: n.Artifacts, Sources: n.Sources, Checked: n.Checked, Notes: n.Notes, Labels: n.Labels,
		Tokens:  TokenView{Used: n.used(), Budget: n.Budget},
		Context: gaugeView(n.Gauge),
	}
	if n.State == journal.SubUnknown && n.Question != nil {
		v.Question = n.Question.Text
	}
	if journal.SubEnded(n.State) {
		r := n.Report
		v.Report = &r
		if !n.Began.IsZero() {
			v.Millis = n.Ended.Sub(n.Began).Milliseconds()
		}
	}
	return v
}

// result is what came of the task; the lock is held.
func (t *task) result() ResultView {
	s := t.sections()
	r := ResultView{
		Status: t.row.State, Answer: t.row.Answer, Sources: listed(s.sources), Artifacts: listed(s.files), Unproven: listed(s.unproven),
		Verified: listed(s.verified), Unchecked: listed(s.unchecked), Uncertain: listed(s.uncertain), Failed: listed(s.failed), Flags: listed(t.row.Flags),
		Labels: t.row.Labels, Tokens: TokenView{Used: t.row.Tokens, Budget: shownBudget(t.budget())}, ByRole: t.row.ByRole, Context: gaugeView(t.row.Gauge),
	}
	if r.Status == journal.Done {
		r.Status = report.Success
	}
	if t.row.Problem != "" {
		r.Reason = &t.row.Problem
	}
	if r.ByRole == nil {
		r.ByRole = map[moothall.ModelRole]moothall.Usage{}
	}
	return r
}

// listed is never nil: the published schema has lists.
func listed(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }

func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain words always marshal
	}
	return b
}
