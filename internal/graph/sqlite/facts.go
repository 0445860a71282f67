package sqlite

import (
	"context"

	"moothall/internal/graph"
)

const factColumns = `id, subject, relation, object, told_from, starts, ends, observed, source, confidence, trust`

func scanFact(r scanner) (f graph.Fact, err error) {
	err = r.Scan(&f.ID, &f.Subject, &f.Relation, &f.Object, &f.From, &f.Start, &f.End, &f.Observed, &f.Source, &f.Confidence, &f.Trust)
	return f, err
}

// tenses are the conditions on time, each with two places for the moment.
var tenses = map[graph.Tense]string{
	graph.Is:   `starts <= ? AND ends > ?`,
	graph.Was:  `starts <= ? AND ends <= ?`,
	graph.Ever: `(1 OR ? OR ?)`,
}

func (v view) Touching(ctx context.Context, id graph.EntityID, tense graph.Tense, at graph.Instant, limit int) ([]graph.Fact, error) {
	when, order := tenses[tense], ` ORDER BY observed DESC, id LIMIT ?`
	if id == "" {
		return all(ctx, v.tx, scanFact, `SELECT `+factColumns+` FROM graph_facts WHERE `+when+order, int64(at), int64(at), limit)
	}
	// The two halves come in the order of their indexes and are merged, so
	// that a hub is not read beyond the limit.
	return all(ctx, v.tx, scanFact,
		`SELECT `+factColumns+` FROM graph_facts WHERE subject = ? AND `+when+
			` UNION ALL SELECT `+factColumns+` FROM graph_facts WHERE object = ? AND subject <> ? AND `+when+order,
		string(id), int64(at), int64(at), string(id), string(id), int64(at), int64(at), limit)
}

func (v view) Group(ctx context.Context, g graph.Group, after, before graph.Instant) ([]graph.Fact, error) {
	const rest = ` AND ends > ? AND starts < ? AND starts < ends ORDER BY starts, id`
	if g.Object == "" {
		return all(ctx, v.tx, scanFact, `SELECT `+factColumns+` FROM graph_facts INDEXED BY graph_facts_group WHERE subject = ? AND relation = ?`+rest,
			string(g.Subject), g.Relation, int64(after), int64(before))
	}
	return all(ctx, v.tx, scanFact, `SELECT `+factColumns+` FROM graph_facts INDEXED BY graph_facts_same WHERE subject = ? AND relation = ? AND object = ?`+rest,
		string(g.Subject), g.Relation, string(g.Object), int64(after), int64(before))
}

func (v view) PageFacts(ctx context.Context, after string, limit int) ([]graph.Fact, error) {
	return all(ctx, v.tx, scanFact, `SELECT `+factColumns+` FROM graph_facts WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
}

func (c change) PutFact(ctx context.Context, f graph.Fact) error {
	_, err := c.tx.Exec(ctx, `INSERT INTO graph_facts (`+factColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, relation = excluded.relation, object = excluded.object,
		told_from = excluded.told_from, starts = excluded.starts, ends = excluded.ends, observed = excluded.observed,
		source = excluded.source, confidence = excluded.confidence, trust = excluded.trust`,
		f.ID, string(f.Subject), f.Relation, string(f.Object), int64(f.From), int64(f.Start), int64(f.End), int64(f.Observed),
		string(f.Source), f.Confidence, string(f.Trust))
	return err
}

func (c change) DropFacts(ctx context.Context, g graph.Group) error {
	query, args := `DELETE FROM graph_facts WHERE subject = ? AND relation = ?`, []any{string(g.Subject), g.Relation}
	if g.Object != "" {
		query, args = query+` AND object = ?`, append(args, string(g.Object))
	}
	_, err := c.tx.Exec(ctx, query, args...)
	return err
}

func (v view) Counts(ctx context.Context) (graph.Counts, error) {
	var c graph.Counts
	err := v.tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM graph_entities), (SELECT count(*) FROM graph_statements),
		(SELECT count(*) FROM graph_facts), (SELECT count(*) FROM graph_facts WHERE ends = ?), (SELECT count(*) FROM graph_merges),
		(SELECT count(DISTINCT source) FROM graph_statements WHERE source <> '')`, int64(graph.Forever)).
		Scan(&c.Entities, &c.Statements, &c.Facts, &c.Open, &c.Merges, &c.Sources)
	return c, err
}
