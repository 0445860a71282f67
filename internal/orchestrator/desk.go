package orchestrator

import (
	"context"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine/compact"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

const (
	maxOpen = 20 // subtasks that are not done, named on the desk
	// Results may fill so much of a window before the older ones become
	// notes; less when tokens go faster than the work.
	fullAt, fullBurning = 0.6, 0.4
	compacting          = 3 * time.Minute
)

// desk is the orchestrator's context: notes on what was left out, the state
// as JSON, the latest summaries, what is asked.
func (t *task) desk(ctx context.Context, ask string) prompt.Desk {
	t.settleNotes(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	d := prompt.Desk{Talk: t.row.Talk, Notes: t.row.Notes, State: t.state(), Ask: ask}
	for _, n := range t.finished[min(t.row.Noted, len(t.finished)):] {
		r := n.result()
		r.Task = report.Clip(n.Task, 200)
		d.Results = append(d.Results, r)
	}
	for _, w := range t.row.Words {
		d.Words = append(d.Words, w.Text)
	}
	return d
}

// state is the task as JSON: figures, and what is not done; the lock is held.
func (t *task) state() prompt.State {
	s := prompt.State{Goal: report.Clip(t.row.Goal, 300), Replans: t.row.Replans, Tokens: t.row.Tokens}
	if b := t.budget(); b > 0 && t.settings.TaskTokens > 0 {
		s.Budget = b
	}
	s.Subtasks = make(map[string]int, 4)
	for _, n := range t.nodes {
		s.Subtasks[n.State]++
		if n.State != journal.SubDone && len(s.Open) < maxOpen {
			s.Open = append(s.Open, prompt.Open{ID: n.ID, Task: report.Clip(n.Task, 200), State: n.State, Why: report.Clip(n.Report.Why(), 200)})
		}
	}
	return s
}

// full reports whether results take so much of the orchestrator's window that
// the older ones should become notes; the lock is held.
func (t *task) full(window int) bool {
	share := fullAt
	if t.burning() {
		share = fullBurning
	}
	fixed := len(prompt.Planner()) + len(t.row.Goal) + len(t.row.Notes) + len(t.row.Talk)
	return len(t.finished)-t.row.Noted > t.settings.Summaries &&
		float64(t.o.meter.Tokens("/"+t.row.Model, fixed+t.unnoted)) >= share*float64(window)
}

// compactLater makes notes of older results beside the work, when it is time;
// the lock is held.
func (t *task) compactLater() {
	window := t.window()
	if t.compacting != nil || t.o.life.Err() != nil || !t.full(window) {
		return
	}
	done := make(chan struct{})
	t.compacting = done
	t.o.work.Go(func() {
		defer close(done)
		t.compact(t.o.life, window)
	})
}

// window is that of the orchestrator's model, as far as it is known.
func (t *task) window() int {
	if c, _ := t.cards.get(moothall.ModelOrchestrator); c.Window > 0 {
		return c.Window
	}
	return defaultWindow
}

// settleNotes waits for notes that are being made, and makes those that are
// due.
func (t *task) settleNotes(ctx context.Context) {
	window := t.window()
	for range 2 {
		t.mu.Lock()
		busy, due := t.compacting, t.full(window)
		t.mu.Unlock()
		switch {
		case busy != nil:
			select {
			case <-busy:
			case <-ctx.Done():
				return
			}
		case due:
			t.compact(ctx, window)
		}
	}
}

// compact replaces the summaries of older subtasks by notes: decisions,
// paths, open questions. When the model gives none, first sentences do.
func (t *task) compact(ctx context.Context, window int) {
	t.mu.Lock()
	from := min(t.row.Noted, len(t.finished))
	list := append([]*node{}, t.finished[from:]...)
	talk := t.talk(list)
	keep, model, scope := t.settings.Summaries, t.row.Model, t.scope()
	query := t.row.Query
	t.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.sending.Under(ctx), compacting)
	defer cancel()
	role, _ := roleOf(chief)
	res, err := compact.Run(ctx, compact.Request{
		Model: t.o.opt.Model, Scope: scope, Query: query, Role: role, ModelName: model,
		History: talk, Keep: keep, Window: window, Meter: t.o.meter,
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.compacting = nil
	if t.o.life.Err() != nil || t.halted != nil || journal.Ended(t.row.State) {
		return
	}
	t.spend(role, res.Usage)
	kept := 0
	if err == nil && res.Replaced > 0 {
		for _, m := range res.Messages[2:] { // behind the notes and their answer
			if m.Role == moothall.RoleUser {
				kept++
			}
		}
		t.row.Notes = res.Notes.String()
	} else {
		kept = min(keep, len(list))
		t.row.Notes = t.shorten(list[:len(list)-kept], window)
	}
	t.noted(list, kept)
	_ = t.save(ctx, nil) // a failure has halted the task
}

// noted moves the border between notes and summaries; the lock is held.
func (t *task) noted(list []*node, kept int) {
	t.row.Noted += len(list) - kept
	t.row.Gauge.Compacted++
	t.unnoted = 0
	for _, n := range t.finished[t.row.Noted:] {
		t.unnoted += n.size()
	}
}

// talk is the work as a conversation, for the notes; the lock is held.
func (t *task) talk(list []*node) []moothall.Message {
	var out []moothall.Message
	if t.row.Notes != "" {
		out = append(out, moothall.Message{Role: moothall.RoleUser, Content: t.row.Notes}, moothall.Message{Role: moothall.RoleAssistant, Content: "Noted."})
	}
	for _, n := range list {
		r := n.result()
		text := joined(r.Summary, r.Failure)
		for _, a := range r.Artifacts {
			text += "\n" + a
		}
		out = append(out,
			moothall.Message{Role: moothall.RoleUser, Content: "Subtask " + n.ID + ": " + report.Clip(n.Task, 300)},
			moothall.Message{Role: moothall.RoleAssistant, Content: n.State + ": " + text})
	}
	return out
}

// shorten is the way to notes without a model; the lock is held.
func (t *task) shorten(list []*node, window int) string {
	limit := t.o.meter.Bytes("/"+t.row.Model, window/5)
	var b strings.Builder
	b.WriteString(t.row.Notes)
	if b.Len() == 0 {
		b.WriteString("Notes on earlier subtasks (a record, not an instruction):")
	}
	for i, n := range list {
		line := "\n- " + n.ID + " (" + n.State + "): " + report.Clip(report.Sentences(joined(n.Report.Summary, n.Report.Why()), 1), 160)
		if b.Len()+len(line) > limit {
			b.WriteString("\n- and " + plural(len(list)-i, "more"))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// talked is what of a conversation helps to understand a goal: what person
// and assistant said last, in short, without what was appended to answers.
func talked(past []moothall.Message) string {
	const turns, each = 6, 300
	var lines []string
	for i := len(past) - 1; i >= 0 && len(lines) < turns; i-- {
		m := past[i]
		if m.Role != moothall.RoleUser && m.Role != moothall.RoleAssistant || m.Content == "" {
			continue
		}
		text, _, _ := strings.Cut(m.Content, appendix)
		lines = append(lines, string(m.Role)+": "+report.Clip(strings.Join(strings.Fields(text), " "), each))
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "\n")
}
