package sqlite

import (
	"context"
	"slices"

	"moothall/internal/graph"
)

// nameRow is an entity with one of its names.
type nameRow struct {
	entity graph.Entity
	name   string
}

func scanName(r scanner) (nameRow, error) {
	var n nameRow
	err := r.Scan(&n.entity.ID, &n.entity.Name, &n.entity.Kind, &n.entity.Stated, &n.name)
	return n, err
}

const selectNames = `SELECT e.id, e.name, e.kind, e.stated, n.name FROM graph_entities e JOIN graph_names n ON n.entity = e.id `

// gather makes entities of rows that come by entity and key.
func gather(rows []nameRow) []graph.Entity {
	var out []graph.Entity
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1].ID != r.entity.ID {
			out = append(out, r.entity)
		}
		last := &out[len(out)-1]
		last.Names = append(last.Names, r.name)
	}
	return out
}

func (v view) Entities(ctx context.Context, ids []graph.EntityID) (map[graph.EntityID]graph.Entity, error) {
	rows, err := all(ctx, v.tx, scanName, selectNames+`WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id, n.key`, list(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[graph.EntityID]graph.Entity, len(ids))
	for _, e := range gather(rows) {
		out[e.ID] = e
	}
	return out, nil
}

func (v view) PageEntities(ctx context.Context, after graph.EntityID, limit int) ([]graph.Entity, error) {
	rows, err := all(ctx, v.tx, scanName, selectNames+`WHERE e.id IN (SELECT id FROM graph_entities WHERE id > ? ORDER BY id LIMIT ?) ORDER BY e.id, n.key`,
		string(after), limit)
	return gather(rows), err
}

func (v view) Named(ctx context.Context, keys []string) (map[string]graph.EntityID, error) {
	type pair struct {
		key string
		id  graph.EntityID
	}
	rows, err := all(ctx, v.tx, func(r scanner) (p pair, err error) { return p, r.Scan(&p.key, &p.id) },
		`SELECT key, entity FROM graph_names WHERE key IN (SELECT value FROM json_each(?))`, list(keys))
	out := make(map[string]graph.EntityID, len(rows))
	for _, p := range rows {
		out[p.key] = p.id
	}
	return out, err
}

func (v view) Worded(ctx context.Context, word string, limit int) ([]graph.EntityID, error) {
	return all(ctx, v.tx, func(r scanner) (id graph.EntityID, err error) { return id, r.Scan(&id) },
		`SELECT entity FROM graph_words WHERE word = ? ORDER BY entity LIMIT ?`, word, limit)
}

func (c change) PutEntity(ctx context.Context, e graph.Entity) error {
	if _, err := c.tx.Exec(ctx, `INSERT INTO graph_entities (id, name, kind, stated) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, stated = excluded.stated`,
		string(e.ID), e.Name, string(e.Kind), e.Stated); err != nil {
		return err
	}
	for _, table := range []string{"graph_names", "graph_words"} {
		if _, err := c.tx.Exec(ctx, `DELETE FROM `+table+` WHERE entity = ?`, string(e.ID)); err != nil {
			return err
		}
	}
	var words []string
	for _, name := range e.Names {
		if _, err := c.tx.Exec(ctx, `INSERT INTO graph_names (key, entity, name) VALUES (?, ?, ?)`, graph.Key(name), string(e.ID), name); err != nil {
			return err
		}
		words = append(words, graph.Words(name)...)
	}
	slices.Sort(words)
	_, err := c.tx.Exec(ctx, `INSERT INTO graph_words (word, entity) SELECT value, ? FROM json_each(?)`, string(e.ID), list(slices.Compact(words)))
	return err
}

func (c change) DropEntity(ctx context.Context, id graph.EntityID) error {
	// The names go with it.
	_, err := c.tx.Exec(ctx, `DELETE FROM graph_entities WHERE id = ?`, string(id))
	return err
}
