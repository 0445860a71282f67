package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
)

// Graph is graph_search: what is known of people and places.
type Graph struct {
	memory moothall.Memory
	o      Options
}

var _ moothall.Tool = (*Graph)(nil)

// NewGraph returns the tool.
func NewGraph(m moothall.Memory, o Options) *Graph { return &Graph{m, o.filled()} }

const (
	maxNames = 20  // of people, and of places
	maxFacts = 200 // read from the graph
)

// Spec describes the tool.
func (t *Graph) Spec() moothall.ToolSpec {
	const names = `"type":"array","maxItems":20,"items":{"type":"string","minLength":1,"maxLength":200}`
	return moothall.ToolSpec{
		Name: "graph_search", Aliases: []moothall.ToolName{"search_knowledge_graph"},
		Description: "Looks up facts about named people and places. Says of each whether it IS so now or WAS so, since and until when.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"people":{` + names + `,"description":"names of people or things"},` +
			`"locations":{` + names + `,"description":"names of places"}},` +
			`"anyOf":[{"required":["people"]},{"required":["locations"]}],"additionalProperties":false}`),
		Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true, Taints: moothall.Private,
		Timeout: timeout, MaxResult: maxResult, Origin: "built-in",
	}
}

// Run asks the graph, for what is and what was.
func (t *Graph) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := answer.Arguments[struct {
		People    []string `json:"people"`
		Locations []string `json:"locations"`
	}](r)
	if err != nil {
		return failed(ctx, r, err)
	}
	people, locations := names(a.People), names(a.Locations)
	if n := len(people) + len(locations); n == 0 || n > 2*maxNames {
		return failed(ctx, r, moothall.Fail(moothall.CodeInvalid, "graph_search", "name at least one person or place, and at most twenty of each"))
	}
	q := moothall.GraphQuery{Scope: r.Scope, People: people, Locations: locations, Depth: 1, History: true}
	var facts []moothall.GraphFact
	for f, err := range t.memory.Graph(ctx, q) {
		if err != nil && len(facts) == 0 {
			return failed(ctx, r, err)
		}
		if err != nil {
			return t.answer(r, facts, reason(err)), nil
		}
		if len(facts) == maxFacts {
			return t.answer(r, facts, "there are more facts than fit."), nil
		}
		facts = append(facts, f)
	}
	return t.answer(r, facts, ""), nil
}

// names drops what is empty or said twice.
func names(given []string) []string {
	var out []string
	for _, n := range given {
		if n = oneLine(n); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func (t *Graph) answer(r moothall.ToolRun, facts []moothall.GraphFact, broken string) moothall.ToolResult {
	out := result(r, moothall.CallOK, "Nothing is known of these names.")
	// What holds comes before what held; the graph's order stays otherwise.
	now := t.o.Now()
	slices.SortStableFunc(facts, func(a, b moothall.GraphFact) int { return past(a, now) - past(b, now) })
	var l list
	kept := []moothall.GraphFact{}
	for _, f := range facts {
		tag := fmt.Sprintf("source: %s; seen %s; confidence %.2f", origin(f.Trust), age(now, f.Observed), f.Confidence)
		if !l.add(tag, statement(f, now), outside(f.Trust)) {
			continue
		}
		kept = append(kept, f)
		if outside(f.Trust) {
			out.Labels |= moothall.Untrusted
		}
	}
	if len(facts) > 0 {
		out.Text = plural(l.kept, "fact", "facts") + ":\n" + l.b.String()
	}
	finish(&out, l.left, "fact", "facts", broken)
	out.Data = encode(map[string]any{"facts": kept})
	return out
}

// past is 1 for what is over.
func past(f moothall.GraphFact, now time.Time) int {
	if !f.To.IsZero() && !f.To.After(now) {
		return 1
	}
	return 0
}

// statement writes a fact as IS or WAS with its dates.
func statement(f moothall.GraphFact, now time.Time) string {
	verb := "IS"
	if past(f, now) == 1 {
		verb = "WAS"
	}
	s := fmt.Sprintf("%s %s: %s %s", verb, cut(oneLine(f.Subject), 200), cut(oneLine(f.Relation), 200), cut(oneLine(f.Object), 500))
	if !f.From.IsZero() {
		s += ", since " + f.From.Format(time.DateOnly)
	}
	if !f.To.IsZero() {
		s += ", until " + f.To.Format(time.DateOnly)
	}
	return s
}
