//go:build duckdb

package duckdb

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
	"moothall/internal/memory/terms"
)

// Apply makes a change in one transaction.
func (e *Engine) Apply(ctx context.Context, c *memory.Change) (bool, error) {
	made := false
	err := e.write(ctx, func(w *writer) error {
		ch := changer{writer: w}
		if c.Once != "" {
			if first, err := ch.once(c.Once); err != nil || !first {
				return err
			}
		}
		made = true
		return ch.apply(c)
	})
	return made && err == nil, err
}

// changer makes one change. It counts in memory and writes the counters once.
type changer struct {
	*writer
	place, slot, held, version int64
	touched                    bool // records or vectors changed
}

func (c *changer) once(name string) (bool, error) {
	var there bool
	if err := c.conn.QueryRowContext(c.ctx, `SELECT EXISTS (SELECT 1 FROM memory_once WHERE name = ?)`, name).Scan(&there); err != nil || there {
		return false, err
	}
	return true, c.exec(`INSERT INTO memory_once VALUES (?)`, name)
}

func (c *changer) apply(ch *memory.Change) error {
	if err := c.conn.QueryRowContext(c.ctx, `SELECT place, slot, held, version FROM memory_counters`).Scan(&c.place, &c.slot, &c.held, &c.version); err != nil {
		return err
	}
	for _, step := range []func(*memory.Change) error{c.deletes, c.puts, c.notes, c.vectors, c.touches, c.holds, c.state} {
		if err := step(ch); err != nil {
			return err
		}
	}
	if c.touched {
		c.version++
	}
	return c.exec(`UPDATE memory_counters SET place = ?, slot = ?, held = ?, version = ?`, c.place, c.slot, c.held, c.version)
}

// numbers writes places as a list of SQL; numbers can be no syntax.
func numbers(ns []uint64) string {
	var b strings.Builder
	for i, n := range ns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatUint(n, 10))
	}
	return "(" + b.String() + ")"
}

func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")" }

const chunk = 500 // how many values stand in one IN

// places finds where records are, by their ids.
func (c *changer) places(ids []moothall.MemoryID) (map[moothall.MemoryID]uint64, error) {
	found := make(map[moothall.MemoryID]uint64, len(ids))
	for part := range slices.Chunk(ids, chunk) {
		rows, err := c.conn.QueryContext(c.ctx, `SELECT id, n FROM memory_entries WHERE id IN `+marks(len(part)), plain(part)...)
		if err != nil {
			return nil, err
		}
		for p, err := range scanAll(rows, func(s row.Scanner) (p pair, err error) { return p, s.Scan(&p.id, &p.n) }) {
			if err != nil {
				return nil, err
			}
			found[p.id] = uint64(p.n)
		}
	}
	return found, nil
}

type pair struct {
	id moothall.MemoryID
	n  int64
}

// clear removes places from tables.
func (c *changer) clear(ns []uint64, tables ...string) error {
	for part := range slices.Chunk(ns, chunk) {
		for _, table := range tables {
			if err := c.exec(`DELETE FROM ` + table + ` WHERE n IN ` + numbers(part)); err != nil {
				return err
			}
		}
	}
	return nil
}

// everything lists the tables that know a record by its place.
var everything = []string{"memory_entries", "memory_tags", "memory_sources", "memory_terms", "memory_text", "memory_vectors"}

func (c *changer) deletes(ch *memory.Change) error {
	found, err := c.places(ch.Delete)
	if err != nil || len(found) == 0 {
		return err
	}
	c.touched = true
	gone := slices.Collect(maps.Values(found))
	c.moved = append(c.moved, gone...)
	return c.clear(gone, everything...)
}

func (c *changer) puts(ch *memory.Change) error {
	if len(ch.Put) == 0 {
		return nil
	}
	c.touched = true
	ids := make([]moothall.MemoryID, len(ch.Put))
	for i, r := range ch.Put {
		ids[i] = r.Entry.ID
	}
	found, err := c.places(ids)
	if err != nil {
		return err
	}
	old := slices.Collect(maps.Values(found))
	c.moved = append(c.moved, old...)
	if err := c.clear(old, everything...); err != nil {
		return err
	}
	last := map[moothall.MemoryID]*memory.Record{} // of several with one id the last one stays
	for _, r := range ch.Put {
		if r.N = found[r.Entry.ID]; r.N == 0 {
			c.place++
			r.N = uint64(c.place)
			found[r.Entry.ID] = r.N
		}
		last[r.Entry.ID] = r
	}
	records := slices.SortedFunc(maps.Values(last), func(a, b *memory.Record) int { return int(int64(a.N) - int64(b.N)) })
	return c.insert(records)
}

func (c *changer) insert(records []*memory.Record) error {
	if err := c.rows(records); err != nil {
		return err
	}
	texts := make(map[uint64]memory.Text, len(records))
	var vectors []memory.Vectors
	for _, r := range records {
		texts[r.N] = r.Text
		for _, v := range r.Vectors {
			v.N = r.N
			vectors = append(vectors, v)
		}
	}
	if err := c.words(texts); err != nil {
		return err
	}
	return c.keep(vectors)
}

// rows adds records with their tags and sources.
func (c *changer) rows(records []*memory.Record) error {
	var entries, tags, sources [][]driver.Value
	for _, r := range records {
		values, err := row.Of(r)
		if err != nil {
			return err
		}
		entry := []driver.Value{int64(r.N)}
		for _, v := range values {
			entry = append(entry, v)
		}
		entries = append(entries, entry)
		for _, tag := range r.Entry.Tags {
			tags = append(tags, []driver.Value{tag, int64(r.N)})
		}
		for _, id := range r.From {
			sources = append(sources, []driver.Value{string(id), int64(r.N)})
		}
	}
	if err := c.append("memory_entries", entries); err != nil {
		return err
	}
	if err := c.append("memory_tags", tags); err != nil {
		return err
	}
	return c.append("memory_sources", sources)
}

// notes replaces entries whose words stay.
func (c *changer) notes(ch *memory.Change) error {
	if len(ch.Notes) == 0 {
		return nil
	}
	c.touched = true
	last := map[uint64]*memory.Record{}
	for _, r := range ch.Notes {
		last[r.N] = r
	}
	ns := slices.Sorted(maps.Keys(last))
	there, err := c.there(ns)
	if err != nil {
		return err
	}
	if len(there) != len(ns) {
		return moothall.Fail(moothall.CodeNotFound, "note on entry", "there is no such entry any more")
	}
	if err := c.clear(ns, "memory_entries", "memory_tags", "memory_sources"); err != nil {
		return err
	}
	records := make([]*memory.Record, len(ns))
	for i, n := range ns {
		records[i] = last[n]
	}
	return c.rows(records)
}

// there returns those of the places that have a record.
func (c *changer) there(ns []uint64) (map[uint64]bool, error) {
	out := make(map[uint64]bool, len(ns))
	for part := range slices.Chunk(ns, chunk) {
		rows, err := c.conn.QueryContext(c.ctx, `SELECT n FROM memory_entries WHERE n IN `+numbers(part))
		if err != nil {
			return nil, err
		}
		for n, err := range scanAll(rows, scanOne[int64]) {
			if err != nil {
				return nil, err
			}
			out[uint64(n)] = true
		}
	}
	return out, nil
}

// words adds to the full-text index.
func (c *changer) words(texts map[uint64]memory.Text) error {
	var heads, words [][]driver.Value
	for _, n := range slices.Sorted(maps.Keys(texts)) {
		d := terms.Of(texts[n])
		heads = append(heads, []driver.Value{int64(n), int64(d.Length), d.Scope})
		for _, term := range slices.Sorted(maps.Keys(d.Terms)) {
			words = append(words, []driver.Value{term, int64(n), d.Terms[term]})
		}
	}
	if err := c.append("memory_text", heads); err != nil {
		return err
	}
	return c.append("memory_terms", words)
}

func (c *changer) touches(ch *memory.Change) error {
	for _, t := range ch.Touch {
		if err := c.exec(`UPDATE memory_entries SET accesses = accesses + ?, accessed = greatest(accessed, ?) WHERE n = ?`,
			t.Count, t.At.UnixMicro(), int64(t.N)); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) holds(ch *memory.Change) error {
	for _, h := range ch.Hold {
		notes, err := json.Marshal(h.Notes)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInvalid, Op: "hold annotation", Message: "the notes cannot be written", Err: err}
		}
		c.held++
		if err := c.exec(`INSERT INTO memory_held SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM memory_held WHERE event = ?)`,
			c.held, string(h.Event), string(h.Query), string(h.Respondent), string(notes), string(h.Event)); err != nil {
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
	return c.exec(`DELETE FROM memory_held WHERE seq <= (SELECT seq FROM memory_held ORDER BY seq DESC LIMIT 1 OFFSET ?)`, ch.HoldMost)
}

func (c *changer) state(ch *memory.Change) error {
	for _, key := range slices.Sorted(maps.Keys(ch.State)) {
		if err := c.exec(`DELETE FROM memory_state WHERE key = ?`, key); err != nil {
			return err
		}
		if value := ch.State[key]; value != nil {
			if err := c.exec(`INSERT INTO memory_state VALUES (?, ?::BLOB)`, key, value); err != nil {
				return err
			}
		}
	}
	return nil
}
