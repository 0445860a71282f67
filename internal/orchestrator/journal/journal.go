package journal

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"

	"moothall"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that the orchestrator keeps.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "orchestrator", Files: files}
}

// Journal is the record on disk. Make one with [New].
type Journal struct{ db *store.DB }

// New returns a journal over a store.
func New(db *store.DB) *Journal { return &Journal{db: db} }

// Change is one transaction: what is set is written.
type Change struct {
	ID       moothall.TaskID // of the task
	New      bool            // the task must not be there yet
	Task     *Task
	Subtasks []Subtask
	Clear    []string // subtasks whose work is taken away
	Drop     bool     // the subtasks of before, which have not begun, are taken away
}

// Apply makes a change.
func (j *Journal) Apply(ctx context.Context, c Change) error {
	return j.db.Write(ctx, func(tx *store.Tx) error {
		if c.Task != nil {
			if err := saveTask(ctx, tx, c); err != nil {
				return err
			}
		}
		if c.Drop {
			if _, err := tx.Exec(ctx, `DELETE FROM orchestrator_subtasks WHERE task = ? AND state IN ('pending', 'ready')`, string(c.ID)); err != nil {
				return err
			}
		}
		for i := range c.Subtasks {
			if err := saveSubtask(ctx, tx, c.ID, &c.Subtasks[i]); err != nil {
				return err
			}
		}
		for _, id := range c.Clear {
			if _, err := tx.Exec(ctx, `DELETE FROM orchestrator_work WHERE task = ? AND subtask = ?`, string(c.ID), id); err != nil {
				return err
			}
		}
		return nil
	})
}

func saveTask(ctx context.Context, tx *store.Tx, c Change) error {
	t := c.Task
	body, err := json.Marshal(t)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "write task", Err: err}
	}
	on := `ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended = excluded.ended, tokens = excluded.tokens,
		updated = excluded.updated, body = excluded.body`
	if c.New {
		on = ""
	}
	_, err = tx.Exec(ctx, `INSERT INTO orchestrator_tasks (id, session, state, ended, tokens, created, updated, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) `+on,
		string(c.ID), string(t.Session), t.State, Ended(t.State), t.Tokens, t.Created.UnixMilli(), t.Updated.UnixMilli(), string(body))
	return err
}

func saveSubtask(ctx context.Context, tx *store.Tx, task moothall.TaskID, s *Subtask) error {
	body, err := json.Marshal(s)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "write subtask", Err: err}
	}
	res, err := tx.Exec(ctx, `INSERT INTO orchestrator_subtasks (task, id, place, state, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (task, id) DO UPDATE SET state = excluded.state, body = excluded.body
		WHERE orchestrator_subtasks.state NOT IN ('done', 'failed', 'cancelled') OR orchestrator_subtasks.state = excluded.state`,
		string(task), s.ID, s.Place, s.State, string(body))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return moothall.Fail(moothall.CodeConflict, "write subtask", "the subtask "+s.ID+" has ended already")
}

// Append adds to a subtask's work.
func (j *Journal) Append(ctx context.Context, task moothall.TaskID, subtask string, w Work) error {
	body, err := json.Marshal(w)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "write work", Err: err}
	}
	return j.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO orchestrator_work (task, subtask, n, body)
			SELECT ?1, ?2, coalesce(max(n), 0) + 1, ?3 FROM orchestrator_work WHERE task = ?1 AND subtask = ?2`,
			string(task), subtask, string(body))
		return err
	})
}

// Work returns what a subtask has said and begun, in order.
func (j *Journal) Work(ctx context.Context, task moothall.TaskID, subtask string) ([]Work, error) {
	var out []Work
	err := j.db.Read(ctx, func(tx *store.Tx) error {
		out = nil
		rows, err := tx.Query(ctx, `SELECT body FROM orchestrator_work WHERE task = ? AND subtask = ? ORDER BY n`, string(task), subtask)
		if err != nil {
			return err
		}
		return each(rows, func(body string) error {
			var w Work
			err := json.Unmarshal([]byte(body), &w)
			out = append(out, w)
			return err
		})
	})
	return out, corrupt(err)
}

// each reads rows of one column.
func each(rows *store.Rows, f func(string) error) error {
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return err
		}
		if err := f(body); err != nil {
			return err
		}
	}
	return rows.Err()
}

// corrupt gives an error that is not the store's its code.
func corrupt(err error) error {
	if err == nil || moothall.ErrorCode(err) != moothall.CodeInternal {
		return err
	}
	return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read task", Message: "the task's rows cannot be read", Err: err}
}

// Load returns a task with its subtasks in their order.
func (j *Journal) Load(ctx context.Context, id moothall.TaskID) (Task, []Subtask, error) {
	var t Task
	var list []Subtask
	err := j.db.Read(ctx, func(tx *store.Tx) error {
		list = nil
		var body string
		if err := tx.QueryRow(ctx, `SELECT body FROM orchestrator_tasks WHERE id = ?`, string(id)).Scan(&body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &t); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT body FROM orchestrator_subtasks WHERE task = ? ORDER BY place`, string(id))
		if err != nil {
			return err
		}
		return each(rows, func(body string) error {
			var s Subtask
			err := json.Unmarshal([]byte(body), &s)
			list = append(list, s)
			return err
		})
	})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		err = &moothall.Error{
			Code: moothall.CodeNotFound, Op: "task", Message: "there is no task " + string(id), Remedy: "moothall tasks lists those that there are",
		}
	}
	return t, list, corrupt(err)
}

// List returns the names of tasks, newest first, or of those that have not
// ended, oldest first.
func (j *Journal) List(ctx context.Context, open bool, limit int) ([]moothall.TaskID, error) {
	query := `SELECT id FROM orchestrator_tasks ORDER BY created DESC, id DESC LIMIT ?`
	if open {
		query = `SELECT id FROM orchestrator_tasks WHERE ended = 0 ORDER BY created, id LIMIT ?`
	}
	var out []moothall.TaskID
	err := j.db.Read(ctx, func(tx *store.Tx) error {
		out = nil
		rows, err := tx.Query(ctx, query, limit)
		if err != nil {
			return err
		}
		return each(rows, func(id string) error { out = append(out, moothall.TaskID(id)); return nil })
	})
	return out, err
}

// Spent is how many tokens the tasks of a session have used.
func (j *Journal) Spent(ctx context.Context, session moothall.SessionID) (int, error) {
	n := 0
	err := j.db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(sum(tokens), 0) FROM orchestrator_tasks WHERE session = ?`, string(session)).Scan(&n)
	})
	return n, err
}

// Forget takes away the tasks of a session, those named left out. It returns
// how many there were.
func (j *Journal) Forget(ctx context.Context, session moothall.SessionID, but []moothall.TaskID) (int64, error) {
	kept, err := json.Marshal(append([]moothall.TaskID{}, but...))
	if err != nil {
		return 0, &moothall.Error{Code: moothall.CodeInternal, Op: "forget tasks", Err: err}
	}
	var n int64
	err = j.db.Write(ctx, func(tx *store.Tx) error {
		res, err := tx.Exec(ctx, `DELETE FROM orchestrator_tasks WHERE session = ? AND id NOT IN (SELECT value FROM json_each(?))`,
			string(session), string(kept))
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}
