package broker

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/schema"
)

const (
	defaultLimit  = 4
	leastOffered  = 2
	defaultWindow = 32000 // tokens, when the caller does not say
	maxTask       = 8 << 10
)

// Discover returns the definitions of the tools that matter for a task.
func (f face) Discover(ctx context.Context, r moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, err := f.b.find(r.Agent)
	if err != nil {
		return nil, err
	}
	if !a.claims(r.Scope) {
		return nil, moothall.Fail(moothall.CodeDenied, "discover", "the lineage or session claimed is not the agent's own")
	}
	cat := f.b.catalog.Load()
	offered := cat.rules.Offered(a.authority, a.session.overrides(a.message, f.b.opt.Now()))
	specs := make([]moothall.ToolSpec, 0, len(offered))
	for _, name := range offered {
		if e := cat.tools[name]; e != nil {
			specs = append(specs, e.shown)
		}
	}
	window, limit := r.Window, r.Limit
	if window <= 0 {
		window = defaultWindow
	}
	crowded := tokens(specs) > window/10 && len(specs) > limit // as many as the caller asks for are not too many
	if limit <= 0 {
		limit = defaultLimit
	}
	if len(specs) > leastOffered && (f.b.opt.Offer == OfferFew || crowded) {
		specs = f.b.few(ctx, a, cutText(r.Task, maxTask), specs, limit)
	}
	if slices.ContainsFunc(specs, func(s moothall.ToolSpec) bool { return !builtIn(s) }) {
		a.mu.Lock()
		a.foreign = true
		a.mu.Unlock()
	}
	return specs, nil
}

// tokens estimates what definitions take of a window.
func tokens(specs []moothall.ToolSpec) int {
	n := 0
	for _, s := range specs {
		n += len(s.Name) + len(s.Description) + len(s.Parameters) + 32
	}
	return (n + 3) / 4
}

// few returns the best of specs in the order of their names, which is the
// same whatever ranked them.
func (b *Broker) few(ctx context.Context, a *agent, task string, specs []moothall.ToolSpec, limit int) []moothall.ToolSpec {
	order := b.selected(ctx, a, task, specs, limit)
	if order == nil {
		order = b.ranked(ctx, a, task, specs, limit)
	}
	slices.Sort(order)
	out := make([]moothall.ToolSpec, len(order))
	for i, n := range order {
		out[i] = specs[n]
	}
	return out
}

// ranked ranks by words, and by meaning too where an embedder answers.
func (b *Broker) ranked(ctx context.Context, a *agent, task string, specs []moothall.ToolSpec, limit int) []int {
	words := lexical(task, specs)
	lists := [][]int{byScore(words)}
	if meaning := b.meaning(ctx, a, task, specs); meaning != nil {
		lists = append(lists, byScore(meaning))
	}
	order := fuse(len(specs), lists)
	return b.withGeneral(order, specs, limit, func(n int) bool { return len(lists) > 1 || words[n] > 0 })
}

// withGeneral takes the best that fit, and the general tools for the rest:
// "How do I like my coffee?" names no tool, and memory answers it.
func (b *Broker) withGeneral(order []int, specs []moothall.ToolSpec, limit int, fits func(int) bool) []int {
	var general, best []int
	for _, n := range order {
		switch {
		case slices.Contains(b.opt.General, specs[n].Name) && len(general) < limit/2:
			general = append(general, n)
		case fits(n):
			best = append(best, n)
		}
	}
	out := append(general, best[:min(limit-len(general), len(best))]...)
	room := min(leastOffered, limit)
	if len(best) == 0 { // nothing tells the others apart: two of them may help all the same
		room = min(len(general)+leastOffered, limit)
	}
	for _, n := range order {
		if len(out) < room && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// selected asks the selector's model, where there is one. Whatever it says is
// only a choice among what the agent may use; nil means that it said nothing
// useful.
func (b *Broker) selected(ctx context.Context, a *agent, task string, specs []moothall.ToolSpec, limit int) []int {
	if b.opt.Selector == nil {
		return nil
	}
	var list strings.Builder
	at := make(map[string]int, len(specs))
	for i, s := range specs {
		at[string(s.Name)] = i
		list.WriteString(string(s.Name) + ": " + cutText(s.Description, 160) + "\n")
	}
	zero := 0.0
	reply, err := b.askSelector(ctx, a, moothall.GenerateRequest{
		Scope: moothall.Scope{Session: a.scope, Lineage: a.lineage}, Query: a.query, Role: moothall.ModelSelector, Complexity: "simple",
		Temperature: &zero, MaxTokens: 200, Think: "off", Priority: moothall.PriorityTask,
		Schema: json.RawMessage(`{"type":"array","items":{"type":"string"}}`),
		Messages: []moothall.Message{
			{Role: moothall.RoleSystem, Content: "Choose the tools that a task needs, four at most. Answer with a JSON list of their names, nothing else.\n" + list.String()},
			{Role: moothall.RoleUser, Content: task},
		},
	})
	if err != nil {
		b.opt.Logger.Warn("the selector did not answer, tools are ranked instead", "error", err)
		return nil
	}
	raw, err := schema.Extract(reply)
	if err != nil {
		return nil
	}
	var names []string
	if json.Unmarshal(raw, &names) != nil {
		return nil
	}
	var out []int
	for _, n := range names {
		if i, ok := at[n]; ok && !slices.Contains(out, i) && len(out) < limit {
			out = append(out, i)
		}
	}
	return out
}

// askSelector calls the selector's model for an agent that is on record, and puts that
// on record before and after: it is sent the task.
func (b *Broker) askSelector(ctx context.Context, a *agent, r moothall.GenerateRequest) (string, error) {
	if err := a.standing(ctx); err != nil {
		return "", err
	}
	e := a.entry(moothall.ActionModelCall, moothall.StatusIntent)
	e.Note = "selector"
	var reply string
	var failed error
	refused, lost := moothall.OnRecord(ctx, b.opt.Audit, e, drainTime, func() bool {
		reply, failed = moothall.Reply(ctx, b.opt.Selector, r, func(c moothall.Chunk) { moothall.NoteSent(ctx, c.Sent...) })
		return failed == nil
	})
	if lost != nil {
		b.opt.Logger.Error("the end of a model call is not on record", "error", lost)
	}
	return reply, cmp.Or(refused, failed)
}
