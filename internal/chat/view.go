package chat

import (
	"context"
	"errors"
	"slices"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// Sessions lists the conversations, the one used last first.
func (c *Chat) Sessions(ctx context.Context) ([]moothall.Session, error) {
	list, err := c.sessions.list(ctx)
	for i := range list {
		c.describe(&list[i])
	}
	return list, err
}

// describe adds what a session is at.
func (c *Chat) describe(s *moothall.Session) []moothall.Turn {
	now, waiting := c.at(s.ID)
	if now != idle {
		s.State = string(now)
	}
	return waiting
}

// Session returns one conversation as the model sees it, with an estimate of
// what its parts take, its turns with all answers, and what waits.
func (c *Chat) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	var out moothall.SessionDetail
	var err error
	if out.Session, err = c.sessions.get(ctx, id); err != nil {
		return out, err
	}
	out.Queue = c.describe(&out.Session)
	now, err := c.sessions.conversation(ctx, id)
	if err != nil {
		return out, err
	}
	out.Messages = now.messages
	if out.Asked, err = c.sessions.turns(ctx, id); err != nil {
		return out, err
	}
	a := c.settings.get().A
	if card, err := c.opt.Model.ShowModel(ctx, moothall.ModelRequest{Provider: a.Provider, Model: a.Model}); err == nil {
		out.Window = card.Window
	}
	out.Tokens = c.gauge(a.Provider+"/"+a.Model, out.Messages, offeredLast(out.Asked))
	return out, nil
}

// offeredLast is what the tools took that went with the last question.
func offeredLast(turns []moothall.Turn) int {
	for _, t := range slices.Backward(turns) {
		if len(t.Answers) > 0 && t.Answers[0].Respondent == RespondentA {
			return t.Answers[0].Offered.Bytes
		}
	}
	return 0
}

// gauge estimates the tokens of a conversation's parts.
func (c *Chat) gauge(model string, messages []moothall.Message, tools int) map[string]int {
	size := map[string]int{"system": history.Size(moothall.Message{Role: moothall.RoleSystem, Content: c.opt.System})}
	if tools > 0 {
		size["tools"] = tools
	}
	for _, m := range messages {
		part := "history"
		switch {
		case m.Role == moothall.RoleTool && m.ToolName == engine.MemoryRead:
			part = "recalls"
		case m.Role == moothall.RoleTool:
			part = "results"
		}
		size[part] += history.Size(m)
	}
	for part, n := range size {
		size[part] = c.meter.Tokens(model, n)
	}
	return size
}

// Answered returns the session of an answer: that of a respondent, or the one
// that was shown when none is named. CodeNotFound when there is none.
func (c *Chat) Answered(ctx context.Context, id moothall.QueryID, by moothall.RespondentID) (moothall.SessionID, error) {
	t, err := c.sessions.turn(ctx, id)
	if err != nil {
		return "", err
	}
	there := t.answer.Query != ""
	if by != "" && by != RespondentA {
		there, err = c.sessions.shadowed(ctx, id, by)
	}
	if err == nil && !there {
		err = &moothall.Error{
			Code: moothall.CodeNotFound, Op: "turn", Message: "turn " + string(id) + " has no such answer",
			Remedy: "A gives the answers that are shown, B those that are not; wait for the one that you mean",
		}
	}
	return t.session, err
}

// Has reports whether a turn is there, and was not deleted with its
// conversation.
func (c *Chat) Has(ctx context.Context, session moothall.SessionID, q moothall.QueryID) (bool, error) {
	_, there, err := c.sessions.asked(ctx, &moothall.Answer{Session: session, Query: q})
	return there, err
}

// ChangeSession renames, compacts or deletes a conversation, and puts that on
// record.
func (c *Chat) ChangeSession(ctx context.Context, ch moothall.SessionChange) error {
	if ch.Compact {
		return c.compactNow(ctx, ch.ID)
	}
	note := "renamed"
	if ch.Delete {
		note = "deleted"
	}
	if _, err := c.sessions.get(ctx, ch.ID); err != nil {
		return err
	}
	entry := moothall.AuditEntry{Scope: moothall.Scope{Session: ch.ID}, Action: moothall.ActionSessionChange, Status: moothall.StatusOK, Note: note}
	if _, err := c.opt.Audit.Append(ctx, entry); err != nil {
		return err
	}
	change := func() error { return c.sessions.rename(ctx, ch.ID, ch.Title) }
	if ch.Delete {
		change = func() error { return c.sessions.remove(ctx, ch.ID) }
	}
	if err := change(); err != nil {
		entry.Status = moothall.StatusFailed
		_, lost := c.opt.Audit.Append(context.WithoutCancel(ctx), entry)
		return errors.Join(err, lost)
	}
	if e, err := event(moothall.SubjectSessionChanged, "", &moothall.Answer{Session: ch.ID}, map[string]string{"change": note}); err == nil {
		c.publish(ctx, c.opt.Tell, e) // who shows it looks again
	}
	return nil
}

// Clear stops all that is answered in a conversation that was deleted, and waits
// until nobody is in it: what others keep of it cannot be removed under them. It
// comes after the deletion, so that an answer that ends then is not told.
func (c *Chat) Clear(ctx context.Context, id moothall.SessionID) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	c.mu.Lock()
	for _, r := range c.running {
		if r.session == id {
			r.stop(errStopped)
		}
	}
	c.mu.Unlock()
	leave, err := c.enter(ctx, &turn{session: id, began: c.opt.Now(), request: moothall.QueryRequest{Query: "(deleting)"}})
	if err != nil {
		return err
	}
	leave()
	return c.unshadow(ctx, id)
}

// Deleted lists conversations that were deleted and of which others may still
// keep something, as when the hall ended in the middle.
func (c *Chat) Deleted(ctx context.Context) ([]moothall.SessionID, error) {
	return c.sessions.deleted(ctx)
}

// Forgotten notes that nobody keeps anything of such a conversation any more.
func (c *Chat) Forgotten(ctx context.Context, id moothall.SessionID) error {
	return c.sessions.forgotten(ctx, id)
}

// compactNow compacts between two turns.
func (c *Chat) compactNow(ctx context.Context, id moothall.SessionID) error {
	if _, err := c.sessions.get(ctx, id); err != nil {
		return err
	}
	leave, err := c.enter(ctx, &turn{session: id, began: c.opt.Now(), request: moothall.QueryRequest{Query: "(compacting)"}})
	if err != nil {
		return err
	}
	defer leave()
	return c.compact(ctx, id)
}
