package chat

import (
	"cmp"
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
	db   *store.DB
	now  func() time.Time
	ends ends
}

// turnState is how far a turn got.
type turnState string

const (
	turnRunning     turnState = "running"
	turnDone        turnState = "done"
	turnInterrupted turnState = "interrupted" // the hall stopped or died in the middle
)

// before returns what stands in a session before a question, whether that is
// there yet or not, and without the one that it asks again: the last answer,
// where there is one, and the conversation.
func (s *sessions) before(ctx context.Context, session moothall.SessionID, query, again moothall.QueryID) (last moothall.Answer, out []moothall.Message, err error) {
	err = s.readOne(ctx, session, func(tx *store.Tx) error {
		ctx := context.WithoutCancel(ctx) // one look by a key each
		if last, err = lastAnswer(ctx, tx, session, query, again); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT message FROM chat_messages WHERE session = ? AND live = 1 AND query NOT IN (?, ?) ORDER BY n`,
			string(session), string(query), cmp.Or(string(again), string(query)))
		if err != nil {
			return err
		}
		out, err = readMessages(rows)
		return err
	})
	return last, out, err
}

// lastAnswer is the answer that the session's next question may speak of: none
// that was asked for again, nor the one that it asks for again.
func lastAnswer(ctx context.Context, tx *store.Tx, session moothall.SessionID, but, again moothall.QueryID) (moothall.Answer, error) {
	var text string
	err := tx.QueryRow(ctx, `SELECT coalesce(answer, '') FROM chat_turns WHERE session = ? AND replaced = 0 AND query_id NOT IN (?, ?) ORDER BY began DESC, query_id DESC LIMIT 1`,
		string(session), string(but), string(again)).Scan(&text)
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
	return s.write(ctx, func(tx *store.Tx) error { return appendMessages(ctx, tx, session, query, messages) })
}

func appendMessages(ctx context.Context, tx *store.Tx, session moothall.SessionID, query moothall.QueryID, messages []moothall.Message) error {
	for _, m := range messages {
		text, err := json.Marshal(m)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInternal, Op: "keep message", Err: err}
		}
		if _, err := tx.Exec(ctx, `INSERT INTO chat_messages (session, n, query, message)
			SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3 FROM chat_messages WHERE session = ?1`,
			string(session), string(query), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// amend replaces the answer of a turn that has ended.
func (s *sessions) amend(ctx context.Context, a moothall.Answer) error {
	text, err := encodeAnswer(a)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE chat_turns SET answer = ? WHERE query_id = ?`, text, string(a.Query))
		return err
	})
}

func encodeAnswer(a moothall.Answer) (string, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return "", &moothall.Error{Code: moothall.CodeInternal, Op: "keep answer", Err: err}
	}
	return string(text), nil
}

// interrupt marks what was running when the hall last stopped, and returns
// how many turns that were.
func (s *sessions) interrupt(ctx context.Context) (n int64, err error) {
	err = s.write(ctx, func(tx *store.Tx) error {
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

// conversation is one as it stands. Its last place only grows: a turn that is
// asked again takes as many messages away as it adds.
type conversation struct {
	messages []moothall.Message
	last     int64 // n of the last one
}

// conversation returns one as the model sees it.
func (s *sessions) conversation(ctx context.Context, session moothall.SessionID) (out conversation, err error) {
	err = s.readOne(ctx, session, func(tx *store.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(n), 0) FROM chat_messages WHERE session = ? AND live = 1`, string(session)).Scan(&out.last); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT message FROM chat_messages WHERE session = ? AND live = 1 ORDER BY n`, string(session))
		if err != nil {
			return err
		}
		out.messages, err = readMessages(rows)
		return err
	})
	return out, err
}

// history returns the conversation up to a query's own messages as it was when
// that was asked, whatever stands for it now.
func (s *sessions) history(ctx context.Context, session moothall.SessionID, before moothall.QueryID) (out []moothall.Message, err error) {
	err = s.readOne(ctx, session, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT message FROM chat_messages, (SELECT min(n) AS here FROM chat_messages WHERE session = ?1 AND query = ?2)
			WHERE session = ?1 AND n < here AND (live = 1 OR gone > here) ORDER BY n`, string(session), string(before))
		if err != nil {
			return err
		}
		out, err = readMessages(rows)
		return err
	})
	return out, err
}

func readMessages(rows *store.Rows) (out []moothall.Message, err error) {
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		var m moothall.Message
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return nil, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read message", Message: "a message of the conversation cannot be read", Err: err}
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// replace puts notes in place of the live messages but the last few, which
// stay those of their turns, unless the conversation has gone on since it was
// read; false then.
func (s *sessions) replace(ctx context.Context, session moothall.SessionID, was conversation, notes []moothall.Message, keep int) (done bool, err error) {
	err = s.write(ctx, func(tx *store.Tx) error {
		var live int
		var last int64
		if err := tx.QueryRow(ctx, `SELECT count(*), coalesce(max(n), 0) FROM chat_messages WHERE session = ? AND live = 1`, string(session)).Scan(&live, &last); err != nil {
			return err
		}
		if live != len(was.messages) || last != was.last {
			return nil
		}
		done = true
		if err := appendMessages(ctx, tx, session, "", notes); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO chat_messages (session, n, query, message)
			SELECT session, ?2 + ?3 + row_number() OVER (ORDER BY n), query, message FROM
			(SELECT * FROM chat_messages WHERE session = ?1 AND live = 1 AND n <= ?2 ORDER BY n DESC LIMIT ?4)`,
			string(session), last, len(notes), keep); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE chat_messages SET live = 0, gone = ?2 + 1 WHERE session = ?1 AND live = 1 AND n <= ?2`, string(session), last)
		return err
	})
	return done && err == nil, err
}
