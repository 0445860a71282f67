package orchestrator

import (
	"context"
	"fmt"
	"strings"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// conclude writes the answer and ends the task.
func (t *task) conclude(ctx context.Context) error {
	if err := t.pass(ctx); err != nil {
		return context.Cause(ctx)
	}
	if err := t.cancelRest(ctx, "what it depends on was not done"); err != nil {
		return err
	}
	answer, err := t.compose(ctx)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.row.State, t.row.Stop = t.outcome(), moothall.StopDone
	t.row.Answer = answer + t.appendix()
	if t.row.State == journal.Failed {
		t.row.Stop = moothall.StopError
		t.row.Code, t.row.Problem = moothall.CodeUnavailable, "none of its subtasks could be done"
	}
	return t.finish(ctx)
}

// cancelRest ends the subtasks that nobody will do.
func (t *task) cancelRest(ctx context.Context, why string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var changed []*node
	var cleared []string
	for _, n := range t.nodes {
		if !journal.SubEnded(n.State) {
			t.cancel(n, why)
			changed = append(changed, n)
			cleared = append(cleared, n.ID)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	t.queue, t.asking = nil, 0
	if err := t.save(ctx, changed, cleared...); err != nil {
		return err
	}
	for _, n := range changed {
		t.tellNode(n)
	}
	return nil
}

// outcome is the state in which the task ends; the lock is held. What failed
// and was planned anew does not count; what stood in its place does.
func (t *task) outcome() string {
	done, lacking := 0, 0
	for _, n := range t.nodes {
		switch {
		case n.Verifies != "" || n.Replaced:
		case n.State == journal.SubDone:
			done++
			if n.Report.Status != report.Success {
				lacking++
			}
		case n.State == journal.SubFailed, n.Revision == t.row.Revision:
			lacking++
		}
	}
	switch {
	case t.row.Direct || lacking == 0:
		return journal.Done
	case done > 0:
		return journal.Partial
	}
	return journal.Failed
}

// compose is the answer in words. One summary is an answer by itself; several
// are put together by the writer, who sees nothing but them.
func (t *task) compose(ctx context.Context) (string, error) {
	t.mu.Lock()
	var done []*node
	for _, n := range t.nodes {
		if n.State == journal.SubDone && n.Verifies == "" {
			done = append(done, n)
		}
	}
	direct, answer, goal := t.row.Direct, t.row.Answer, t.row.Goal
	plain := t.plainly(done)
	tired := t.left() <= 0
	t.mu.Unlock()
	switch {
	case direct:
		return answer, nil
	case len(done) < 2:
		return plain, nil
	case tired:
		t.note("the answer was put together without a model: the token budget is used up")
		return plain, nil
	}
	t.show(moothall.Step{Kind: "status", From: "writer", Text: "writing the answer"})
	res, err := t.consult(ctx, t.own(ctx, prompt.Writer(), prompt.Turn(t.desk(ctx, prompt.AskAnswer(goal)))), "writer", nil)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil || strings.TrimSpace(res.Answer) == "" {
		t.note("the answer was put together without a model")
		return plain, nil
	}
	text, _, _ := strings.Cut(res.Answer, appendix) // what follows is the hall's alone to say
	return strings.TrimSpace(text), nil
}

func (t *task) note(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flag(text)
}

// plainly puts summaries one behind the other; the lock is held.
func (t *task) plainly(done []*node) string {
	if len(done) == 0 {
		return "Nothing of this could be done."
	}
	var parts []string
	for i, n := range done {
		if i == 50 {
			parts = append(parts, "And "+plural(len(done)-i, "further result")+".")
			break
		}
		parts = append(parts, n.Report.Summary)
	}
	return strings.Join(parts, "\n\n")
}

// appendix begins what the hall adds to an answer.
const appendix = "\n\n---\n"

// maxListed bounds each list below an answer.
const maxListed = 20

// appendix is what is known beyond the words of a model: sources, files, what
// was verified, what is uncertain and what was not done; the lock is held.
func (t *task) appendix() string {
	s := t.sections()
	var b strings.Builder
	for _, part := range []struct {
		title string
		items []string
	}{
		{"Sources", s.sources}, {"Files", s.files}, {"Not proven", s.unproven},
		{"Verified", s.verified}, {"Done with tools, not checked", s.unchecked}, {"Uncertain", s.uncertain}, {"Not done", s.failed},
	} {
		if len(part.items) == 0 {
			continue
		}
		if b.Len() == 0 {
			b.WriteString(appendix)
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(part.title + ":\n")
		for i, item := range part.items {
			if i == maxListed {
				fmt.Fprintf(&b, "- and %s\n", plural(len(part.items)-i, "more"))
				break
			}
			b.WriteString("- " + item + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

type sections struct{ sources, files, unproven, verified, unchecked, uncertain, failed []string }

// sections reads off the journal what an answer must say; the lock is held.
func (t *task) sections() sections {
	var s sections
	seen := map[string]bool{}
	add := func(list *[]string, key, text string) {
		if !seen[key+text] {
			seen[key+text] = true
			*list = append(*list, text)
		}
	}
	for _, n := range t.nodes {
		if n.Replaced || n.State == journal.SubCancelled && n.Revision < t.row.Revision {
			continue
		}
		for _, src := range n.Sources {
			add(&s.sources, "s", src.URL)
		}
		for _, a := range n.Artifacts {
			if a.Proven {
				add(&s.files, "f", a.Path)
			} else {
				add(&s.unproven, "u", a.Path+" ("+a.Why+")")
			}
		}
		t.sort(n, &s, add)
	}
	return s
}

// sort says how far a subtask's result can be trusted.
func (t *task) sort(n *node, s *sections, add func(*[]string, string, string)) {
	what := report.Clip(strings.Join(strings.Fields(n.Task), " "), 120)
	switch {
	case n.Verifies != "":
	case n.State != journal.SubDone:
		add(&s.failed, "x", what+": "+n.Report.Why())
	case n.Report.Status == report.Partial:
		add(&s.failed, "x", what+": done in part"+because(n))
	case n.Report.Quality == report.Uncertain:
		add(&s.uncertain, "c", what)
	case len(n.Checked) > 0:
		add(&s.verified, "v", what+" (its check passed)")
	case n.Verifier != "" && n.Report.Quality == report.Verified:
		add(&s.verified, "v", what+" (by a second agent)")
	case n.Report.Quality == report.Verified:
		add(&s.unchecked, "t", what)
	}
}

func because(n *node) string {
	if why := n.Report.Why(); why != "" {
		return ", " + why
	}
	if len(n.Notes) > 0 {
		return ", " + n.Notes[len(n.Notes)-1]
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 || what == "more" {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fail ends a task that is not done.
func (t *task) fail(ctx context.Context, state string, err error) error {
	why := safe(err)
	if state == journal.Stopped {
		why = "the task was stopped"
	}
	if err := t.cancelRest(ctx, why); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.row.State, t.row.Problem, t.row.Code = state, why, moothall.ErrorCode(err)
	t.row.Stop = moothall.StopError
	if state == journal.Stopped {
		t.row.Stop = moothall.StopCanceled
	}
	var done []*node
	for _, n := range t.nodes {
		if n.State == journal.SubDone && n.Verifies == "" {
			done = append(done, n)
		}
	}
	t.row.Answer = ""
	if len(done) > 0 {
		t.row.Answer = t.plainly(done) + t.appendix()
	}
	return t.finish(ctx)
}

// finish writes the task's end; the lock is held.
func (t *task) finish(ctx context.Context) error {
	if err := t.save(ctx, nil); err != nil {
		return err
	}
	t.tellEnd(ctx)
	return nil
}
