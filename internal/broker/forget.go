package broker

import (
	"context"
	"time"

	"moothall"
	"moothall/internal/store"
)

// Forget removes what the broker keeps of a session that a person deleted.
// CodeConflict while an agent of it lives: its labels must not be lost under
// it. What agents that have ended still leave behind is waited for.
func (b *Broker) Forget(ctx context.Context, id moothall.SessionID) error {
	late := time.NewTimer(b.opt.Grace)
	defer late.Stop()
	for {
		left, err := b.forgetUnused(ctx, string(id))
		if left == nil {
			return err
		}
		select {
		case <-left:
		case <-late.C:
			return moothall.Fail(moothall.CodeConflict, "forget session", "a call of the session does not end")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// forgetUnused returns what to wait for where agents are gone that still write.
func (b *Broker) forgetUnused(ctx context.Context, id string) (left <-chan struct{}, err error) {
	b.loading.Lock() // nobody opens it meanwhile
	defer b.loading.Unlock()
	s, lives := b.inSession(id)
	switch {
	case lives:
		return nil, moothall.Fail(moothall.CodeConflict, "forget session", "an agent of the session is at work")
	case s != nil:
		return s.left, nil
	}
	return nil, b.writes.do(func(tx *store.Tx) error {
		for _, q := range []string{
			`DELETE FROM broker_sessions WHERE id = ?`, `DELETE FROM broker_consents WHERE session = ?`, `DELETE FROM broker_addresses WHERE session = ?`,
			`DELETE FROM broker_texts WHERE session = ?`, `DELETE FROM broker_calls WHERE session = ?`, `DELETE FROM broker_agents WHERE session = ?`,
			`DELETE FROM broker_approvals WHERE session = ?`, `DELETE FROM broker_held WHERE session = ?`, `DELETE FROM broker_made WHERE session = ?`,
		} {
			if _, err := tx.Exec(ctx, q, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// inSession returns a session that is in use, and whether an agent of it lives.
func (b *Broker) inSession(id string) (s *session, lives bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s = b.sessions[id]; s == nil {
		return nil, false
	}
	for _, a := range b.agents {
		if a.session == s {
			return s, true
		}
	}
	return s, false
}

// Prune removes calls, agents and questions that ended before a time, and
// returns how many rows that were. A call that old could then be made again
// under its id. Labels, overrides, consents and counters stay.
func (b *Broker) Prune(ctx context.Context, before time.Time) (int64, error) {
	var total int64
	err := b.writes.do(func(tx *store.Tx) error {
		total = 0
		for _, q := range []string{
			`DELETE FROM broker_calls WHERE status <> 'intent' AND began < ?`, `DELETE FROM broker_agents WHERE ended > 0 AND ended < ?`,
			`DELETE FROM broker_approvals WHERE answer <> '' AND answered < ?`,
		} {
			res, err := tx.Exec(ctx, q, before.UnixMilli())
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			if err != nil {
				return err
			}
			total += n
		}
		return nil
	})
	return total, err
}
