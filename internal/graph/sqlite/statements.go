package sqlite

import (
	"context"
	"encoding/json"

	"moothall"
	"moothall/internal/graph"
)

const statementColumns = `seq, id, subject, subject_name, relation, object, object_name, told_from, told_to, observed, source, confidence, trust`

func scanStatement(r scanner) (s graph.Statement, err error) {
	err = r.Scan(&s.Seq, &s.ID, &s.Subject, &s.SubjectName, &s.Relation, &s.Object, &s.ObjectName,
		&s.From, &s.To, &s.Observed, &s.Source, &s.Confidence, &s.Trust)
	return s, err
}

func (v view) said(ctx context.Context, rest string, args ...any) ([]graph.Statement, error) {
	return all(ctx, v.tx, scanStatement, `SELECT `+statementColumns+` FROM graph_statements WHERE `+rest, args...)
}

func (v view) Said(ctx context.Context, g graph.Group) ([]graph.Statement, error) {
	if g.Object == "" {
		return v.said(ctx, `subject = ? AND relation = ? ORDER BY seq`, string(g.Subject), g.Relation)
	}
	return v.said(ctx, `subject = ? AND relation = ? AND object = ? ORDER BY seq`, string(g.Subject), g.Relation, string(g.Object))
}

func (v view) SaidOf(ctx context.Context, id graph.EntityID) ([]graph.Statement, error) {
	return v.said(ctx, `subject = ? OR object = ? ORDER BY seq`, string(id), string(id))
}

func (v view) SaidBy(ctx context.Context, source moothall.MemoryID) ([]graph.Statement, error) {
	return v.said(ctx, `source = ? ORDER BY seq`, string(source))
}

func (v view) PageStatements(ctx context.Context, after int64, limit int) ([]graph.Statement, error) {
	return v.said(ctx, `seq > ? ORDER BY seq LIMIT ?`, after, limit)
}

func (v view) Used(ctx context.Context, id graph.EntityID) (used bool, err error) {
	err = v.tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM graph_statements WHERE subject = ?) OR EXISTS (SELECT 1 FROM graph_statements WHERE object = ?)`,
		string(id), string(id)).Scan(&used)
	return used, err
}

func (v view) Twin(ctx context.Context, s graph.Statement) (id string, err error) {
	err = v.tx.QueryRow(ctx, `SELECT id FROM graph_statements WHERE subject = ? AND relation = ? AND object = ? AND observed = ?
		AND told_from = ? AND told_to = ? AND source = ? AND trust = ? AND subject_key = ? AND object_key = ? ORDER BY seq LIMIT 1`,
		string(s.Subject), s.Relation, string(s.Object), int64(s.Observed), int64(s.From), int64(s.To), string(s.Source), string(s.Trust),
		graph.Key(s.SubjectName), graph.Key(s.ObjectName)).Scan(&id)
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return "", nil
	}
	return id, err
}

func (c change) PutStatement(ctx context.Context, s graph.Statement) error {
	_, err := c.tx.Exec(ctx, `INSERT INTO graph_statements (id, subject, subject_key, subject_name, relation, object, object_key, object_name,
		told_from, told_to, observed, source, confidence, trust) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.ID, string(s.Subject), graph.Key(s.SubjectName), s.SubjectName, s.Relation, string(s.Object), graph.Key(s.ObjectName), s.ObjectName,
		int64(s.From), int64(s.To), int64(s.Observed), string(s.Source), s.Confidence, string(s.Trust))
	return err
}

func (c change) DropStatements(ctx context.Context, source moothall.MemoryID) error {
	_, err := c.tx.Exec(ctx, `DELETE FROM graph_statements WHERE source = ?`, string(source))
	return err
}

func (c change) MoveStatements(ctx context.Context, from, to graph.EntityID, keys []string) error {
	for _, end := range []string{"subject", "object"} {
		query, args := `UPDATE graph_statements SET `+end+` = ? WHERE `+end+` = ?`, []any{string(to), string(from)}
		if keys != nil {
			query, args = query+` AND `+end+`_key IN (SELECT value FROM json_each(?))`, append(args, list(keys))
		}
		if _, err := c.tx.Exec(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}

func (v view) Merges(ctx context.Context) ([]graph.Merge, error) {
	return all(ctx, v.tx, func(r scanner) (m graph.Merge, err error) {
		var gone string
		if err := r.Scan(&m.ID, &m.At, &m.Keep, &gone); err != nil {
			return m, err
		}
		if err := json.Unmarshal([]byte(gone), &m.Gone); err != nil {
			return m, corrupt("a merge", err)
		}
		return m, nil
	}, `SELECT id, at, keep, gone FROM graph_merges ORDER BY n DESC`)
}

func (c change) PutMerge(ctx context.Context, m graph.Merge) error {
	gone, err := json.Marshal(m.Gone)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "keep merge", Err: err}
	}
	_, err = c.tx.Exec(ctx, `INSERT INTO graph_merges (id, n, at, keep, gone) VALUES (?, (SELECT coalesce(max(n), 0) + 1 FROM graph_merges), ?, ?, ?)`,
		m.ID, int64(m.At), string(m.Keep), string(gone))
	return err
}

func (c change) DropMerge(ctx context.Context, id string) error {
	_, err := c.tx.Exec(ctx, `DELETE FROM graph_merges WHERE id = ?`, id)
	return err
}
