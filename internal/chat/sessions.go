package chat

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"moothall"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that conversations are kept in.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "chat", Files: files}
}

// sessions keeps conversations in the database.
type sessions struct {
	db  *store.DB
	now func() time.Time
}

// turnState is how far a turn got.
type turnState string

const (
	turnRunning     turnState = "running"
	turnDone        turnState = "done"
	turnInterrupted turnState = "interrupted" // the hall stopped or died in the middle
)

// begin notes a question before anything is done about it, makes the session
// when it is new, and returns the answer before, where there is one. What is
// asked again takes the place of what was asked.
func (s *sessions) begin(ctx context.Context, session moothall.SessionID, query moothall.QueryID, r moothall.QueryRequest, input moothall.Message, onRecord <-chan error) (before moothall.Answer, err error) {
	now := s.now().UnixMilli()
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO chat_sessions (id, title, created, updated) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET updated = excluded.updated`, string(session), titleOf(r.Query), now, now); err != nil {
			return err
		}
		if before, err = lastAnswer(ctx, tx, session, r.Retry); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO chat_turns (query_id, session, asked, state, began) VALUES (?, ?, ?, ?, ?)`,
			string(query), string(session), r.Query, string(turnRunning), now); err != nil {
			return err
		}
		if r.Retry != "" {
			if _, err := tx.Exec(ctx, `UPDATE chat_messages SET live = 0 WHERE session = ? AND query = ?`, string(session), string(r.Retry)); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `DELETE FROM chat_inbox WHERE query_id = ?`, string(query)); err != nil {
			return err
		}
		if err := appendMessages(ctx, tx, session, query, []moothall.Message{input}); err != nil {
			return err
		}
		return <-onRecord // what is not on record has not been asked
	})
	return before, err
}

// lastAnswer is the answer that the session's next question may speak of, not
// the one that it asks for again.
func lastAnswer(ctx context.Context, tx *store.Tx, session moothall.SessionID, but moothall.QueryID) (moothall.Answer, error) {
	var text string
	err := tx.QueryRow(ctx, `SELECT coalesce(answer, '') FROM chat_turns WHERE session = ? AND query_id <> ? ORDER BY began DESC, query_id DESC LIMIT 1`,
		string(session), string(but)).Scan(&text)
	if moothall.ErrorCode(err) == moothall.CodeNotFound || err == nil && text == "" {
		return moothall.Answer{}, nil
	}
	if err != nil {
		return moothall.Answer{}, err
	}
	return decodeAnswer(text)
}

func decodeAnswer(text string) (a moothall.Answer, err error) {
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read answer", Message: "an answer of the conversation cannot be read", Err: err}
	}
	return a, nil
}

// titleOf is a conversation's name until a person gives it one: the first
// words of the first question.
func titleOf(asked string) string {
	line := strings.Join(strings.Fields(asked), " ")
	const most = 60
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	cut := string([]rune(line)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// add appends messages of a finished round to the conversation.
func (s *sessions) add(ctx context.Context, session moothall.SessionID, query moothall.QueryID, messages []moothall.Message) error {
	return s.db.Write(ctx, func(tx *store.Tx) error { return appendMessages(ctx, tx, session, query, messages) })
}

func appendMessages(ctx context.Context, tx *store.Tx, session moothall.SessionID, query moothall.QueryID, messages []moothall.Message) error {
	var next int64
	if err := tx.QueryRow(ctx, `SELECT coalesce(max(n), 0) + 1 FROM chat_messages WHERE session = ?`, string(session)).Scan(&next); err != nil {
		return err
	}
	for i, m := range messages {
		text, err := json.Marshal(m)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInternal, Op: "keep message", Err: err}
		}
		if _, err := tx.Exec(ctx, `INSERT INTO chat_messages (session, n, query, message) VALUES (?, ?, ?, ?)`,
			string(session), next+int64(i), string(query), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// finish ends a turn with its answer, which is to be told, and with what it
// adds to the conversation.
func (s *sessions) finish(ctx context.Context, a moothall.Answer, add []moothall.Message) error {
	text, err := json.Marshal(a)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "keep answer", Err: err}
	}
	now := s.now().UnixMilli()
	return s.db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE chat_turns SET state = ?, ended = ?, answer = ?, told = 0 WHERE query_id = ?`,
			string(turnDone), now, string(text), string(a.Query)); err != nil {
			return err
		}
		if len(add) > 0 {
			if err := appendMessages(ctx, tx, a.Session, a.Query, add); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE chat_sessions SET updated = ?, labels = ? WHERE id = ?`, now, a.Receipt.Labels.String(), string(a.Session))
		return err
	})
}

// interrupt marks what was running when the hall last stopped, and returns
// how many turns that were.
func (s *sessions) interrupt(ctx context.Context) (n int64, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		r, err := tx.Exec(ctx, `UPDATE chat_turns SET state = ?, ended = ? WHERE state = ?`,
			string(turnInterrupted), s.now().UnixMilli(), string(turnRunning))
		if err != nil {
			return err
		}
		n, err = r.RowsAffected()
		return err
	})
	return n, err
}

// history returns the conversation as the model sees it, up to a query's own
// messages when one is named.
func (s *sessions) history(ctx context.Context, session moothall.SessionID, before moothall.QueryID) (out []moothall.Message, err error) {
	err = s.db.Read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT message FROM chat_messages WHERE session = ? AND live = 1
			AND (? = '' OR n < (SELECT min(n) FROM chat_messages WHERE session = ? AND query = ?)) ORDER BY n`,
			string(session), string(before), string(session), string(before))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			var m moothall.Message
			if err := json.Unmarshal([]byte(text), &m); err != nil {
				return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read message", Message: "a message of the conversation cannot be read", Err: err}
			}
			out = append(out, m)
		}
		return rows.Err()
	})
	return out, err
}

// replace puts a compacted history in place of the live one, unless the
// conversation has gone on since it was read; false then.
func (s *sessions) replace(ctx context.Context, session moothall.SessionID, was int, with []moothall.Message) (done bool, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		var live int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM chat_messages WHERE session = ? AND live = 1`, string(session)).Scan(&live); err != nil {
			return err
		}
		if live != was {
			return nil
		}
		done = true
		if _, err := tx.Exec(ctx, `UPDATE chat_messages SET live = 0 WHERE session = ? AND live = 1`, string(session)); err != nil {
			return err
		}
		return appendMessages(ctx, tx, session, "", with)
	})
	return done && err == nil, err
}
