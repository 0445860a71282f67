package orchestrator

import (
	"context"
	"slices"

	"moothall"
	"moothall/internal/orchestrator/journal"
)

// What a model reads in the place of a result that a restart took.
const (
	sayMade     = "[made before a restart] This call was made, and its result was lost. Look at what it changed before you do it again."
	sayNotMade  = "[not run] The hall was restarted before this call began. Make it again if it is still needed."
	sayAccepted = "[unknown_after_crash] A restart cut this call off. The person says that it has had its effect: do not make it again."
	sayRetry    = "[unknown_after_crash] A restart cut this call off. The person says that it may be made again."
)

// Answers to a question about a call of unknown outcome.
const (
	Retry  = "retry"  // it may be made again
	Accept = "accept" // it has had its effect
	Skip   = "skip"   // the subtask is given up
)

// pending is a call of a round that was not closed.
type pending struct {
	call  moothall.ToolCall
	end   *journal.Outcome
	below bool // an agent below it has begun to change something
}

// remember takes up what earlier attempts left. It returns a question when
// the outcome of a call is not known and nobody has said what to do.
func (s *shift) remember(ctx context.Context, work []journal.Work) (*journal.Question, error) {
	s.sub.Usage, s.sub.Calls, s.sub.Sent, s.sub.Sources = moothall.Usage{}, nil, nil, nil
	var open []pending
	for _, w := range work {
		switch {
		case w.Round != nil:
			s.past = append(s.past, w.Round.Messages...)
			s.add(*w.Round)
			s.web = s.web || w.Round.Web
			for _, c := range w.Round.Calls {
				if c.Status == moothall.CallOK {
					s.good++
				}
			}
			open = nil
		case w.Begun != nil && w.Under != "":
			for i := range open {
				open[i].below = open[i].below || open[i].call.ID == w.Under
			}
		case w.Begun != nil:
			open = append(open, pending{call: *w.Begun})
		case w.Ended != nil:
			for i := range open {
				if open[i].call.ID == w.Ended.Call {
					open[i].end = w.Ended
				}
			}
		}
	}
	s.t.mu.Lock()
	s.n.live = max(s.sub.Usage.PromptTokens+s.sub.Usage.OutputTokens-s.n.used(), 0) // what a crash kept from being counted
	s.t.mu.Unlock()
	if len(open) == 0 {
		return nil, nil
	}
	return s.reopen(ctx, open)
}

// reopen closes a round that a crash cut off, with what can be found out
// about its calls.
func (s *shift) reopen(ctx context.Context, open []pending) (*journal.Question, error) {
	said := moothall.Message{Role: moothall.RoleAssistant}
	round := journal.Round{}
	var results []moothall.Message
	var unknown []pending
	for _, p := range open {
		text, status, known := s.fate(ctx, p)
		if !known {
			unknown = append(unknown, p)
		}
		said.ToolCalls = append(said.ToolCalls, p.call)
		results = append(results, moothall.Message{Role: moothall.RoleTool, ToolName: p.call.Name, CallID: p.call.ID, Content: text})
		round.Calls = append(round.Calls, moothall.CalledTool{Tool: p.call.Name, Args: p.call.Arguments, Result: clipKept(text), Status: status})
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(unknown) > 0 {
		return s.question(unknown), nil
	}
	round.Messages = append([]moothall.Message{said}, results...)
	if err := s.t.o.journal.Append(context.WithoutCancel(ctx), s.t.id, s.n.ID, journal.Work{Round: &round}); err != nil {
		s.t.mu.Lock()
		defer s.t.mu.Unlock()
		return nil, s.t.broken(err)
	}
	s.past = append(s.past, round.Messages...)
	s.add(round)
	return nil, nil
}

// fate finds out what became of a call. The broker's journal knows: it denies
// a call that it has.
func (s *shift) fate(ctx context.Context, p pending) (text string, status moothall.CallStatus, known bool) {
	if p.end != nil {
		return p.end.Text, p.end.Status, true
	}
	if q := s.n.Question; q != nil && slices.Contains(q.Calls, p.call.ID) {
		switch s.n.Said {
		case Accept:
			return sayAccepted, moothall.CallUnknown, true
		case Retry:
			return sayRetry, moothall.CallUnknown, true
		}
	}
	if p.call.Name == delegate { // the broker knows nothing of it
		return sayNotMade, moothall.CallUnavailable, !p.below
	}
	d, err := s.t.o.opt.Broker.Validate(ctx, moothall.CallRequest{
		Scope: moothall.Scope{Session: s.t.session, Lineage: s.agent.Lineage}, Agent: s.agent.Handle, Query: s.t.row.Query, Run: s.n.Run, Call: p.call,
	})
	switch {
	case err != nil, d.Layer == "journal" && d.Rule == "unknown_after_crash":
		return "", moothall.CallUnknown, false
	case d.Layer == "journal":
		return sayMade, moothall.CallUnknown, true
	}
	return sayNotMade, moothall.CallUnavailable, true
}

func (s *shift) question(unknown []pending) *journal.Question {
	q := &journal.Question{Tool: unknown[0].call.Name}
	for _, p := range unknown {
		q.Calls = append(q.Calls, p.call.ID)
	}
	q.Text = "A restart cut a call of " + string(q.Tool) + " off. Whether it has had its effect is not known: " +
		Retry + " (it may be made again), " + Accept + " (it has had its effect) or " + Skip + " (give this subtask up)?"
	return q
}
