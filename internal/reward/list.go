package reward

import (
	"context"
	"strings"

	"moothall"
	"moothall/internal/store"
)

// maxListed is how many judgements one call returns at most.
const maxListed = 10_000

// Judgements lists what is known of answers, the newest first; of one turn in
// the order of the respondents' names. Since is included, Before is not.
func (k *Keeper) Judgements(ctx context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	leave, err := k.enter("list judgements")
	if err != nil {
		return nil, err
	}
	defer leave()
	out := []moothall.Judgement{}
	err = k.o.DB.Read(ctx, func(tx *store.Tx) error {
		ids, err := find(ctx, tx, q)
		if err != nil {
			return err
		}
		for _, id := range ids {
			n, err := gather(ctx, tx, moothall.QueryID(id[0]), moothall.RespondentID(id[1]))
			if err != nil {
				return err
			}
			if n.answer != nil {
				out = append(out, n.judgement())
			}
		}
		return nil
	})
	return out, err
}

func (n *known) judgement() moothall.Judgement {
	j := n.answer.Judgement
	j.Session = n.session()
	j.Critique, j.Pairing, j.Reward = n.critique, n.pairing, n.opinion.reward
	return j
}

// find returns turn and respondent of the rows that are asked for.
func find(ctx context.Context, tx *store.Tx, q moothall.JudgementQuery) ([][2]string, error) {
	where, args := []string{"source != 0"}, []any{}
	and := func(cond string, arg any) {
		where, args = append(where, cond), append(args, arg)
	}
	if q.Query != "" {
		and("query = ?", string(q.Query))
	}
	if q.Session != "" {
		and("session = ?", string(q.Session))
	}
	if !q.Since.IsZero() {
		and("at >= ?", q.Since.UnixMicro())
	}
	if !q.Before.IsZero() {
		and("at < ?", q.Before.UnixMicro())
	}
	limit := q.Limit
	if limit <= 0 {
		limit = 100
	}
	args = append(args, min(limit, maxListed))
	rows, err := tx.Query(ctx, `SELECT query, respondent FROM reward_rows WHERE `+strings.Join(where, " AND ")+
		` ORDER BY at DESC, query DESC, respondent LIMIT ?`, args...)
	if err != nil {
		return nil, err
	}
	var out [][2]string
	for rows.Next() {
		var id [2]string
		if err := rows.Scan(&id[0], &id[1]); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}
