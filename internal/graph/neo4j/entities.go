package neo4j

import (
	"cmp"
	"context"
	"slices"

	"moothall"
	"moothall/internal/graph"
)

// scanEntity reads an entity; names are put in the order of their keys here,
// since servers may order letters in another way.
func scanEntity(r *row) graph.Entity {
	e := graph.Entity{ID: graph.EntityID(r.text()), Name: r.text(), Kind: graph.Kind(r.text()), Stated: r.truth(), Names: r.texts()}
	slices.SortFunc(e.Names, func(a, b string) int { return cmp.Compare(graph.Key(a), graph.Key(b)) })
	return e
}

const returnEntity = ` RETURN e.id, e.name, e.kind, e.stated, COLLECT { MATCH (n:MootName)-[:MOOT_NAMES]->(e) RETURN n.name }`

func (v view) Entities(ctx context.Context, ids []graph.EntityID) (map[graph.EntityID]graph.Entity, error) {
	list, err := all(ctx, v, scanEntity, `MATCH (e:MootEntity {hall: $hall}) WHERE e.id IN $ids`+returnEntity, map[string]any{"ids": plain(ids)})
	out := make(map[graph.EntityID]graph.Entity, len(list))
	for _, e := range list {
		out[e.ID] = e
	}
	return out, err
}

func (v view) PageEntities(ctx context.Context, after graph.EntityID, limit int) ([]graph.Entity, error) {
	return all(ctx, v, scanEntity, `MATCH (e:MootEntity {hall: $hall}) WHERE e.id > $after WITH e ORDER BY e.id LIMIT $limit`+returnEntity+` ORDER BY e.id`,
		map[string]any{"after": string(after), "limit": limit})
}

func (v view) Named(ctx context.Context, keys []string) (map[string]graph.EntityID, error) {
	type pair struct {
		key string
		id  graph.EntityID
	}
	list, err := all(ctx, v, func(r *row) pair { return pair{r.text(), graph.EntityID(r.text())} },
		`MATCH (n:MootName {hall: $hall}) WHERE n.key IN $keys MATCH (n)-[:MOOT_NAMES]->(e) RETURN n.key, e.id`, map[string]any{"keys": plain(keys)})
	out := make(map[string]graph.EntityID, len(list))
	for _, p := range list {
		out[p.key] = p.id
	}
	return out, err
}

func (v view) Worded(ctx context.Context, word string, limit int) ([]graph.EntityID, error) {
	return all(ctx, v, func(r *row) graph.EntityID { return graph.EntityID(r.text()) },
		`MATCH (:MootWord {hall: $hall, word: $word})-[:MOOT_IN]->(e) RETURN e.id ORDER BY e.id LIMIT $limit`, map[string]any{"word": word, "limit": limit})
}

func (c change) PutEntity(ctx context.Context, e graph.Entity) error {
	var names []map[string]any
	var keys, words []string
	for _, name := range e.Names {
		key := graph.Key(name)
		keys = append(keys, key)
		names = append(names, map[string]any{"key": key, "name": name})
		words = append(words, graph.Words(name)...)
	}
	taken, err := all(ctx, c.view, (*row).text, `MATCH (n:MootName {hall: $hall}) WHERE n.key IN $keys
		MATCH (n)-[:MOOT_NAMES]->(e) WHERE e.id <> $id RETURN n.name LIMIT 1`, map[string]any{"keys": plain(keys), "id": string(e.ID)})
	if err != nil {
		return err
	}
	if len(taken) > 0 {
		return moothall.Fail(moothall.CodeConflict, "put entity", "another entity has a name of this one")
	}
	if err := c.unname(ctx, e.ID); err != nil {
		return err
	}
	slices.Sort(words)
	return c.exec(ctx, `MERGE (e:MootThing {hall: $hall, id: $id}) SET e:MootEntity, e.name = $name, e.kind = $kind, e.stated = $stated
		FOREACH (n IN $names | CREATE (:MootName {hall: $hall, key: n.key, name: n.name})-[:MOOT_NAMES]->(e))
		FOREACH (w IN $words | MERGE (x:MootWord {hall: $hall, word: w}) CREATE (x)-[:MOOT_IN]->(e))`,
		map[string]any{
			"id": string(e.ID), "name": e.Name, "kind": string(e.Kind), "stated": e.Stated, "names": names, "words": plain(slices.Compact(words)),
		})
}

// unname takes the names and words of an entity away.
func (c change) unname(ctx context.Context, id graph.EntityID) error {
	with := map[string]any{"id": string(id)}
	if err := c.exec(ctx, `MATCH (e:MootThing {hall: $hall, id: $id})<-[:MOOT_NAMES]-(n:MootName) DETACH DELETE n`, with); err != nil {
		return err
	}
	return c.exec(ctx, `MATCH (e:MootThing {hall: $hall, id: $id})<-[in:MOOT_IN]-(w:MootWord) DELETE in
		WITH w WHERE NOT EXISTS { (w)-[:MOOT_IN]->() } DELETE w`, with)
}

func (c change) DropEntity(ctx context.Context, id graph.EntityID) error {
	if err := c.unname(ctx, id); err != nil {
		return err
	}
	if err := c.exec(ctx, `MATCH (e:MootThing {hall: $hall, id: $id}) REMOVE e:MootEntity, e.name, e.kind, e.stated`, map[string]any{"id": string(id)}); err != nil {
		return err
	}
	return c.sweep(ctx, []string{string(id)})
}

// sweep deletes things that nobody described and no fact names any more.
func (c change) sweep(ctx context.Context, ids []string) error {
	return c.exec(ctx, `MATCH (e:MootThing {hall: $hall}) WHERE e.id IN $ids AND NOT e:MootEntity AND NOT EXISTS { (e)-[:MOOT_FACT]-() } DELETE e`,
		map[string]any{"ids": plain(ids)})
}
