package neo4j

import (
	"context"
	"encoding/json"

	"moothall"
	"moothall/internal/graph"
)

const returnStatement = ` RETURN s.seq, s.id, s.subject, s.subject_name, s.relation, s.object, s.object_name,
	s.told_from, s.told_to, s.observed, s.source, s.confidence, s.trust ORDER BY s.seq`

func scanStatement(r *row) graph.Statement {
	return graph.Statement{
		Seq: r.number(), ID: r.text(), Subject: graph.EntityID(r.text()), SubjectName: r.text(), Relation: r.text(),
		Object: graph.EntityID(r.text()), ObjectName: r.text(), From: graph.Instant(r.number()), To: graph.Instant(r.number()),
		Observed: graph.Instant(r.number()), Source: moothall.MemoryID(r.text()), Confidence: r.float(), Trust: moothall.Trust(r.text()),
	}
}

func (v view) said(ctx context.Context, match string, with map[string]any) ([]graph.Statement, error) {
	return all(ctx, v, scanStatement, match+returnStatement, with)
}

func (v view) Said(ctx context.Context, g graph.Group) ([]graph.Statement, error) {
	return v.said(ctx, `MATCH (s:MootStatement {hall: $hall, subject: $subject, relation: $relation}) WHERE $object = '' OR s.object = $object`, groupOf(g))
}

func (v view) SaidOf(ctx context.Context, id graph.EntityID) ([]graph.Statement, error) {
	return v.said(ctx, `CALL { MATCH (x:MootStatement {hall: $hall}) WHERE x.subject = $id RETURN x
		UNION MATCH (x:MootStatement {hall: $hall, object: $id}) RETURN x } WITH x AS s`, map[string]any{"id": string(id)})
}

func (v view) SaidBy(ctx context.Context, source moothall.MemoryID) ([]graph.Statement, error) {
	return v.said(ctx, `MATCH (s:MootStatement {hall: $hall, source: $source})`, map[string]any{"source": string(source)})
}

func (v view) PageStatements(ctx context.Context, after int64, limit int) ([]graph.Statement, error) {
	return v.said(ctx, `MATCH (s:MootStatement {hall: $hall}) WHERE s.seq > $after WITH s ORDER BY s.seq LIMIT $limit`, map[string]any{"after": after, "limit": limit})
}

func (v view) Used(ctx context.Context, id graph.EntityID) (bool, error) {
	list, err := all(ctx, v, (*row).truth, `RETURN EXISTS { MATCH (s:MootStatement {hall: $hall}) WHERE s.subject = $id }
		OR EXISTS { MATCH (s:MootStatement {hall: $hall, object: $id}) }`, map[string]any{"id": string(id)})
	return len(list) == 1 && list[0], err
}

func (v view) Twin(ctx context.Context, s graph.Statement) (string, error) {
	list, err := all(ctx, v, (*row).text, `MATCH (s:MootStatement {hall: $hall, subject: $subject, relation: $relation})
		WHERE s.object = $object AND s.observed = $observed AND s.told_from = $from AND s.told_to = $to AND s.source = $source
		AND s.trust = $trust AND s.subject_key = $subject_key AND s.object_key = $object_key
		RETURN s.id ORDER BY s.seq LIMIT 1`, propertiesOf(s))
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0], nil
}

func propertiesOf(s graph.Statement) map[string]any {
	return map[string]any{
		"id": s.ID, "subject": string(s.Subject), "subject_key": graph.Key(s.SubjectName), "subject_name": s.SubjectName, "relation": s.Relation,
		"object": string(s.Object), "object_key": graph.Key(s.ObjectName), "object_name": s.ObjectName, "from": int64(s.From), "to": int64(s.To),
		"observed": int64(s.Observed), "source": string(s.Source), "confidence": s.Confidence, "trust": string(s.Trust),
	}
}

func (c change) PutStatement(ctx context.Context, s graph.Statement) error {
	taken, err := all(ctx, c.view, (*row).truth, `RETURN EXISTS { MATCH (s:MootStatement {hall: $hall, id: $id}) }`, map[string]any{"id": s.ID})
	if err != nil {
		return err
	}
	if len(taken) == 1 && taken[0] {
		return moothall.Fail(moothall.CodeConflict, "put statement", "a statement of this id is there already")
	}
	return c.exec(ctx, `MATCH (h:MootHall {hall: $hall}) SET h.seq = coalesce(h.seq, 0) + 1
		CREATE (:MootStatement {hall: $hall, seq: h.seq, id: $id, subject: $subject, subject_key: $subject_key, subject_name: $subject_name,
			relation: $relation, object: $object, object_key: $object_key, object_name: $object_name, told_from: $from, told_to: $to,
			observed: $observed, source: $source, confidence: $confidence, trust: $trust})`, propertiesOf(s))
}

func (c change) DropStatements(ctx context.Context, source moothall.MemoryID) error {
	return c.exec(ctx, `MATCH (s:MootStatement {hall: $hall, source: $source}) DELETE s`, map[string]any{"source": string(source)})
}

func (c change) MoveStatements(ctx context.Context, from, to graph.EntityID, keys []string) error {
	with := map[string]any{"from": string(from), "to": string(to), "keys": plain(keys), "some": keys != nil}
	if err := c.exec(ctx, `MATCH (s:MootStatement {hall: $hall}) WHERE s.subject = $from AND (NOT $some OR s.subject_key IN $keys) SET s.subject = $to`, with); err != nil {
		return err
	}
	return c.exec(ctx, `MATCH (s:MootStatement {hall: $hall, object: $from}) WHERE NOT $some OR s.object_key IN $keys SET s.object = $to`, with)
}

func (v view) Merges(ctx context.Context) ([]graph.Merge, error) {
	type stored struct {
		merge graph.Merge
		gone  string
	}
	list, err := all(ctx, v, func(r *row) stored {
		return stored{graph.Merge{ID: r.text(), At: graph.Instant(r.number()), Keep: graph.EntityID(r.text())}, r.text()}
	}, `MATCH (m:MootMerge {hall: $hall}) RETURN m.id, m.at, m.keep, m.gone ORDER BY m.n DESC`, nil)
	if err != nil {
		return nil, err
	}
	var out []graph.Merge
	for _, s := range list {
		if err := json.Unmarshal([]byte(s.gone), &s.merge.Gone); err != nil {
			return nil, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read graph", Message: "a merge of the graph cannot be read", Err: err}
		}
		out = append(out, s.merge)
	}
	return out, nil
}

func (c change) PutMerge(ctx context.Context, m graph.Merge) error {
	gone, err := json.Marshal(m.Gone)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "keep merge", Err: err}
	}
	return c.exec(ctx, `MATCH (h:MootHall {hall: $hall}) SET h.merges = coalesce(h.merges, 0) + 1
		CREATE (:MootMerge {hall: $hall, id: $id, n: h.merges, at: $at, keep: $keep, gone: $gone})`,
		map[string]any{"id": m.ID, "at": int64(m.At), "keep": string(m.Keep), "gone": string(gone)})
}

func (c change) DropMerge(ctx context.Context, id string) error {
	return c.exec(ctx, `MATCH (m:MootMerge {hall: $hall, id: $id}) DELETE m`, map[string]any{"id": id})
}
