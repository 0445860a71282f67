package orchestrator

import (
	"context"
	"iter"
	"time"

	"moothall"
	"moothall/internal/orchestrator/journal"
)

// voice is a model as one run of a task hears it: it waits while the task is
// paused, adds what the person has said since the run began, and keeps within
// the budget. Words and pauses so take effect in the next round.
type voice struct {
	t     *task
	n     *node // nil: the orchestrator's own
	heard int   // words of the person that the prompt has
	gauge journal.Gauge
	used  moothall.Usage // of the orchestrator's own runs
	still time.Duration  // that a pause has held it up
}

// now is the clock of its run: it stands still while the task is paused.
func (v *voice) now() time.Time { return v.t.o.opt.Now().Add(-v.still) }

// narrow is when what is left of a budget bounds a reply; above it the
// model's own limit holds, which a provider may refuse to go beyond.
const narrow = 16_384

// Generate asks the model.
func (v *voice) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		came := v.now()
		err := v.t.pass(ctx)
		v.still += v.now().Sub(came)
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		r.Messages = tailed(r.Messages, v.t.said(v.heard))
		left := v.left()
		if left <= 0 && v.n != nil && v.n.Budget > 0 { // agents below have taken it
			yield(moothall.Chunk{}, moothall.Fail(moothall.CodeExhausted, "subtask", "its budget of tokens is used up"))
			return
		}
		if left < narrow && (r.MaxTokens == 0 || r.MaxTokens > left) {
			r.MaxTokens = max(left, 256)
		}
		for c, err := range v.t.o.opt.Model.Generate(ctx, r) {
			v.t.sending.Add(c.Sent...)
			if err == nil {
				v.count(c.Usage, r.Window)
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

func (v *voice) left() int {
	v.t.mu.Lock()
	defer v.t.mu.Unlock()
	if v.n == nil || v.n.Budget <= 0 {
		return v.t.left()
	}
	return min(v.n.Budget-v.n.used(), v.t.left())
}

// count notes what a call took, so that whoever looks sees it while it runs.
func (v *voice) count(u moothall.Usage, window int) {
	n := u.PromptTokens + u.OutputTokens
	if n == 0 {
		return
	}
	v.used = v.used.Plus(u)
	if n > v.gauge.Tokens {
		v.gauge.Tokens, v.gauge.Window = n, window
	}
	v.t.mu.Lock()
	defer v.t.mu.Unlock()
	if v.n != nil {
		v.n.live += n
		v.t.tell()
	}
}

// said returns the person's words from the given one on.
func (t *task) said(from int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, w := range t.row.Words[min(from, len(t.row.Words)):] {
		out = append(out, w.Text)
	}
	return out
}

// tailed puts the person's words behind everything.
func tailed(msgs []moothall.Message, words []string) []moothall.Message {
	if len(words) == 0 || len(msgs) == 0 {
		return msgs
	}
	text := "The person says meanwhile:"
	for _, w := range words {
		text += "\n- " + w
	}
	last := msgs[len(msgs)-1]
	if last.Role != moothall.RoleUser {
		return append(msgs[:len(msgs):len(msgs)], moothall.Message{Role: moothall.RoleUser, Content: text})
	}
	last.Content += "\n\n" + text
	return append(msgs[:len(msgs)-1:len(msgs)-1], last)
}
