package critic

import (
	"context"
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/store"
)

const (
	kindCritique = "critique"
	kindPairwise = "pairwise"

	stateWaiting = "waiting"
	stateReady   = "ready"
	stateStored  = "stored"
	stateOver    = "over"
)

// critiqueID and pairwiseID name jobs, and the events that tell their results.
func critiqueID(q moothall.QueryID, r moothall.RespondentID) string {
	return "critique-" + string(q) + "-" + string(r)
}

func pairwiseID(q moothall.QueryID) string { return "pairwise-" + string(q) }

// job is one row.
type job struct {
	id         string
	kind       string
	query      moothall.QueryID
	respondent moothall.RespondentID
	session    moothall.SessionID
	state      string
	created    time.Time
	due        time.Time
	taken      time.Time // when it was counted against the budget
	attempts   int
	cause      string
	rubric     string
	question   string
	answer     string
	outcome    string
	reason     string
	result     string
}

const columns = `id, kind, query, respondent, session, state, created, due, taken, attempts, cause, rubric, question, answer, outcome, reason, result`

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// insert reports whether the job is new.
func (j *job) insert(ctx context.Context, tx *store.Tx) (bool, error) {
	res, err := tx.Exec(ctx, `INSERT INTO critic_jobs (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		j.id, j.kind, string(j.query), string(j.respondent), string(j.session), j.state, millis(j.created), millis(j.due), millis(j.taken), j.attempts,
		j.cause, j.rubric, j.question, j.answer, j.outcome, j.reason, j.result)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// update writes what changes in a pair when its second answer comes.
func (j *job) update(ctx context.Context, tx *store.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE critic_jobs SET state = ?, due = ?, taken = ?, outcome = ?, reason = ? WHERE id = ?`,
		j.state, millis(j.due), millis(j.taken), j.outcome, j.reason, j.id)
	return err
}

type scanner interface{ Scan(...any) error }

func (j *job) scan(row scanner) error {
	var created, due, taken int64
	err := row.Scan(&j.id, &j.kind, &j.query, &j.respondent, &j.session, &j.state, &created, &due, &taken, &j.attempts,
		&j.cause, &j.rubric, &j.question, &j.answer, &j.outcome, &j.reason, &j.result)
	j.created, j.due = time.UnixMilli(created), time.UnixMilli(due)
	if taken > 0 {
		j.taken = time.UnixMilli(taken)
	}
	return err
}

// load reads one job; false: there is none.
func load(ctx context.Context, tx *store.Tx, id string) (job, bool, error) {
	var j job
	err := j.scan(tx.QueryRow(ctx, `SELECT `+columns+` FROM critic_jobs WHERE id = ?`, id))
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return job{}, false, nil
	}
	return j, err == nil, err
}

func takenSince(ctx context.Context, tx *store.Tx, since time.Time) (n int, err error) {
	err = tx.QueryRow(ctx, `SELECT count(*) FROM critic_jobs WHERE taken > ?`, since.UnixMilli()).Scan(&n)
	return n, err
}

// jobs is the table.
type jobs struct{ db *store.DB }

// resume prepares what an earlier process left: results are told at once, and
// pairs wait anew, since the other answer may not have been delivered yet.
func (t jobs) resume(ctx context.Context, now, until time.Time) error {
	return t.db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE critic_jobs SET due = ? WHERE state = 'stored'`, now.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE critic_jobs SET due = max(due, ?) WHERE state = 'waiting'`, until.UnixMilli())
		return err
	})
}

// next returns the first open job that is not busy, due or not. With
// tellOnly, only results are to be told.
func (t jobs) next(ctx context.Context, busy map[string]bool, tellOnly bool) (j job, found bool, err error) {
	err = t.db.Read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, state FROM critic_jobs WHERE state <> 'over' ORDER BY due`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, state string
			if err := rows.Scan(&id, &state); err != nil {
				return err
			}
			if busy[id] || tellOnly && state != stateStored {
				continue
			}
			if err := rows.Close(); err != nil {
				return err
			}
			j, found, err = load(ctx, tx, id)
			return err
		}
		return rows.Err()
	})
	return j, found, err
}

// change runs one update of a job that is in the state given, and reports
// whether it still was: it may have been forgotten or moved on.
func (t jobs) change(ctx context.Context, id, state, set string, args ...any) (bool, error) {
	var n int64
	err := t.db.Write(ctx, func(tx *store.Tx) error {
		res, err := tx.Exec(ctx, `UPDATE critic_jobs SET `+set+` WHERE id = ? AND state = ?`, append(args, id, state)...)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n == 1, err
}

// texts returns the answers of a pair.
func (t jobs) texts(ctx context.Context, q moothall.QueryID) (a, b job, err error) {
	err = t.db.Read(ctx, func(tx *store.Tx) error {
		var there bool
		if a, there, err = load(ctx, tx, critiqueID(q, respondentA)); err != nil || !there {
			return err
		}
		b, _, err = load(ctx, tx, critiqueID(q, respondentB))
		return err
	})
	return a, b, err
}

// before returns the answer that the person was given before the one of a job,
// in the same conversation; not one to the same question, which was asked again,
// and none whose text is kept no more.
func (t jobs) before(ctx context.Context, j *job) (last job, there bool, err error) {
	err = t.db.Read(ctx, func(tx *store.Tx) error {
		err := last.scan(tx.QueryRow(ctx, `SELECT `+columns+` FROM critic_jobs WHERE session = ?1 AND kind = 'critique' AND respondent = 'A'
			AND question NOT IN ('', ?2) AND answer <> ''
			AND rowid < (SELECT min(rowid) FROM critic_jobs WHERE id IN (?3, ?4)) ORDER BY rowid DESC LIMIT 1`,
			string(j.session), j.question, critiqueID(j.query, respondentA), j.id))
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			return nil
		}
		there = err == nil
		return err
	})
	return last, there, err
}

func (t jobs) critique(ctx context.Context, id string) (out moothall.Critique, found bool, err error) {
	var j job
	err = t.db.Read(ctx, func(tx *store.Tx) error {
		j, found, err = load(ctx, tx, id)
		return err
	})
	if err != nil || j.result == "" {
		return out, false, err
	}
	if err := json.Unmarshal([]byte(j.result), &out); err != nil {
		return out, false, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read grade", Message: "a stored grade cannot be read", Err: err}
	}
	return out, true, nil
}

func (t jobs) forget(ctx context.Context, s moothall.SessionID) error {
	return t.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM critic_jobs WHERE session = ?`, string(s))
		return err
	})
}

// sweep drops texts that nobody judges any more and rows that are old.
func (t jobs) sweep(ctx context.Context, texts, rows time.Time) error {
	return t.db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE critic_jobs SET question = '', answer = ''
			WHERE created < ? AND created >= ? AND state = 'over' AND (question <> '' OR answer <> '')
			AND NOT EXISTS (SELECT 1 FROM critic_jobs p WHERE p.id = 'pairwise-' || critic_jobs.query AND p.state <> 'over')`, texts.UnixMilli(), rows.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM critic_jobs WHERE created < ? AND state = 'over'`, rows.UnixMilli())
		return err
	})
}

// open counts the jobs that are not over.
func (t jobs) open(ctx context.Context) (pending, waiting int, err error) {
	err = t.db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE state <> 'waiting'), count(*) FILTER (WHERE state = 'waiting')
			FROM critic_jobs WHERE state <> 'over'`).Scan(&pending, &waiting)
	})
	return pending, waiting, err
}
