package orchestrator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/report"
)

// maxKept is how many bytes of a call's result the record of a task keeps.
const maxKept = 2000

// hear takes an event of the run: it is written where a crash would lose it,
// and shown. An error ends the run before the call that it announces.
func (s *shift) hear(ctx context.Context, e engine.Event) error {
	if e.Kind == engine.KindResult && s.abandoned(e.Result) {
		return errClosed() // nothing is written: whoever comes next asks the broker
	}
	var err error
	switch e.Kind {
	case engine.KindCall:
		err = s.called(ctx, e.Call)
	case engine.KindResult:
		err = s.resulted(ctx, e.Result)
	case engine.KindRound:
		err = s.closed(ctx, e)
	case engine.KindDelta, engine.KindRethink, engine.KindInterim:
		return nil // a report is shown when it is whole
	}
	if err != nil {
		s.t.mu.Lock()
		defer s.t.mu.Unlock()
		return s.t.broken(err)
	}
	if e.Kind != engine.KindRound {
		s.t.show(moothall.Step{
			Kind: shown(e.Kind), From: s.n.ID, Text: e.Text, Call: e.Call, Asked: e.Asked, Result: e.Result, Recall: e.Recall,
		})
	}
	return nil
}

// abandoned reports whether a call ended because the hall goes down: what the
// model would read of it says nothing about its effect.
func (s *shift) abandoned(r *moothall.ToolResult) bool {
	return s.t.o.life.Err() != nil && r.Status == moothall.CallUnavailable && !harmless(s.spec(s.begun[r.Call].Name))
}

func shown(k engine.Kind) string {
	if k == engine.KindCompacted {
		return string(engine.KindStatus)
	}
	return string(k)
}

// harmless reports whether a call may be made again without a second
// thought, so that nothing about it has to be kept.
func harmless(spec moothall.ToolSpec) bool {
	return spec.ReadOnly && spec.Idempotent && (spec.Risk == moothall.RiskNone || spec.Risk == moothall.RiskRead)
}

// spec finds a tool by whatever name a model uses.
func (s *shift) spec(name moothall.ToolName) moothall.ToolSpec {
	if spec, ok := s.specs[name]; ok {
		return spec
	}
	for _, spec := range s.specs {
		if spec.Goes(name) {
			return spec
		}
	}
	return moothall.ToolSpec{Name: name}
}

// called writes a call down before it is made.
func (s *shift) called(ctx context.Context, c *moothall.ToolCall) error {
	s.begun[c.ID] = *c
	if harmless(s.spec(c.Name)) {
		return nil
	}
	return s.t.o.journal.Append(context.WithoutCancel(ctx), s.t.id, s.n.ID, journal.Work{Begun: c})
}

// resulted notes what came of a call.
func (s *shift) resulted(ctx context.Context, r *moothall.ToolResult) error {
	c := s.begun[r.Call]
	if c.Name != delegate { // whose calls have sent it
		s.round.Sent = moothall.SumEgress(s.round.Sent, r.Sent...)
	}
	s.gather(c, r)
	if harmless(s.spec(c.Name)) || r.Call == "" {
		return nil
	}
	return s.t.o.journal.Append(context.WithoutCancel(ctx), s.t.id, s.n.ID, journal.Work{
		Ended: &journal.Outcome{Call: r.Call, Status: r.Status, Text: r.Text},
	})
}

// gather takes a call and what came of it into the account of the round.
func (s *shift) gather(c moothall.ToolCall, r *moothall.ToolResult) {
	s.round.Calls = append(s.round.Calls, moothall.CalledTool{
		Tool: c.Name, Args: c.Arguments, Result: report.Clip(r.Text, maxKept), Status: r.Status, Millis: r.Took.Milliseconds(),
	})
	s.round.Labels |= r.Labels
	if r.Status != moothall.CallOK || c.Name == delegate {
		return
	}
	s.good++
	if looksOut(s.spec(c.Name)) {
		s.round.Web, s.web = true, true
		s.round.Sources = append(s.round.Sources, sources(c, r)...)
	}
}

// closed writes a round down that has made calls. One that has made none is
// an answer, whose end follows at once.
func (s *shift) closed(ctx context.Context, e engine.Event) error {
	r := s.round
	r.Usage = r.Usage.Plus(e.Usage)
	s.round = journal.Round{}
	s.add(r)
	if e.Void != "" || !slices.ContainsFunc(e.Messages, func(m moothall.Message) bool { return m.Role == moothall.RoleTool }) {
		return nil
	}
	r.Messages = e.Messages
	return s.t.o.journal.Append(context.WithoutCancel(ctx), s.t.id, s.n.ID, journal.Work{Round: &r})
}

// add takes what a round brought into the subtask's account.
func (s *shift) add(r journal.Round) {
	s.sub.Usage = s.sub.Usage.Plus(r.Usage)
	s.sub.Calls = append(s.sub.Calls, r.Calls...)
	s.sub.Labels |= r.Labels
	s.sub.Sent = append(s.sub.Sent, r.Sent...)
	for _, src := range r.Sources {
		if len(s.sub.Sources) < maxSources && !slices.Contains(s.sub.Sources, src) {
			s.sub.Sources = append(s.sub.Sources, src)
		}
	}
}

// looksOut reports whether a tool's results come from the web.
func looksOut(spec moothall.ToolSpec) bool {
	return strings.HasPrefix(string(spec.Name), "web_") || spec.Risk == moothall.RiskSend && spec.Taints.Has(moothall.Untrusted)
}

// maxSources is how many pages a subtask names.
const maxSources = 10

// sources are the addresses that a call looked at: of what it was asked for
// and what it brought, never of a model's later words.
func sources(c moothall.ToolCall, r *moothall.ToolResult) []journal.Source {
	var out []journal.Source
	for _, raw := range []json.RawMessage{r.Data, c.Arguments} {
		var v any
		if json.Unmarshal(raw, &v) == nil {
			out = addresses(out, v, 0)
		}
	}
	return out
}

// addresses looks for fields that name a page.
func addresses(out []journal.Source, v any, depth int) []journal.Source {
	if depth > 6 || len(out) >= maxSources {
		return out
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = addresses(out, e, depth+1)
		}
	case map[string]any:
		for _, key := range []string{"source_url", "url", "final_url", "link"} {
			if u, ok := v[key].(string); ok && isPage(u) {
				title, _ := v["title"].(string)
				src := journal.Source{URL: u, Title: report.Clip(strings.Join(strings.Fields(title), " "), 120)}
				if !slices.ContainsFunc(out, func(o journal.Source) bool { return o.URL == u }) && len(out) < maxSources {
					out = append(out, src)
				}
				break
			}
		}
		for _, key := range []string{"results", "claims", "items", "page", "pages"} {
			out = addresses(out, v[key], depth+1)
		}
	}
	return out
}

func isPage(u string) bool {
	return len(u) <= 2000 && (strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://")) && !strings.ContainsAny(u, " \n\t<>\"")
}
