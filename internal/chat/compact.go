package chat

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"moothall"
	"moothall/internal/engine/compact"
	"moothall/internal/engine/history"
)

// compacting bounds one compaction; it may wait behind people's questions.
const compacting = 5 * time.Minute

// compact replaces the older part of a conversation by notes on it. When the
// conversation has gone on meanwhile nothing is replaced.
func (c *Chat) compact(ctx context.Context, id moothall.SessionID) error {
	past, err := c.sessions.conversation(ctx, id)
	if err != nil {
		return err
	}
	a := c.settings.get().A // who has heard it all
	card, err := c.opt.Model.ShowModel(ctx, moothall.ModelRequest{Provider: a.Provider, Model: a.Model})
	if err != nil {
		return err
	}
	res, err := compact.Run(ctx, compact.Request{
		Model: noting{c.opt.Model, c, id}, Scope: moothall.Scope{Session: id}, Role: moothall.ModelChat, Provider: a.Provider, ModelName: a.Model,
		History: past.messages, Window: card.Window, Meter: c.meter,
	})
	if err != nil || res.Replaced == 0 {
		return err
	}
	if _, err := c.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: moothall.Scope{Session: id}, Action: moothall.ActionSessionChange, Status: moothall.StatusOK, Note: "compacted",
	}); err != nil {
		return err
	}
	keep, same := kept(past.messages, res.Messages)
	done, err := c.sessions.replace(ctx, id, past, res.Messages[:len(res.Messages)-same], keep)
	if err != nil || !done {
		return err
	}
	c.tellCompacted(ctx, id, moothall.Compaction{
		How: moothall.CompactNotes, Text: fmt.Sprintf("notes stand for the oldest %d messages", res.Replaced),
		Messages: res.Replaced, Before: res.Before, After: res.After,
	})
	return nil
}

// noting is a model that writes notes, on the record.
type noting struct {
	moothall.Model
	chat *Chat
	id   moothall.SessionID
}

// Generate asks the model.
func (n noting) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		e := moothall.AuditEntry{Scope: moothall.Scope{Session: n.id}, AgentType: "generator", Note: "compact"}
		err := n.chat.onRecord(ctx, e, func() bool {
			for chunk, err := range n.Model.Generate(ctx, r) {
				if !yield(chunk, err) || err != nil {
					return err == nil
				}
			}
			return true
		})
		if err != nil {
			yield(moothall.Chunk{}, err)
		}
	}
}

// kept says how many of the last messages of a conversation stay in the one that
// is to take its place, and how many they are there, where it is repaired.
func kept(past, with []moothall.Message) (keep, same int) {
	for i, m := range slices.Backward(past) {
		if m.Role != moothall.RoleUser {
			continue // a turn begins with its question
		}
		tail := history.Repair(past[i:])
		if len(tail) > len(with) {
			break
		}
		if slices.EqualFunc(tail, with[len(with)-len(tail):], alike) {
			keep, same = len(past)-i, len(tail)
		}
	}
	return keep, same
}

// alike reports whether two messages are the same but for the ids of calls.
func alike(a, b moothall.Message) bool {
	return a.Role == b.Role && a.Content == b.Content && len(a.ToolCalls) == len(b.ToolCalls)
}

// tellCompacted tells that a conversation is shorter now. What is told of it
// is no condition of it.
func (c *Chat) tellCompacted(ctx context.Context, id moothall.SessionID, what moothall.Compaction) {
	e, err := event(moothall.SubjectSessionCompacted, "", &moothall.Answer{Session: id}, what)
	if err != nil {
		c.opt.Logger.Warn("an event could not be made", "subject", moothall.SubjectSessionCompacted, "err", err)
		return
	}
	c.publish(ctx, c.opt.Tell, e)
}

// compactLater compacts a conversation that fills its window, beside whatever
// goes on. It is optional work: what fails is tried again after the next turn.
func (c *Chat) compactLater(id moothall.SessionID, messages []moothall.Message, window int, model string) {
	if !compact.Due(messages, window, c.meter, model) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.shrinking[id] {
		return
	}
	c.shrinking[id] = true
	c.work.Go(func() {
		ctx, cancel := context.WithTimeout(c.life, compacting)
		defer cancel()
		if err := c.compact(ctx, id); err != nil {
			c.opt.Logger.Warn("a conversation could not be compacted", "session", id, "err", err)
		}
		c.mu.Lock()
		delete(c.shrinking, id)
		c.mu.Unlock()
	})
}
