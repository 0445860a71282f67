package reward

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"moothall"
	"moothall/internal/store"
)

// Report sums up the answers since a time, zero for all: how each model did,
// how far critic and person agree, and which model would be better in a role.
func (k *Keeper) Report(ctx context.Context, since time.Time) (moothall.Report, error) {
	leave, err := k.enter("report")
	if err != nil {
		return moothall.Report{}, err
	}
	defer leave()
	s := newSum()
	if err := k.o.DB.Read(ctx, func(tx *store.Tx) error { return s.read(ctx, tx, since) }); err != nil {
		return moothall.Report{}, err
	}
	r := moothall.Report{Since: since, Answers: s.answers, Models: s.models(), Calibration: s.calibration.report(), Proposals: []moothall.Proposal{}}
	if k.o.Bindings == nil {
		return r, nil
	}
	bindings, err := k.o.Bindings(ctx)
	if err != nil {
		// The rest of the report stands without them.
		k.o.Logger.Warn("no models can be proposed", "err", err)
		return r, nil
	}
	r.Proposals = propose(s, bindings, k.Settings())
	return r, nil
}

// row is what a report reads of one answer.
type row struct {
	query                  string
	source, at             int64
	failed                 bool
	result, grade, person  int
	reward                 float64 // counts where person does
	took, first            int64
	promptTokens, outputTk int64
}

// sum is a report being made.
type sum struct {
	answers     int
	sources     map[int64]*tally
	turn        []row // answers to one question
	matches     map[match]*record
	calibration calibration
}

func newSum() *sum {
	return &sum{sources: map[int64]*tally{}, matches: map[match]*record{}}
}

// read goes through the rows in the order of their turns, so that answers to
// one question come together.
func (s *sum) read(ctx context.Context, tx *store.Tx, since time.Time) error {
	if err := s.readSources(ctx, tx); err != nil {
		return err
	}
	from := int64(math.MinInt64)
	if !since.IsZero() {
		from = since.UnixMicro()
	}
	rows, err := tx.Query(ctx, `SELECT query, source, at, failed, result, grade, person, coalesce(reward, 0), took, first, prompt, output
		FROM reward_rows WHERE source != 0 AND at >= ? ORDER BY query, respondent`, from)
	if err != nil {
		return err
	}
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.query, &r.source, &r.at, &r.failed, &r.result, &r.grade, &r.person, &r.reward,
			&r.took, &r.first, &r.promptTokens, &r.outputTk); err != nil {
			return err
		}
		if s.nobodys(r) {
			continue
		}
		if len(s.turn) > 0 && s.turn[0].query != r.query {
			s.endTurn()
		}
		s.turn = append(s.turn, r)
		s.add(r)
	}
	s.endTurn()
	return rows.Err()
}

func (s *sum) readSources(ctx context.Context, tx *store.Tx) error {
	rows, err := tx.Query(ctx, `SELECT id, role, provider, model, respondent FROM reward_sources`)
	if err != nil {
		return err
	}
	for rows.Next() {
		var id int64
		t := new(tally)
		if err := rows.Scan(&id, &t.Role, &t.Provider, &t.Model, &t.Respondent); err != nil {
			return err
		}
		s.sources[id] = t
	}
	return rows.Err()
}

// nobodys reports a turn that ended before a model answered, such as one that
// asked for what is not there: it says nothing of how a model does.
func (s *sum) nobodys(r row) bool {
	by := s.sources[r.source]
	return r.failed && by.Role == "chat" && by.Provider == "" && by.Model == "" && r.promptTokens+r.outputTk == 0
}

func (s *sum) add(r row) {
	s.answers++
	s.sources[r.source].add(r)
	s.calibration.add(r)
}

// endTurn compares the answers to one question.
func (s *sum) endTurn() {
	if len(s.turn) == 0 {
		return
	}
	s.calibration.compared(s.turn)
	for i, a := range s.turn {
		for _, b := range s.turn[i+1:] {
			s.meet(a, b)
		}
	}
	s.turn = s.turn[:0]
}

// models returns the scores, by role, then the most used first.
func (s *sum) models() []moothall.ModelScore {
	out := []moothall.ModelScore{}
	for _, t := range s.sources {
		if t.Answers > 0 {
			out = append(out, t.score())
		}
	}
	slices.SortFunc(out, func(a, b moothall.ModelScore) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(b.Answers, a.Answers), cmp.Compare(a.Provider, b.Provider),
			cmp.Compare(a.Model, b.Model), cmp.Compare(a.Respondent, b.Respondent))
	})
	return out
}

// tally counts for one source.
type tally struct {
	moothall.ModelScore
	graded, points  int
	rewards         float64
	prompts, output int64
	took, first     []int64
}

func (t *tally) add(r row) {
	t.Answers++
	if r.failed {
		t.Failed++
	}
	switch r.result {
	case won:
		t.Wins++
	case lost:
		t.Losses++
	case tied:
		t.Ties++
	}
	if r.grade >= 1 {
		t.Grades[r.grade-1]++
		t.graded, t.points = t.graded+1, t.points+r.grade
	} else {
		t.Ungraded++
	}
	if r.person != 0 {
		t.Ratings++
		t.rewards += r.reward
	}
	t.prompts, t.output = t.prompts+r.promptTokens, t.output+r.outputTk
	// A time of 0 is one that nobody measured.
	if r.took > 0 {
		t.took = append(t.took, r.took)
	}
	if r.first > 0 {
		t.first = append(t.first, r.first)
	}
}

func (t *tally) score() moothall.ModelScore {
	s := t.ModelScore
	s.Score = mean(float64(t.points), t.graded)
	s.Reward = mean(t.rewards, t.Ratings)
	s.Prompt, s.Output = mean(float64(t.prompts), t.Answers), mean(float64(t.output), t.Answers)
	s.Took, s.FirstToken = median(t.took), median(t.first)
	return s
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// median sorts the values; of an even number it is the mean of the middle two.
func median(v []int64) time.Duration {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	m := len(v) / 2
	if len(v)%2 == 1 {
		return time.Duration(v[m])
	}
	return time.Duration(v[m-1] + (v[m]-v[m-1])/2)
}
