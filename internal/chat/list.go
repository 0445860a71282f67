package chat

import (
	"context"
	"errors"
	"time"

	"moothall"
	"moothall/internal/store"
)

const sessionColumns = `s.id, s.title, s.created, s.updated, s.labels,
	(SELECT count(*) FROM chat_turns t WHERE t.session = s.id AND t.replaced = 0),
	coalesce((SELECT t.state FROM chat_turns t WHERE t.session = s.id ORDER BY t.began DESC, t.query_id DESC LIMIT 1), '')`

// scanner is a row or the current one of several.
type scanner interface{ Scan(...any) error }

func scanSession(r scanner) (moothall.Session, error) {
	var out moothall.Session
	var created, updated int64
	var labels, state string
	if err := r.Scan(&out.ID, &out.Title, &created, &updated, &labels, &out.Turns, &state); err != nil {
		return out, err
	}
	out.Created, out.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	out.State = "idle"
	if turnState(state) == turnInterrupted {
		out.State = string(turnInterrupted)
	}
	var err error
	out.Labels, err = moothall.ParseLabel(labels)
	return out, err
}

// list returns the conversations, the one used last first.
func (s *sessions) list(ctx context.Context) (out []moothall.Session, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT `+sessionColumns+` FROM chat_sessions s ORDER BY s.updated DESC, s.id DESC`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			one, err := scanSession(rows)
			if err != nil {
				return err
			}
			out = append(out, one)
		}
		return rows.Err()
	})
	return out, err
}

// get returns one conversation without its messages.
func (s *sessions) get(ctx context.Context, id moothall.SessionID) (out moothall.Session, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		out, err = scanSession(tx.QueryRow(ctx, `SELECT `+sessionColumns+` FROM chat_sessions s WHERE s.id = ?`, string(id)))
		return err
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		err = noSession(id)
	}
	return out, err
}

func noSession(id moothall.SessionID) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: "session", Message: "there is no session " + string(id),
		Remedy: "moothall sessions lists those that there are",
	}
}

// rename gives a conversation a name.
func (s *sessions) rename(ctx context.Context, id moothall.SessionID, title string) error {
	return s.write(ctx, func(tx *store.Tx) error {
		return touch(ctx, tx, id, `UPDATE chat_sessions SET title = ? WHERE id = ?`, title, string(id))
	})
}

// remove deletes a conversation with everything in it, and notes that others may
// still keep something of it.
func (s *sessions) remove(ctx context.Context, id moothall.SessionID) error {
	return s.write(ctx, func(tx *store.Tx) error {
		if err := touch(ctx, tx, id, `DELETE FROM chat_sessions WHERE id = ?`, string(id)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT OR IGNORE INTO chat_deleted (session) VALUES (?)`, string(id))
		return err
	})
}

// deleted lists the conversations that others may still keep something of. One
// that was begun again under its name is not among them.
func (s *sessions) deleted(ctx context.Context) (out []moothall.SessionID, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT session FROM chat_deleted WHERE session NOT IN (SELECT id FROM chat_sessions)`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id moothall.SessionID
			if err := rows.Scan(&id); err != nil {
				return err
			}
			out = append(out, id)
		}
		return rows.Err()
	})
	return out, err
}

// forgotten notes that nobody keeps anything of a conversation any more.
func (s *sessions) forgotten(ctx context.Context, id moothall.SessionID) error {
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM chat_deleted WHERE session = ?`, string(id))
		return err
	})
}

// touch changes one session, which must be there.
func touch(ctx context.Context, tx *store.Tx, id moothall.SessionID, query string, args ...any) error {
	r, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, noSession(id))
	}
	return nil
}
