package tape

import (
	"context"
	"iter"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/schema"
)

// playedBroker gives recorded results. The engine asks it for nothing else.
type playedBroker struct {
	moothall.Broker
	p *player
}

// Execute plays a recorded call.
func (b playedBroker) Execute(ctx context.Context, q moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		entry := b.p.find(q.Call)
		if res := b.p.decided(ctx, q.Call, entry); res != nil {
			yield(moothall.CallProgress{Result: res}, nil)
			return
		}
		for _, s := range entry.Steps {
			if !yield(moothall.CallProgress{Note: s.Note, Asked: s.Asked.approval()}, nil) {
				return
			}
		}
		switch {
		case entry.Result != nil:
			res := entry.Result.result()
			b.p.bring(res.Labels)
			yield(moothall.CallProgress{Result: res}, nil)
		case entry.Left:
			yield(moothall.CallProgress{}, context.Canceled)
		case entry.Err != nil:
			yield(moothall.CallProgress{}, entry.Err.err())
		}
	}
}

// find returns the recorded call that this one is, nil when there is none:
// the one at the same place if it is the same call, else the first like it
// that was not used yet.
func (p *player) find(c moothall.ToolCall) *ToolCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	key, found := keyOf(c.Name, c.Arguments), -1
	for i := range p.tape.Tools {
		t := &p.tape.Tools[i]
		if p.used[i] || keyOf(t.Name, []byte(t.Args)) != key {
			continue
		}
		if t.ID == c.ID {
			found = i
			break
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		p.report.Unrecorded = append(p.report.Unrecorded, c)
		return nil
	}
	p.used[found], p.entries[c.ID] = true, found
	return &p.tape.Tools[found]
}

// keyOf is the same for arguments that differ in form only.
func keyOf(name moothall.ToolName, args []byte) string {
	if c, err := schema.Canonical(args); err == nil {
		args = c
	}
	return string(name) + " " + string(args)
}

// decided is the result of a call that gets another one than is on record, or
// nil.
func (p *player) decided(ctx context.Context, c moothall.ToolCall, entry *ToolCall) *moothall.ToolResult {
	denied := entry != nil && entry.Result != nil && entry.Result.Status == moothall.CallDenied
	if p.changes.Decide != nil {
		switch d := p.changes.Decide(ctx, c, p.touched(c.Name)); {
		case d.Verdict == moothall.Deny && !denied:
			p.say("%s would now be denied: %s", c.Name, d.Reason)
			return refusal(c, d)
		case d.Verdict == moothall.Deny:
			return refusal(c, d)
		case d.Verdict == moothall.Ask && entry != nil && !entry.asked():
			p.say("%s would now wait for a person's answer", c.Name)
		case d.Verdict == moothall.Allow && denied:
			p.say("%s would now be allowed", c.Name)
			return unrecorded(c)
		case d.Verdict == moothall.Allow && entry != nil && entry.asked():
			p.say("%s would no longer wait for a person's answer", c.Name)
		}
	}
	if entry == nil {
		return unrecorded(c)
	}
	return nil
}

func (p *player) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(format, args...)
}

func (t *ToolCall) asked() bool {
	for _, s := range t.Steps {
		if s.Asked != nil {
			return true
		}
	}
	return false
}

// refusal is a denial as the broker words it.
func refusal(c moothall.ToolCall, d moothall.Decision) *moothall.ToolResult {
	text := "Denied by the layer " + d.Layer + " (" + d.Rule + "). " + d.Reason
	if d.Allows != "" {
		text += " What would allow it: " + d.Allows + "."
	}
	return &moothall.ToolResult{Call: c.ID, Name: c.Name, Status: moothall.CallDenied, Text: text, Decision: d, Took: 1}
}

func unrecorded(c moothall.ToolCall) *moothall.ToolResult {
	return &moothall.ToolResult{
		Call: c.ID, Name: c.Name, Status: moothall.CallFailed, Took: 1,
		Text: "This is a replay, in which nothing is run, and it has no record of such a call.",
	}
}

// bring notes the labels of a result.
func (p *player) bring(l moothall.Label) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh |= l
}

// arrive makes fresh labels count: all calls have ended. The caller holds mu.
func (p *player) arrive() { p.labels |= p.fresh }

// touched is what the run has touched before a call. Calls that only read run
// side by side, so that none can be said to come after another of the same
// reply; any other comes after all before it.
func (p *player) touched(name moothall.ToolName) moothall.Label {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.tape.Given.Tools {
		if s := &p.tape.Given.Tools[i]; s.Goes(name) && s.ReadOnly {
			return p.labels
		}
	}
	p.arrive()
	return p.labels
}

// check gives the recorded verdict on the same answer.
func (p *player) check(_ context.Context, answer string) (engine.Verdict, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := digest([]byte(answer))
	for i := p.checks; i < len(p.tape.Checks); i++ {
		if c := &p.tape.Checks[i]; c.Answer == id {
			p.checks = i + 1
			return c.Verdict, c.Err.err()
		}
	}
	return engine.Verdict{}, moothall.Fail(moothall.CodeNotFound, "replay", "the recording has no check of this answer")
}

func (p *player) retrieve(context.Context, string) ([]moothall.Recall, error) {
	r := p.tape.Retrieved
	if r == nil {
		return nil, moothall.Fail(moothall.CodeNotFound, "replay", "nothing was looked up in the recording")
	}
	return r.Found, r.Err.err()
}

func (p *player) recalls(res moothall.ToolResult) []moothall.Recall {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i, ok := p.entries[res.Call]; ok {
		return p.tape.Tools[i].Recalls
	}
	return nil
}
