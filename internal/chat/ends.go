package chat

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"moothall"
	"moothall/internal/store"
)

// ends counts the beginnings and ends of turns that are durable and not yet
// where they belong. Who looks into a conversation, or changes one, brings them
// there first.
type ends struct {
	mu   sync.Mutex
	made uint64                        // one more when one is in its table
	done uint64                        // so many of these are in their places
	last map[moothall.SessionID]uint64 // the latest of a session that is not
}

// add notes one that is in its table.
func (e *ends) add(of moothall.SessionID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		e.last = map[moothall.SessionID]uint64{}
	}
	e.made++
	e.last[of] = e.made
}

// since says up to where there are some, and whether any is out of place.
func (e *ends) since() (made uint64, some bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.made, e.made > e.done
}

// has reports whether one of a session is out of place.
func (e *ends) has(of moothall.SessionID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last[of] > 0
}

// brought notes that all up to made are in their places.
func (e *ends) brought(made uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done = max(e.done, made)
	maps.DeleteFunc(e.last, func(_ moothall.SessionID, n uint64) bool { return n <= e.done })
}

// beginning is a question before anything is done about it.
type beginning struct {
	Session moothall.SessionID `json:"session_id"`
	Query   moothall.QueryID   `json:"query_id"`
	Asked   string             `json:"asked"`
	Retry   moothall.QueryID   `json:"retry,omitempty"`
	Manner  manner             `json:"manner,omitzero"`
	Inbox   bool               `json:"inbox,omitempty"`
	Input   moothall.Message   `json:"input"`
	At      int64              `json:"at"`
}

// begin notes a question before anything is done about it.
func (s *sessions) begin(ctx context.Context, t *turn, input moothall.Message) error {
	return s.leave(ctx, t.session, `INSERT INTO chat_ends (begun, ended) VALUES (?, '')`,
		beginning{t.session, t.query, t.request.Query, t.request.Retry, mannerOf(t.request), t.inbox, input, s.now().UnixMilli()})
}

// end is how a turn ended.
type end struct {
	Answer moothall.Answer    `json:"answer"`
	Add    []moothall.Message `json:"add,omitempty"` // to the conversation
	At     int64              `json:"at"`
}

// finish ends a turn with its answer, which is to be told, and with what it
// adds to the conversation.
func (s *sessions) finish(ctx context.Context, a moothall.Answer, add []moothall.Message) error {
	return s.leave(ctx, a.Session, `INSERT INTO chat_ends (ended) VALUES (?)`, end{a, add, s.now().UnixMilli()})
}

// leave makes the beginning or the end of a turn durable in one row, from where
// it is brought to its place when nobody waits for it.
func (s *sessions) leave(ctx context.Context, of moothall.SessionID, insert string, what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "keep turn", Err: err}
	}
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, insert, string(text))
		return err
	})
	if err == nil {
		s.ends.add(of)
	}
	return err
}

// write changes conversations.
func (s *sessions) write(ctx context.Context, f func(*store.Tx) error) error {
	made, some := s.ends.since()
	err := s.db.Write(ctx, func(tx *store.Tx) error {
		if some {
			if err := bring(ctx, tx); err != nil {
				return err
			}
		}
		return f(tx)
	})
	if err == nil {
		s.ends.brought(made)
	}
	return err
}

// read looks into conversations. On a full disk an end that waits is not seen,
// and everything else is.
func (s *sessions) read(ctx context.Context, f func(*store.Tx) error) error {
	_ = s.settle(ctx) // it is tried again by all who come
	return s.db.Read(ctx, f)
}

// readOne looks into one conversation, all of which has to be there: it is to
// be gone on with.
func (s *sessions) readOne(ctx context.Context, id moothall.SessionID, f func(*store.Tx) error) error {
	if s.ends.has(id) {
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
	return s.db.Read(ctx, f)
}

// settle brings the ends of turns to their places.
func (s *sessions) settle(ctx context.Context) error {
	if _, some := s.ends.since(); !some {
		return nil
	}
	return s.write(ctx, func(*store.Tx) error { return nil })
}

// brings is what knows its place.
type brings interface {
	bring(context.Context, *store.Tx) error
}

// bring moves all that waits to its place, in the order in which it came.
func bring(ctx context.Context, tx *store.Tx) error {
	rows, err := tx.Query(ctx, `SELECT id, begun, ended FROM chat_ends ORDER BY id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var last int64
	var list []brings
	for rows.Next() {
		var begun, ended string
		if err := rows.Scan(&last, &begun, &ended); err != nil {
			return err
		}
		one, text := brings(&end{}), ended
		if begun != "" {
			one, text = &beginning{}, begun
		}
		if err := json.Unmarshal([]byte(text), one); err != nil {
			return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read turn", Message: "a turn of the conversation cannot be read", Err: err}
		}
		list = append(list, one)
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		return err
	}
	for _, one := range list {
		if err := one.bring(ctx, tx); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, `DELETE FROM chat_ends WHERE id <= ?`, last)
	return err
}

// bring writes a question into its session, which is made when it is new. What
// is asked again takes the place of what was asked.
func (b *beginning) bring(ctx context.Context, tx *store.Tx) error {
	session, query := string(b.Session), string(b.Query)
	if _, err := tx.Exec(ctx, `INSERT INTO chat_sessions (id, title, created, updated) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET updated = excluded.updated`, session, titleOf(b.Asked), b.At, b.At); err != nil {
		return err
	}
	how, err := json.Marshal(b.Manner)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "keep turn", Err: err}
	}
	r, err := tx.Exec(ctx, `INSERT INTO chat_turns (query_id, session, asked, manner, state, began) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		query, session, b.Asked, string(how), string(turnRunning), b.At)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 { // one that is there twice keeps no other from its place
		return err
	}
	if b.Retry != "" {
		if _, err := tx.Exec(ctx, `UPDATE chat_messages SET live = 0, gone = (SELECT max(n) + 1 FROM chat_messages WHERE session = ?1)
			WHERE session = ?1 AND query = ?2 AND live = 1`, session, string(b.Retry)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE chat_turns SET replaced = 1, successor = ?3 WHERE session = ?1 AND (query_id = ?2 OR successor = ?2)`,
			session, string(b.Retry), query); err != nil {
			return err
		}
	}
	if b.Inbox {
		if _, err := tx.Exec(ctx, `DELETE FROM chat_inbox WHERE query_id = ?`, query); err != nil {
			return err
		}
	}
	return appendMessages(ctx, tx, b.Session, b.Query, []moothall.Message{b.Input})
}

// bring writes an end where it belongs. Its conversation may have been deleted
// meanwhile.
func (e *end) bring(ctx context.Context, tx *store.Tx) error {
	a := &e.Answer
	text, err := encodeAnswer(*a)
	if err != nil {
		return err
	}
	r, err := tx.Exec(ctx, `UPDATE chat_turns SET state = ?, ended = ?, answer = ?, told = 0 WHERE query_id = ?`, string(turnDone), e.At, text, string(a.Query))
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := appendMessages(ctx, tx, a.Session, a.Query, e.Add); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE chat_sessions SET updated = ?, labels = ? WHERE id = ?`, e.At, a.Receipt.Labels.String(), string(a.Session))
	return err
}
