package reward

import (
	"context"

	"moothall"
	"moothall/internal/store"
)

// step bounds how long one removal keeps other writes waiting.
const step = 200

// retain removes the oldest rows while there are more than may be kept. Unless
// it is to count first, it goes by the number that it remembers.
func (k *Keeper) retain(ctx context.Context, count bool) error {
	most := int64(k.o.MaxRows)
	if count {
		if err := k.forgetSources(ctx); err != nil {
			return err
		}
	}
	for count || k.rows.Load() > most {
		count = false
		var left int64
		err := k.o.DB.Write(ctx, func(tx *store.Tx) error {
			if err := tx.QueryRow(ctx, `SELECT count(*) FROM reward_rows`).Scan(&left); err != nil || left <= most {
				return err
			}
			// A little more than needed, so that not every event counts rows.
			n, err := remove(ctx, tx, `SELECT query, respondent FROM reward_rows ORDER BY at, query, respondent LIMIT ?`,
				min(left-most+min(most/100, step), 2*step))
			left -= n
			return err
		})
		if err != nil {
			return err
		}
		k.rows.Store(left)
	}
	return nil
}

// forgetSources removes the names that no answer bears any more.
func (k *Keeper) forgetSources(ctx context.Context) error {
	return k.o.DB.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM reward_sources WHERE id NOT IN (SELECT source FROM reward_rows)`)
		return err
	})
}

// Forget removes what is known of a conversation's answers, and returns how
// many they were. Rewards that are still to be told are told.
func (k *Keeper) Forget(ctx context.Context, session moothall.SessionID) (int, error) {
	leave, err := k.enter("forget scores")
	if err != nil {
		return 0, err
	}
	defer leave()
	var n int64
	err = k.o.DB.Write(ctx, func(tx *store.Tx) (err error) {
		n, err = remove(ctx, tx, `SELECT query, respondent FROM reward_rows WHERE session = ?`, string(session))
		return err
	})
	if err != nil {
		return 0, err
	}
	k.rows.Add(-n)
	return int(n), nil
}

// remove deletes the rows that a query names, with what they stand on.
func remove(ctx context.Context, tx *store.Tx, which string, args ...any) (int64, error) {
	rows, err := tx.Query(ctx, which, args...)
	if err != nil {
		return 0, err
	}
	var gone [][2]string
	for rows.Next() {
		var id [2]string
		if err := rows.Scan(&id[0], &id[1]); err != nil {
			return 0, err
		}
		gone = append(gone, id)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, id := range gone {
		if err := removeOne(ctx, tx, id[0], id[1]); err != nil {
			return 0, err
		}
	}
	return int64(len(gone)), nil
}

func removeOne(ctx context.Context, tx *store.Tx, query, respondent string) error {
	for _, statement := range []string{
		`DELETE FROM reward_rows WHERE query = ? AND respondent = ?`,
		`DELETE FROM reward_facts WHERE query = ? AND respondent = ?`,
		`DELETE FROM reward_feedback WHERE query = ? AND respondent = ? AND told = 1`,
	} {
		if _, err := tx.Exec(ctx, statement, query, respondent); err != nil {
			return err
		}
	}
	// The comparison goes with the last of the turn's answers.
	_, err := tx.Exec(ctx, `DELETE FROM reward_facts WHERE query = ?1 AND respondent = ''
		AND NOT EXISTS (SELECT 1 FROM reward_rows WHERE query = ?1)`, query)
	return err
}
