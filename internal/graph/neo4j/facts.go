package neo4j

import (
	"context"

	"moothall"
	"moothall/internal/graph"
)

const returnFact = ` RETURN f.id, s.id, f.relation, o.id, f.told_from, f.starts, f.ends, f.observed, f.source, f.confidence, f.trust`

func scanFact(r *row) graph.Fact {
	return graph.Fact{
		ID: r.text(), Subject: graph.EntityID(r.text()), Relation: r.text(), Object: graph.EntityID(r.text()),
		From: graph.Instant(r.number()), Start: graph.Instant(r.number()), End: graph.Instant(r.number()), Observed: graph.Instant(r.number()),
		Source: moothall.MemoryID(r.text()), Confidence: r.float(), Trust: moothall.Trust(r.text()),
	}
}

// tenses are the conditions on time.
var tenses = map[graph.Tense]string{
	graph.Is:   `f.starts <= $at AND f.ends > $at`,
	graph.Was:  `f.starts <= $at AND f.ends <= $at`,
	graph.Ever: `true`,
}

func (v view) Touching(ctx context.Context, id graph.EntityID, tense graph.Tense, at graph.Instant, limit int) ([]graph.Fact, error) {
	with := map[string]any{"id": string(id), "at": int64(at), "limit": limit}
	if id == "" {
		return all(ctx, v, scanFact, `MATCH (s)-[f:MOOT_FACT {hall: $hall}]->(o) WHERE `+tenses[tense]+
			` WITH s, f, o ORDER BY f.observed DESC, f.id LIMIT $limit`+returnFact+` ORDER BY f.observed DESC, f.id`, with)
	}
	return all(ctx, v, scanFact, `MATCH (:MootThing {hall: $hall, id: $id})-[f:MOOT_FACT]-() WHERE `+tenses[tense]+
		` WITH DISTINCT f ORDER BY f.observed DESC, f.id LIMIT $limit WITH f, startNode(f) AS s, endNode(f) AS o`+returnFact+` ORDER BY f.observed DESC, f.id`, with)
}

const ofGroup = `MATCH (s:MootThing {hall: $hall, id: $subject})-[f:MOOT_FACT {relation: $relation}]->(o) WHERE ($object = '' OR o.id = $object)`

func groupOf(g graph.Group) map[string]any {
	return map[string]any{"subject": string(g.Subject), "relation": g.Relation, "object": string(g.Object)}
}

func (v view) Group(ctx context.Context, g graph.Group, after, before graph.Instant) ([]graph.Fact, error) {
	with := groupOf(g)
	with["after"], with["before"] = int64(after), int64(before)
	return all(ctx, v, scanFact, ofGroup+` AND f.ends > $after AND f.starts < $before AND f.starts < f.ends`+returnFact+` ORDER BY f.starts, f.id`, with)
}

func (v view) PageFacts(ctx context.Context, after string, limit int) ([]graph.Fact, error) {
	return all(ctx, v, scanFact, `MATCH (s)-[f:MOOT_FACT {hall: $hall}]->(o) WHERE f.id > $after`+returnFact+` ORDER BY f.id LIMIT $limit`,
		map[string]any{"after": after, "limit": limit})
}

func (c change) PutFact(ctx context.Context, f graph.Fact) error {
	old, err := all(ctx, c.view, (*row).texts, `MATCH (s)-[f:MOOT_FACT {hall: $hall, id: $id}]->(o) WITH f, [s.id, o.id] AS ends DELETE f RETURN ends`,
		map[string]any{"id": f.ID})
	if err != nil {
		return err
	}
	if err := c.exec(ctx, `MERGE (s:MootThing {hall: $hall, id: $subject}) MERGE (o:MootThing {hall: $hall, id: $object})
		CREATE (s)-[:MOOT_FACT {hall: $hall, id: $id, relation: $relation, told_from: $told, starts: $starts, ends: $ends,
			observed: $observed, source: $source, confidence: $confidence, trust: $trust}]->(o)`,
		map[string]any{
			"id": f.ID, "subject": string(f.Subject), "relation": f.Relation, "object": string(f.Object), "told": int64(f.From),
			"starts": int64(f.Start), "ends": int64(f.End), "observed": int64(f.Observed), "source": string(f.Source),
			"confidence": f.Confidence, "trust": string(f.Trust),
		}); err != nil {
		return err
	}
	for _, ends := range old {
		if err := c.sweep(ctx, ends); err != nil {
			return err
		}
	}
	return nil
}

func (c change) DropFacts(ctx context.Context, g graph.Group) error {
	ends, err := all(ctx, c.view, (*row).texts, ofGroup+` WITH f, [s.id, o.id] AS ends DELETE f WITH ends UNWIND ends AS id RETURN collect(DISTINCT id)`, groupOf(g))
	if err != nil {
		return err
	}
	for _, ids := range ends {
		if len(ids) == 0 {
			continue
		}
		if err := c.sweep(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

func (v view) Counts(ctx context.Context) (graph.Counts, error) {
	list, err := all(ctx, v, func(r *row) graph.Counts {
		return graph.Counts{Entities: r.number(), Statements: r.number(), Facts: r.number(), Open: r.number(), Merges: r.number(), Sources: r.number()}
	}, `RETURN COUNT { MATCH (e:MootEntity {hall: $hall}) }, COUNT { MATCH (s:MootStatement {hall: $hall}) },
		COUNT { MATCH ()-[f:MOOT_FACT {hall: $hall}]->() }, COUNT { MATCH ()-[f:MOOT_FACT {hall: $hall}]->() WHERE f.ends = $forever },
		COUNT { MATCH (m:MootMerge {hall: $hall}) }, COUNT { MATCH (s:MootStatement {hall: $hall}) WHERE s.source <> '' RETURN DISTINCT s.source }`,
		map[string]any{"forever": int64(graph.Forever)})
	if err != nil || len(list) != 1 {
		return graph.Counts{}, err
	}
	return list[0], nil
}
