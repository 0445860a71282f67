package orchestrator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// What is decided about a candidate for memory.
const (
	gateAccepted   = "accepted"
	gateDuplicate  = "rejected: it is known"
	gateConflict   = "left to a person: it contradicts what is known"
	gateOutside    = "left to a person: it comes from outside"
	gateUnsure     = "left to a person: the result is uncertain"
	gateUndecided  = "left to a person: nothing could be compared"
	gateImpossible = "rejected: it could not be written"
)

// related is the share of words that notes have in common which have to do
// with each other. No share says that they are the same: one word, a "not" or
// a number, can make the opposite of a note.
const related = 0.2

// ungated are subtasks whose candidates nobody has decided on; the lock is
// held.
func (t *task) ungated() []*node {
	var out []*node
	for _, n := range t.finished {
		if n.candidates() {
			out = append(out, n)
		}
	}
	return out
}

func (n *node) candidates() bool {
	return n.State == journal.SubDone && !n.Gated && len(n.Report.Candidates) > 0
}

// review decides which of a subtask's candidates are remembered: the
// orchestrator compares them with what is known. What comes from outside is
// never more than a proposal.
func (t *task) review(ctx context.Context, n *node) {
	t.mu.Lock()
	due := n.candidates() && t.o.opt.Memory != nil && t.halted == nil
	trust := moothall.TrustModel
	if n.Labels.Has(moothall.Untrusted) || n.Report.Source == report.FromWeb {
		trust = moothall.TrustExternal
	}
	unsure := n.Report.Quality == report.Uncertain
	list := n.Report.Candidates
	t.mu.Unlock()
	if !due {
		return
	}
	for i, text := range list {
		decision := t.decide(ctx, n, i, text, trust, unsure)
		if ctx.Err() != nil {
			return // decided on another day
		}
		if _, err := t.o.opt.Audit.Append(ctx, moothall.AuditEntry{
			Scope: t.scope(), Agent: t.root.ID, AgentType: chief, Action: moothall.ActionMemoryWrite, Status: gateStatus(decision),
			Run: moothall.RunID(t.id), Query: t.row.Query, Rule: "gate/" + string(trust), Note: decision, Params: []byte(text),
		}); err != nil {
			t.o.opt.Logger.Error("a decision about memory is not on record", "task", t.id, "err", err)
			return
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n.Gated = true
	_ = t.save(ctx, []*node{n}) // a failure has halted the task
}

func gateStatus(decision string) moothall.AuditStatus {
	switch {
	case decision == gateAccepted:
		return moothall.StatusOK
	case strings.HasPrefix(decision, "left"):
		return moothall.StatusAsked
	}
	return moothall.StatusDenied
}

// decide compares one candidate with what is known, and writes it.
func (t *task) decide(ctx context.Context, n *node, i int, text string, trust moothall.Trust, unsure bool) string {
	decision, known := gateAccepted, []string{}
	found, err := t.known(ctx, text)
	switch {
	case err != nil:
		decision = gateUndecided
	case trust == moothall.TrustExternal:
		decision = gateOutside
	case unsure:
		decision = gateUnsure
	}
	for _, e := range found {
		if same(text, e.text) && (e.trust != moothall.TrustExternal || trust == moothall.TrustExternal) {
			return gateDuplicate
		}
		if likeness(text, e.text) >= related && e.trust != moothall.TrustExternal { // what comes from outside is not put on the desk
			known = append(known, report.Clip(e.text, 400))
		}
	}
	if decision == gateAccepted && len(known) > 0 && t.contradicts(ctx, text, known) {
		decision = gateConflict
	}
	if !t.propose(ctx, n, i, text, trust, decision) {
		return gateImpossible
	}
	return decision
}

type memo struct {
	text  string
	trust moothall.Trust
}

// known is what memory has that is near a candidate.
func (t *task) known(ctx context.Context, text string) ([]memo, error) {
	var out []memo
	for r, err := range t.o.opt.Memory.Recall(ctx, moothall.MemoryQuery{Scope: t.scope(), Text: text, Results: 3}) {
		if err != nil {
			return out, err
		}
		if r.Entry == nil {
			continue
		}
		m := memo{text: r.Segment, trust: r.Entry.Trust}
		if m.text == "" {
			m.text = r.Entry.Corpus
		}
		out = append(out, m)
	}
	return out, nil
}

// gateSchema is what the comparison must fit.
const gateSchema = `{"type":"object","properties":{"contradicts":{"type":"boolean"},"reason":{"type":"string"}},"required":["contradicts"]}`

// contradicts asks the orchestrator's model. When it gives no answer, a
// person decides.
func (t *task) contradicts(ctx context.Context, text string, known []string) bool {
	req := t.own(ctx, prompt.Gate(), prompt.AskGate(text, known))
	req.Schema, req.Priority = json.RawMessage(gateSchema), moothall.PriorityBackground
	res, err := t.consult(ctx, req, "memory gate", nil)
	if err != nil {
		return true
	}
	var v struct{ Contradicts *bool }
	if json.Unmarshal([]byte(res.Answer), &v) != nil || v.Contradicts == nil {
		return true
	}
	return *v.Contradicts
}

// propose writes a candidate into the queue, and accepts it if that was
// decided. Its name is the same when it is done again after a crash.
func (t *task) propose(ctx context.Context, n *node, i int, text string, trust moothall.Trust, decision string) bool {
	source := "task " + string(t.id) + " subtask " + n.ID
	if trust == moothall.TrustExternal {
		source = "external: " + source
	}
	e, err := t.o.opt.Memory.Write(ctx, moothall.WriteRequest{
		Scope: t.scope(), Propose: true,
		Entry: moothall.MemoryEntry{
			ID:   moothall.MemoryID(string(t.id) + "-" + n.ID + "-" + itoa(i)),
			Kind: moothall.Fact, Name: report.Clip(text, 60), Description: report.Clip(text, 200), Corpus: text,
			Tags: []string{"task"}, Source: source, Trust: trust,
		},
	})
	if err != nil {
		t.o.opt.Logger.Warn("a candidate could not be proposed", "task", t.id, "err", err)
		return false
	}
	if decision != gateAccepted {
		return true
	}
	if err := t.o.opt.Memory.Review(ctx, t.scope(), e.ID, true); err != nil && moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.o.opt.Logger.Warn("a candidate could not be accepted", "task", t.id, "err", err)
		return false
	}
	return true
}

// same reports whether two texts say the same in the same words.
func same(a, b string) bool { return slices.Equal(plainWords(a), plainWords(b)) }

// plainWords are the words of a text without what sentences put around them.
func plainWords(s string) []string {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		words[i] = strings.TrimRight(strings.TrimLeft(w, `"'(`), `.,;:!"')`)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// likeness is the share of words that two texts have in common.
func likeness(a, b string) float64 {
	x, y := wordSet(a), wordSet(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 || unicode.IsDigit(rune(w[0])) {
			out[w] = true
		}
	}
	return out
}
