package neo4j

import (
	"context"
	"maps"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"moothall"
)

// view reads.
type view struct {
	e  *Engine
	tx neo4j.ExplicitTransaction
}

// change reads and writes.
type change struct{ view }

// rows asks. Every query has the parameter $hall beside those given.
func (v view) rows(ctx context.Context, query string, with map[string]any) ([]row, error) {
	if ctx.Err() != nil {
		return nil, failure(ctx, "query graph", ctx.Err())
	}
	limited, cancel := context.WithTimeout(ctx, v.e.o.Timeout)
	defer cancel()
	all := map[string]any{"hall": v.e.o.Hall}
	maps.Copy(all, with)
	result, err := v.tx.Run(limited, query, all)
	if err != nil {
		return nil, failure(ctx, "query graph", err)
	}
	records, err := result.Collect(limited)
	if err != nil {
		return nil, failure(ctx, "query graph", err)
	}
	out := make([]row, len(records))
	for i, r := range records {
		out[i] = row{values: r.Values}
	}
	return out, nil
}

func (c change) exec(ctx context.Context, query string, with map[string]any) error {
	_, err := c.rows(ctx, query, with)
	return err
}

// all asks and reads every row.
func all[T any](ctx context.Context, v view, scan func(*row) T, query string, with map[string]any) ([]T, error) {
	rows, err := v.rows(ctx, query, with)
	if err != nil {
		return nil, err
	}
	var out []T
	for _, r := range rows {
		one := scan(&r)
		if r.wrong || r.at != len(r.values) {
			return nil, moothall.Fail(moothall.CodeCorrupt, "read graph", "the Neo4j server holds something that the hall did not write")
		}
		out = append(out, one)
	}
	return out, nil
}

// row is a result being read from left to right.
type row struct {
	values []any
	at     int
	wrong  bool // a value was of another type
}

// take reads the next value.
func take[T any](r *row) T {
	var none T
	if r.at >= len(r.values) {
		r.wrong = true
		return none
	}
	v, ok := r.values[r.at].(T)
	r.at++
	r.wrong = r.wrong || !ok
	return v
}

func (r *row) text() string    { return take[string](r) }
func (r *row) number() int64   { return take[int64](r) }
func (r *row) truth() bool     { return take[bool](r) }
func (r *row) float() float64  { return take[float64](r) }
func (r *row) texts() []string { return words(take[[]any](r), &r.wrong) }

func words(list []any, wrong *bool) []string {
	var out []string
	for _, v := range list {
		s, ok := v.(string)
		*wrong = *wrong || !ok
		out = append(out, s)
	}
	return out
}

// plain makes a list that the driver can send.
func plain[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}
