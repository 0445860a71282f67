package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
)

// Read is memory_read: what the hall remembers about something.
type Read struct {
	memory moothall.Memory
	o      Options
}

var _ moothall.Tool = (*Read)(nil)

// NewRead returns the tool.
func NewRead(m moothall.Memory, o Options) *Read { return &Read{m, o.filled()} }

// Spec describes the tool.
func (t *Read) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "memory_read", Aliases: []moothall.ToolName{"search_memory", "recall_memory", "search_memories"},
		Description: "Searches what is remembered of earlier conversations, facts and documents. Returns the passages that fit the query best.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","minLength":1,"maxLength":2000,"description":"what to look for, in plain words"},` +
			`"results":{"type":"integer","minimum":1,"maximum":20,"description":"how many passages at most; 5 when left out"}},` +
			`"required":["query"],"additionalProperties":false}`),
		Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true, Taints: moothall.Private,
		Timeout: timeout, MaxResult: maxResult, Origin: "built-in",
	}
}

// maxSince bounds what is said of one entry.
const maxSince = 3

// found is one entry as programs get it.
type found struct {
	ID      moothall.MemoryID    `json:"id"`
	Kind    moothall.MemoryKind  `json:"kind"`
	Name    string               `json:"name"`
	Text    string               `json:"text"`
	Score   float64              `json:"score"`
	Trust   moothall.Trust       `json:"trust"`
	Source  string               `json:"source"`
	Created time.Time            `json:"created_at"`
	Since   []moothall.GraphFact `json:"since,omitempty"` // what holds now in place of what it says
}

// Run searches the memory.
func (t *Read) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := answer.Arguments[struct {
		Query   string `json:"query"`
		Results int    `json:"results"`
	}](r)
	if err != nil {
		return failed(ctx, r, err)
	}
	if strings.TrimSpace(a.Query) == "" {
		return failed(ctx, r, moothall.Fail(moothall.CodeInvalid, "memory_read", "the query is empty"))
	}
	q := moothall.MemoryQuery{Scope: r.Scope, Text: a.Query, Results: min(max(a.Results, 0), 20), Weigh: true}
	var hits []moothall.Recall
	for hit, err := range t.memory.Recall(ctx, q) {
		if err != nil && len(hits) == 0 {
			return failed(ctx, r, err)
		}
		if err != nil {
			return t.answer(r, hits, reason(err)), nil
		}
		if hit.Entry != nil {
			hits = append(hits, hit)
		}
	}
	return t.answer(r, hits, ""), nil
}

// answer writes the result; broken says why more may be missing.
func (t *Read) answer(r moothall.ToolRun, hits []moothall.Recall, broken string) moothall.ToolResult {
	out := result(r, moothall.CallOK, "Nothing is remembered that fits this query.")
	var l list
	kept := []found{}
	for _, h := range hits {
		f := toFound(h)
		tag := fmt.Sprintf("source: %s; %s; score %.2f", origin(f.Trust), age(t.o.Now(), f.Created), f.Score)
		if !l.add(tag, f.body(), outside(f.Trust)) {
			continue
		}
		kept = append(kept, f)
		if outside(f.Trust) {
			out.Labels |= moothall.Untrusted
		}
	}
	if len(hits) > 0 {
		out.Text = plural(l.kept, "memory", "memories") + ", best first:\n" + l.b.String()
	}
	finish(&out, l.left, "memory", "memories", broken)
	out.Data = encode(map[string]any{"results": kept})
	return out
}

// body is the text of a hit, and what has changed since.
func (f found) body() string {
	if len(f.Since) == 0 {
		return f.Name + "\n" + f.Text
	}
	var since []string
	for _, s := range f.Since {
		since = append(since, cut(oneLine(s.Words()), 300))
	}
	return f.Name + "\n" + f.Text + "\n(Changed since then: " + strings.Join(since, "; ") + ")"
}

// toFound translates a hit: its segment is what answers the query, its
// corpus stands in where there is none.
func toFound(h moothall.Recall) found {
	e := h.Entry
	text := h.Segment
	if text == "" {
		text = e.Corpus
	}
	if text == "" {
		text = e.Description
	}
	return found{
		ID: e.ID, Kind: e.Kind, Name: cut(oneLine(e.Name), 200), Text: cut(text, maxPiece), Score: h.Score,
		Trust: e.Trust, Source: cut(oneLine(e.Source), 300), Created: e.Created, Since: h.Since[:min(len(h.Since), maxSince)],
	}
}

// finish says what a result leaves out.
func finish(out *moothall.ToolResult, left int, one, many, broken string) {
	if left > 0 {
		out.Cut = plural(left, one, many) + " left out for length"
	}
	if broken != "" {
		if out.Cut != "" {
			out.Cut += "; "
		}
		out.Cut += cut("there may be more: "+broken, roomNotes-100)
	}
	if out.Cut != "" {
		out.Text += "(" + out.Cut + ")\n"
	}
}
