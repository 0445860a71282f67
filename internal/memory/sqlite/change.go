package sqlite

import (
	"context"
	"encoding/json"
	"slices"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
	"moothall/internal/store"
)

// changer makes one change inside a transaction.
type changer struct {
	ctx     context.Context
	tx      *store.Tx
	engine  *Engine
	touched bool             // records or vectors changed
	fresh   map[string]int64 // slots that this transaction made
}

func (c *changer) exec(query string, args ...any) error {
	_, err := c.tx.Exec(c.ctx, query, args...)
	return err
}

func (c *changer) apply(ch *memory.Change) error {
	for _, step := range []func(*memory.Change) error{c.deletes, c.puts, c.notes, c.vectors, c.touches, c.held, c.state} {
		if err := step(ch); err != nil {
			return err
		}
	}
	if !c.touched {
		return nil
	}
	return c.exec(`UPDATE memory_version SET version = version + 1`)
}

func (c *changer) puts(ch *memory.Change) error {
	for _, r := range ch.Put {
		if err := c.put(r); err != nil {
			return err
		}
	}
	return nil
}

// put stores a record in place of the one with its id.
func (c *changer) put(r *memory.Record) error {
	c.touched = true
	var n int64
	err := c.tx.QueryRow(c.ctx, `SELECT n FROM memory_entries WHERE id = ?`, string(r.Entry.ID)).Scan(&n)
	switch moothall.ErrorCode(err) {
	case "":
		if err := c.clear(n); err != nil {
			return err
		}
		if err := c.update(n, r); err != nil {
			return err
		}
	case moothall.CodeNotFound:
		if n, err = c.insert(r); err != nil {
			return err
		}
	default:
		return err
	}
	r.N = uint64(n)
	if err := c.links(n, r); err != nil {
		return err
	}
	if err := c.words(n, r.Text); err != nil {
		return err
	}
	for _, v := range r.Vectors {
		v.N = r.N
		if err := c.vector(v); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) insert(r *memory.Record) (int64, error) {
	values, err := row.Of(r)
	if err != nil {
		return 0, err
	}
	res, err := c.tx.Exec(c.ctx, `INSERT INTO memory_entries (`+row.Columns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func (c *changer) update(n int64, r *memory.Record) error {
	values, err := row.Of(r)
	if err != nil {
		return err
	}
	return c.exec(`UPDATE memory_entries SET (`+row.Columns+`) =
		(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE n = ?`, append(values, n)...)
}

// notes replaces entries whose words stay.
func (c *changer) notes(ch *memory.Change) error {
	for _, r := range ch.Notes {
		c.touched = true
		if err := c.unlink(int64(r.N)); err != nil {
			return err
		}
		if err := c.update(int64(r.N), r); err != nil {
			return err
		}
		if err := c.links(int64(r.N), r); err != nil {
			return err
		}
	}
	return nil
}

// links notes tags and sources in tables of their own.
func (c *changer) links(n int64, r *memory.Record) error {
	for _, tag := range r.Entry.Tags {
		if err := c.exec(`INSERT OR IGNORE INTO memory_tags (tag, n) VALUES (?, ?)`, tag, n); err != nil {
			return err
		}
	}
	for _, id := range r.From {
		if err := c.exec(`INSERT OR IGNORE INTO memory_sources (source, n) VALUES (?, ?)`, string(id), n); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) unlink(n int64) error {
	tags, err := c.list(`SELECT tags FROM memory_entries WHERE n = ?`, n)
	if err != nil {
		return err
	}
	for _, tag := range tags {
		if err := c.exec(`DELETE FROM memory_tags WHERE tag = ? AND n = ?`, tag, n); err != nil {
			return err
		}
	}
	sources, err := c.list(`SELECT sources FROM memory_entries WHERE n = ?`, n)
	if err != nil {
		return err
	}
	for _, id := range sources {
		if err := c.exec(`DELETE FROM memory_sources WHERE source = ? AND n = ?`, id, n); err != nil {
			return err
		}
	}
	return nil
}

// list reads a column that holds a JSON list of words.
func (c *changer) list(query string, n int64) (out []string, err error) {
	var text string
	if err := c.tx.QueryRow(c.ctx, query, n).Scan(&text); err != nil {
		return nil, err
	}
	return out, row.Decode(text, &out)
}

// clear removes everything about a place but its row.
func (c *changer) clear(n int64) error {
	if err := c.unlink(n); err != nil {
		return err
	}
	if err := c.exec(`DELETE FROM memory_text WHERE rowid = ?`, n); err != nil {
		return err
	}
	slots, err := column[int64](c.ctx, c.tx, `SELECT slot FROM memory_embedders`)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		if err := c.exec(`DELETE FROM memory_vectors WHERE k = ?`, key(slot, uint64(n))); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) deletes(ch *memory.Change) error {
	for _, id := range ch.Delete {
		var n int64
		err := c.tx.QueryRow(c.ctx, `SELECT n FROM memory_entries WHERE id = ?`, string(id)).Scan(&n)
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		c.touched = true
		if err := c.clear(n); err != nil {
			return err
		}
		if err := c.exec(`DELETE FROM memory_entries WHERE n = ?`, n); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) words(n int64, t memory.Text) error {
	return c.exec(`INSERT INTO memory_text (rowid, name, description, corpus, who, context, scope) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		n, t.Name, t.Description, t.Corpus, t.Who, t.Context, t.Scope)
}

func (c *changer) touches(ch *memory.Change) error {
	for _, t := range ch.Touch {
		if err := c.exec(`UPDATE memory_entries SET accesses = accesses + ?, accessed = max(accessed, ?) WHERE n = ?`,
			t.Count, t.At.UnixMicro(), int64(t.N)); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) held(ch *memory.Change) error {
	for _, h := range ch.Hold {
		notes, err := json.Marshal(h.Notes)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInternal, Op: "hold annotation", Err: err}
		}
		if err := c.exec(`INSERT OR IGNORE INTO memory_held (event, query, respondent, notes) VALUES (?, ?, ?, ?)`,
			string(h.Event), string(h.Query), string(h.Respondent), string(notes)); err != nil {
			return err
		}
	}
	for _, q := range ch.Release {
		if err := c.exec(`DELETE FROM memory_held WHERE query = ?`, string(q)); err != nil {
			return err
		}
	}
	if ch.HoldMost < 1 {
		return nil
	}
	return c.exec(`DELETE FROM memory_held WHERE rowid <= (SELECT rowid FROM memory_held ORDER BY rowid DESC LIMIT 1 OFFSET ?)`, ch.HoldMost)
}

func (c *changer) state(ch *memory.Change) error {
	for k, v := range ch.State {
		var err error
		if v == nil {
			err = c.exec(`DELETE FROM memory_state WHERE key = ?`, k)
		} else {
			err = c.exec(`INSERT INTO memory_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, k, slices.Clone(v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
