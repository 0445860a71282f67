package reward

import (
	"context"
	"encoding/json"

	"moothall"
	"moothall/internal/store"
)

// catchUp tells what could not be told when it was stored. It is an extra:
// when it fails, the next event tries again.
func (k *Keeper) catchUp(ctx context.Context) {
	if !k.behind.Load() {
		return
	}
	if err := k.tell(ctx, ""); err != nil {
		k.o.Logger.Warn("a reward could not be told; it is tried again with the next event", "err", err)
	}
}

// untold is a stored event that nobody was told of.
type untold struct {
	id    string
	event moothall.Event
	query string
	by    string
	stale bool // a later rating of the same answer was told
}

// tell publishes what is untold, the oldest first, and marks each as told. That
// the bus refuses one for good is an error only of the feedback that it is of.
func (k *Keeper) tell(ctx context.Context, of moothall.EventID) (refused error) {
	k.telling.Lock()
	defer k.telling.Unlock()
	k.behind.Store(true)
	for {
		batch, err := k.untold(ctx)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			k.behind.Store(false)
			return refused
		}
		for _, u := range batch {
			no, err := k.tellOne(ctx, u)
			if err != nil {
				return err
			}
			if u.id == string(of) {
				refused = no
			}
		}
	}
}

// tellOne tells one, or gives it up with why the bus will never take it.
func (k *Keeper) tellOne(ctx context.Context, u untold) (refused, err error) {
	if !u.stale && k.o.Publish != nil {
		err = k.o.Publish(ctx, u.event)
	}
	switch moothall.ErrorCode(err) {
	case "":
		return nil, k.mark(ctx, u)
	case moothall.CodeInvalid, moothall.CodeTooLarge:
		// No repetition helps, and those behind it must not wait for ever.
		k.o.Logger.Error("a reward was refused by the bus and is given up", "event", u.event.ID, "err", err)
		return err, k.mark(ctx, u)
	}
	return nil, err
}

func (k *Keeper) untold(ctx context.Context) ([]untold, error) {
	var out []untold
	err := k.o.DB.Read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT f.event, f.query, f.respondent, f.body, EXISTS (SELECT 1 FROM reward_feedback l
			WHERE l.query = f.query AND l.respondent = f.respondent AND l.told = 1 AND l.rated = 1 AND (l.at, l.event) > (f.at, f.event))
			FROM reward_feedback f WHERE f.told = 0 ORDER BY f.at, f.event LIMIT 64`)
		if err != nil {
			return err
		}
		for rows.Next() {
			var u untold
			var body string
			if err := rows.Scan(&u.id, &u.query, &u.by, &body, &u.stale); err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(body), &u.event); err != nil {
				return &moothall.Error{Code: moothall.CodeCorrupt, Op: "tell reward", Message: "a stored reward cannot be read", Err: err}
			}
			out = append(out, u)
		}
		return rows.Err()
	})
	return out, err
}

// mark notes that an event was told, and lets go of feedback that no longer
// counts for anything.
func (k *Keeper) mark(ctx context.Context, u untold) error {
	return k.o.DB.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE reward_feedback SET told = 1 WHERE event = ?`, u.id); err != nil {
			return err
		}
		q, r := moothall.QueryID(u.query), moothall.RespondentID(u.by)
		all, err := feedbackOn(ctx, tx, q, r)
		if err != nil {
			return err
		}
		var there bool // false when the answer has gone in the meantime
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM reward_rows WHERE query = ? AND respondent = ?)`, u.query, u.by).Scan(&there); err != nil {
			return err
		}
		rated := lastRated(all)
		for i, s := range all {
			if !s.told || there && (i == rated || i == len(all)-1) {
				continue
			}
			if _, err := tx.Exec(ctx, `DELETE FROM reward_feedback WHERE event = ?`, s.event); err != nil {
				return err
			}
		}
		return nil
	})
}
