package reward

import (
	"context"
	"encoding/json"

	"moothall"
	"moothall/internal/store"
)

// note keeps a fact and brings the rows that it bears on up to date.
func (k *Keeper) note(ctx context.Context, f fact) error {
	made := 0
	err := k.o.DB.Write(ctx, func(tx *store.Tx) (err error) {
		made = 0
		if err := keepFact(ctx, tx, f); err != nil {
			return err
		}
		touched := []moothall.RespondentID{f.respondent}
		if f.kind == kindPairing {
			if touched, err = respondents(ctx, tx, f.query); err != nil {
				return err
			}
		}
		for _, r := range touched {
			n, err := rebuild(ctx, tx, f.query, r)
			if err != nil {
				return err
			}
			made += n
		}
		return nil
	})
	if err == nil {
		k.rows.Add(int64(made))
	}
	return err
}

// keepFact keeps a fact unless a later one of its kind is there.
func keepFact(ctx context.Context, tx *store.Tx, f fact) error {
	_, err := tx.Exec(ctx, `INSERT INTO reward_facts (query, respondent, kind, at, event, body) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (query, respondent, kind) DO UPDATE SET at = excluded.at, event = excluded.event, body = excluded.body
		WHERE (excluded.at, excluded.event) > (at, event)`,
		string(f.query), string(f.respondent), string(f.kind), f.at, string(f.event), string(f.body))
	return err
}

// respondents lists whose rows a comparison bears on. The shown one is always
// among them, so that a comparison that nothing else is known of ages too.
func respondents(ctx context.Context, tx *store.Tx, q moothall.QueryID) ([]moothall.RespondentID, error) {
	out := []moothall.RespondentID{shown}
	rows, err := tx.Query(ctx, `SELECT respondent FROM reward_rows WHERE query = ? AND respondent != ?`, string(q), string(shown))
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var r moothall.RespondentID
		if err := rows.Scan(&r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// known is all that is kept of one answer.
type known struct {
	answer   *answered
	critique *moothall.Critique
	pairing  *moothall.Pairing
	opinion  opinion
	latest   int64 // time of the latest fact
}

// gather reads what is kept of an answer.
func gather(ctx context.Context, tx *store.Tx, q moothall.QueryID, r moothall.RespondentID) (known, error) {
	var out known
	rows, err := tx.Query(ctx, `SELECT kind, at, body FROM reward_facts WHERE query = ? AND respondent IN (?, '')`, string(q), string(r))
	if err != nil {
		return out, err
	}
	for rows.Next() {
		var which, body string
		var at int64
		if err := rows.Scan(&which, &at, &body); err != nil {
			return out, err
		}
		if err := out.add(kind(which), body); err != nil {
			return out, err
		}
		out.latest = max(out.latest, at)
	}
	if err := rows.Err(); err != nil {
		return out, err
	}
	said, err := feedbackOn(ctx, tx, q, r)
	if err != nil {
		return out, err
	}
	out.opinion = opinionOf(said)
	out.latest = max(out.latest, out.opinion.at)
	return out, nil
}

func (n *known) add(which kind, body string) error {
	var into any
	switch which {
	case kindAnswer:
		n.answer = new(answered)
		into = n.answer
	case kindCritique:
		n.critique = new(moothall.Critique)
		into = n.critique
	default:
		n.pairing = new(moothall.Pairing)
		into = n.pairing
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read score", Message: "a stored " + string(which) + " cannot be read", Err: err}
	}
	return nil
}

// Results of a comparison for one of the two.
const (
	notCompared = iota
	won
	lost
	tied
	unclear
)

func (n *known) result(r moothall.RespondentID) int {
	switch p := n.pairing; {
	case p == nil || p.Outcome == moothall.Skipped:
		return notCompared
	case p.Outcome == moothall.Unknown:
		return unclear
	case p.Outcome == moothall.Tied:
		return tied
	case p.Winner == r:
		return won
	}
	return lost
}

const notGraded = -1

func (n *known) grade() int {
	switch c := n.critique; {
	case c == nil || c.Outcome == moothall.Skipped:
		return notGraded
	case c.Score == nil:
		return 0
	}
	return *n.critique.Score
}

// session is where the answer was given, as far as it is known.
func (n *known) session() moothall.SessionID {
	var all []moothall.SessionID
	if n.answer != nil {
		all = append(all, n.answer.Session)
	}
	if n.critique != nil {
		all = append(all, n.critique.Session)
	}
	if n.pairing != nil {
		all = append(all, n.pairing.Session)
	}
	if n.opinion.reward != nil {
		all = append(all, n.opinion.reward.Session)
	}
	return or(all...)
}

// rebuild derives the row of an answer from its facts, and returns 1 when the
// row is new.
func rebuild(ctx context.Context, tx *store.Tx, q moothall.QueryID, r moothall.RespondentID) (made int, err error) {
	n, err := gather(ctx, tx, q, r)
	if err != nil {
		return 0, err
	}
	var source int64
	a, at := answered{}, n.latest
	if n.answer != nil {
		a, at = *n.answer, n.answer.Time.UnixMicro()
		if source, err = sourceOf(ctx, tx, &a.Judgement); err != nil {
			return 0, err
		}
	}
	if err := tx.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM reward_rows WHERE query = ? AND respondent = ?)`, string(q), string(r)).Scan(&made); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `INSERT OR REPLACE INTO reward_rows (query, respondent, session, at, source, failed, result, grade,
		person, reward, took, first, prompt, output) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(q), string(r), string(n.session()), at, source, failed(&a), n.result(r), n.grade(),
		n.opinion.grade, n.opinion.rating, int64(a.Took), int64(a.First), a.Usage.PromptTokens, a.Usage.OutputTokens)
	return made, err
}

// sourceOf returns the number of who gave an answer.
func sourceOf(ctx context.Context, tx *store.Tx, j *moothall.Judgement) (id int64, err error) {
	args := []any{string(j.Role), j.Provider, j.Model, string(j.Respondent)}
	if _, err := tx.Exec(ctx, `INSERT INTO reward_sources (role, provider, model, respondent) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, args...); err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `SELECT id FROM reward_sources WHERE role = ? AND provider = ? AND model = ? AND respondent = ?`, args...).Scan(&id)
	return id, err
}
