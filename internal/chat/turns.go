package chat

import (
	"context"
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/store"
)

// past is a turn as the database has it.
type past struct {
	session moothall.SessionID
	asked   string
	began   time.Time
	manner  manner
	state   turnState
	answer  moothall.Answer // without an id when there is none
}

// turn returns one turn.
func (s *sessions) turn(ctx context.Context, id moothall.QueryID) (out past, err error) {
	var answer, state, how string
	var began int64
	err = s.read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT session, asked, began, manner, state, coalesce(answer, '') FROM chat_turns WHERE query_id = ?`, string(id)).
			Scan(&out.session, &out.asked, &began, &how, &state, &answer)
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return out, noTurn(id)
	}
	if err == nil {
		out.began = time.UnixMilli(began).UTC()
	}
	if err == nil && answer != "" {
		out.answer, err = decodeAnswer(answer)
	}
	if err == nil && json.Unmarshal([]byte(how), &out.manner) != nil {
		err = moothall.Fail(moothall.CodeCorrupt, "turn", "how turn "+string(id)+" was asked cannot be read")
	}
	out.state = turnState(state)
	return out, err
}

func noTurn(id moothall.QueryID) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: "turn", Message: "there is no turn " + string(id),
		Remedy: "moothall sessions show ID prints the query_id of each turn of a conversation",
	}
}

// latest returns the turn that stands in the place of one: itself, until it is
// asked again.
func (s *sessions) latest(ctx context.Context, session moothall.SessionID, id moothall.QueryID) (out moothall.QueryID, err error) {
	err = s.readOne(ctx, session, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(nullif(successor, ''), query_id) FROM chat_turns WHERE query_id = ?`, string(id)).Scan(&out)
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		err = noTurn(id) // its conversation was deleted meanwhile
	}
	return out, err
}

// context returns what went with a turn's question.
func (s *sessions) context(ctx context.Context, id moothall.QueryID, t past) (string, error) {
	var input []moothall.Message
	err := s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT message FROM chat_messages WHERE session = ? AND query = ? ORDER BY n LIMIT 1`, string(t.session), string(id))
		if err != nil {
			return err
		}
		input, err = readMessages(rows)
		return err
	})
	if err != nil || len(input) == 0 {
		return "", err
	}
	return contextOf(input[0], t.asked), nil
}

// turns lists a session's turns with their answers, the oldest first, but for
// those that were asked again.
func (s *sessions) turns(ctx context.Context, session moothall.SessionID) (out []moothall.Turn, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT t.query_id, t.asked, t.state, t.began, coalesce(t.answer, ''), coalesce(b.answer, '')
			FROM chat_turns t LEFT JOIN chat_shadows b ON b.query_id = t.query_id
			WHERE t.session = ? AND t.replaced = 0 ORDER BY t.began, t.query_id, b.respondent`, string(session))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var t moothall.Turn
			var began int64
			var answers [2]string
			if err := rows.Scan(&t.Query, &t.Asked, &t.State, &began, &answers[0], &answers[1]); err != nil {
				return err
			}
			t.Time = time.UnixMilli(began).UTC()
			for _, text := range answers {
				if text == "" {
					continue
				}
				a, err := decodeAnswer(text)
				if err != nil {
					return err
				}
				t.Answers = append(t.Answers, a)
			}
			out = append(out, t)
		}
		return rows.Err()
	})
	return out, err
}

// asked returns when the question of an answer was asked; false: its turn is not there.
func (s *sessions) asked(ctx context.Context, a *moothall.Answer) (at time.Time, there bool, err error) {
	var began int64
	err = s.readOne(ctx, a.Session, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT began FROM chat_turns WHERE query_id = ?`, string(a.Query)).Scan(&began)
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, err
	}
	return time.UnixMilli(began).UTC(), true, nil
}

// told notes that an answer has been told.
func (s *sessions) told(ctx context.Context, a *moothall.Answer) error {
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE chat_turns SET told = 1 WHERE query_id = ? AND ? = 'A'`, string(a.Query), string(a.Respondent))
		if err == nil {
			_, err = tx.Exec(ctx, `UPDATE chat_shadows SET told = 1 WHERE query_id = ? AND respondent = ?`, string(a.Query), string(a.Respondent))
		}
		return err
	})
}

// untold returns the answers that may not have been told.
func (s *sessions) untold(ctx context.Context) (out []moothall.Answer, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT answer FROM chat_turns WHERE told = 0 AND answer IS NOT NULL
			UNION ALL SELECT answer FROM chat_shadows WHERE told = 0`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			a, err := decodeAnswer(text)
			if err != nil {
				return err
			}
			out = append(out, a)
		}
		return rows.Err()
	})
	return out, err
}

// shadowed reports whether a respondent's answer in the shadow is there.
func (s *sessions) shadowed(ctx context.Context, id moothall.QueryID, r moothall.RespondentID) (there bool, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM chat_shadows WHERE query_id = ? AND respondent = ?)`, string(id), string(r)).Scan(&there)
	})
	return there, err
}

// shadow keeps an answer that was given in the shadow.
func (s *sessions) shadow(ctx context.Context, a moothall.Answer) error {
	text, err := encodeAnswer(a)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO chat_shadows (query_id, respondent, answer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			string(a.Query), string(a.Respondent), text)
		return err
	})
}

// accept keeps a question that came over the bus until its turn begins; false
// when it is there already, waiting or begun.
func (s *sessions) accept(ctx context.Context, id moothall.QueryID, r moothall.QueryRequest) (fresh bool, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return false, &moothall.Error{Code: moothall.CodeInternal, Op: "keep question", Err: err}
	}
	err = s.write(ctx, func(tx *store.Tx) error {
		res, err := tx.Exec(ctx, `INSERT INTO chat_inbox (query_id, request, at) SELECT ?, ?, ?
			WHERE NOT EXISTS (SELECT 1 FROM chat_turns WHERE query_id = ?) ON CONFLICT DO NOTHING`,
			string(id), string(text), s.now().UnixMilli(), string(id))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		fresh = n > 0
		return err
	})
	return fresh && err == nil, err
}

// accepted is a question that waits.
type accepted struct {
	id      moothall.QueryID
	request moothall.QueryRequest
}

// inbox lists what was accepted and has not begun, in order.
func (s *sessions) inbox(ctx context.Context) (out []accepted, err error) {
	err = s.read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT query_id, request FROM chat_inbox ORDER BY at, query_id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var a accepted
			var text string
			if err := rows.Scan(&a.id, &text); err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(text), &a.request); err != nil {
				return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read question", Err: err}
			}
			out = append(out, a)
		}
		return rows.Err()
	})
	return out, err
}

// refuse removes a question that cannot be answered, or need not be any more.
func (s *sessions) refuse(ctx context.Context, id moothall.QueryID) error {
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM chat_inbox WHERE query_id = ?`, string(id))
		return err
	})
}
