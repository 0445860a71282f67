package chat

import (
	"cmp"
	"context"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
	"moothall/internal/store"
)

// startTape records a run where tapes are kept.
func (c *Chat) startTape(r engine.Request) (engine.Request, *tape.Recorder) {
	if c.settings.get().Tapes == 0 {
		return r, nil
	}
	return tape.Record(r)
}

// keepTape keeps what was recorded, after all that a person waits for.
func (t *turn) keepTape(r *tape.Recorder, final *engine.Result) {
	c, id := t.chat, t.query
	if r == nil {
		t.herald.then(func(ctx context.Context) { c.forgetTapes(ctx) })
		return
	}
	t.herald.then(func(ctx context.Context) {
		data, err := []byte(nil), ctx.Err() // a hall that stops has no time to pack what it cannot store
		if err == nil {
			data, err = r.Tape(final).Marshal()
		}
		if err == nil {
			err = c.sessions.keepTape(ctx, id, data, c.settings.get().Tapes)
		}
		if err != nil {
			c.opt.Logger.Warn("a turn will not be there for replay", "query", id, "err", err)
		}
	})
}

// keepTape stores a tape and lets the oldest go when they take too much room.
func (s *sessions) keepTape(ctx context.Context, id moothall.QueryID, data []byte, room int64) error {
	return s.write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT OR REPLACE INTO chat_tapes (query_id, at, size, tape) VALUES (?, ?, ?, ?)`,
			string(id), s.now().UnixMilli(), len(data), data); err != nil {
			return err
		}
		return trimTapes(ctx, tx, room)
	})
}

func trimTapes(ctx context.Context, tx *store.Tx, room int64) error {
	var size int64
	if err := tx.QueryRow(ctx, `SELECT coalesce(sum(size), 0) FROM chat_tapes`).Scan(&size); err != nil || size <= room {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM chat_tapes WHERE query_id IN (SELECT query_id FROM
		(SELECT query_id, sum(size) OVER (ORDER BY at DESC, query_id DESC) AS upto FROM chat_tapes) WHERE upto > ?)`, room)
	return err
}

// forgetTapes removes what was recorded before tapes were switched off.
func (c *Chat) forgetTapes(ctx context.Context) {
	if err := c.sessions.forgetTapes(ctx); err != nil {
		c.opt.Logger.Warn("recorded turns could not be removed", "err", err)
	}
}

func (s *sessions) forgetTapes(ctx context.Context) error {
	var there bool
	err := s.read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM chat_tapes)`).Scan(&there)
	})
	if err != nil || !there {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error { return trimTapes(ctx, tx, 0) })
}

// tape returns what was recorded of a turn.
func (s *sessions) tape(ctx context.Context, id moothall.QueryID) (*tape.Tape, error) {
	var data []byte
	err := s.read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT tape FROM chat_tapes WHERE query_id = ?`, string(id)).Scan(&data)
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return nil, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "replay", Message: "there is no recording of turn " + string(id),
			Remedy: "turns are recorded while chat.tapes leaves room for them; those of committees and tasks are not",
		}
	}
	if err != nil {
		return nil, err
	}
	return tape.Unmarshal(data)
}

// Decider is another policy for a replay.
type Decider func(ctx context.Context, session moothall.SessionID, call moothall.ToolCall, labels moothall.Label) moothall.Decision

// Replay runs a recorded turn again, changed as the request says. Nothing is
// executed, and nothing enters the conversation.
func (c *Chat) Replay(ctx context.Context, r moothall.ReplayRequest, decide Decider) (moothall.Replayed, error) {
	t, err := c.sessions.tape(ctx, r.Query)
	if err != nil {
		return moothall.Replayed{}, err
	}
	changes := tape.Changes{ModelName: r.Model, Now: c.opt.Now}
	if r.Model != "" || r.Prompt != "" {
		changes.Model = c.opt.Model
		asked := moothall.ModelRequest{Model: r.Model}
		if r.Model == "" { // another prompt, for the model that was asked then
			asked = moothall.ModelRequest{Provider: t.Given.Provider, Model: t.Given.ModelName}
		}
		card, err := c.opt.Model.ShowModel(ctx, asked)
		if err != nil {
			return moothall.Replayed{}, err
		}
		able := engine.AbilitiesOf(card)
		able.Recall = card.Recall // what was looked up is on the tape
		changes.Abilities, changes.Window = &able, card.Window
	}
	if r.Prompt != "" {
		changes.System = &r.Prompt
	}
	if decide != nil {
		changes.Decide = func(ctx context.Context, call moothall.ToolCall, labels moothall.Label) moothall.Decision {
			return decide(ctx, t.Given.Scope.Session, call, labels)
		}
	}
	again, report, err := c.play(ctx, t, changes)
	if err != nil {
		return moothall.Replayed{}, err
	}
	out := moothall.Replayed{Recorded: t.Answer(), Again: tape.AnswerOf(again), Same: report.Same, Differences: append([]string{}, report.Differences...)}
	out.Again.Query, out.Again.Session = out.Recorded.Query, out.Recorded.Session
	for _, a := range []*moothall.Answer{&out.Recorded, &out.Again} {
		a.Respondent, a.Tools = RespondentA, append([]moothall.CalledTool{}, a.Tools...)
	}
	return out, nil
}

// play runs a tape. Where a live model answers, that is on the record, before
// and after: it is sent the conversation.
func (c *Chat) play(ctx context.Context, t *tape.Tape, changes tape.Changes) (*engine.Result, tape.Report, error) {
	if changes.Model == nil {
		return tape.Play(ctx, t, changes)
	}
	var again *engine.Result
	var report tape.Report
	var failed error
	e := moothall.AuditEntry{Scope: moothall.Scope{Session: t.Given.Scope.Session}, AgentType: "generator", Query: t.Given.Query, Note: "replay"}
	err := c.onRecord(ctx, e, func() bool {
		again, report, failed = tape.Play(ctx, t, changes)
		return failed == nil && again.Err == nil
	})
	return again, report, cmp.Or(err, failed)
}
