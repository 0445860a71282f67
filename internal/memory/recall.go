package memory

import (
	"context"
	"iter"
	"slices"
	"strings"

	"moothall"
)

const opRecall = "recall memories"

// The modes of a query.
const (
	ModeStaged = "staged" // names, then descriptions, then corpora
	ModeFused  = "fused"  // words and vectors over corpora
	ModeAuto   = "auto"   // whichever the names allow
)

// The stages that a result can come from.
const (
	stageNames        = "names"
	stageDescriptions = "descriptions"
	stageCorpus       = "corpus"
	stageFused        = "fused"
	stageCache        = "cache"
)

// recall answers a query.
func (s *Service) recall(ctx context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return func(yield func(moothall.Recall, error) bool) {
		stages, results, err := s.answer(ctx, q)
		if err != nil {
			yield(moothall.Recall{}, wrap(opRecall, err))
			return
		}
		if q.Stages {
			for _, st := range stages {
				if !yield(st, nil) {
					return
				}
			}
		}
		for _, r := range s.dated(ctx, results) {
			if err := ctx.Err(); err != nil {
				yield(moothall.Recall{}, wrap(opRecall, err))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
		for _, r := range s.consult(ctx, q) {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// result is one of an answer, as the cache keeps it too.
type result struct {
	n      uint64
	recall moothall.Recall
}

// dated copies results, each with what holds now in place of what it says, and
// moves before it what says that. The graph may learn that later than the answer
// is kept, so it is asked each time; without its word the memories stand as they are.
func (s *Service) dated(ctx context.Context, results []result) []moothall.Recall {
	out := make([]moothall.Recall, len(results))
	ids := make([]moothall.MemoryID, len(results))
	for i, r := range results {
		out[i], ids[i] = r.copy(), r.recall.Entry.ID
	}
	if s.o.Graph == nil || len(ids) == 0 {
		return out
	}
	since, err := s.o.Graph.Since(ctx, ids)
	if err != nil {
		if ctx.Err() == nil {
			s.o.Logger.Warn("what memories say is not compared with the graph", "err", err)
		}
		return out
	}
	for i := range out {
		out[i].Since = since[out[i].Entry.ID]
	}
	for i := range out {
		for _, f := range out[i].Since {
			newer := slices.IndexFunc(out[i:], func(r moothall.Recall) bool { return r.Entry.ID == f.Source })
			if newer > 0 {
				moved := out[i+newer]
				out = slices.Insert(slices.Delete(out, i+newer, i+newer+1), i, moved)
			}
		}
	}
	return out
}

// copy shares nothing with what the cache holds.
func (r result) copy() moothall.Recall {
	out := r.recall
	e := cloneEntry(*out.Entry)
	out.Entry = &e
	return out
}

// answer finds the results of a query, in the cache or by search.
func (s *Service) answer(ctx context.Context, q moothall.MemoryQuery) ([]moothall.Recall, []result, error) {
	if err := s.complement(&q); err != nil {
		return nil, nil, err
	}
	epoch := s.cache.began()
	f, err := s.newFinder(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	s.stats.recalls.Add(1)
	if !q.Stages {
		if kept, ok := s.cache.get(q, f.key()); ok {
			s.recalled(ctx, q, kept)
			return nil, kept, nil
		}
	}
	results, err := s.distinct(ctx, q, f)
	if err != nil {
		return nil, nil, err
	}
	s.cache.put(q, f.key(), results, epoch)
	s.recalled(ctx, q, results)
	return f.stages, results, nil
}

// complement sets what the caller left open and refuses what makes no sense.
func (s *Service) complement(q *moothall.MemoryQuery) error {
	q.Text = strings.TrimSpace(strings.ToValidUTF8(q.Text, " "))
	if q.Mode == "" {
		q.Mode = s.o.Mode
	}
	switch {
	case q.Text == "":
		return moothall.Fail(moothall.CodeInvalid, opRecall, "the query is empty")
	case len(q.Text) > 1<<20:
		return moothall.Fail(moothall.CodeTooLarge, opRecall, "the query is longer than a megabyte")
	case q.Mode != ModeStaged && q.Mode != ModeFused && q.Mode != ModeAuto:
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: opRecall, Message: "there is no mode " + short(q.Mode, 40), Remedy: "use staged, fused or auto",
		}
	}
	if err := checkFilters(q); err != nil {
		return err
	}
	q.Source = strings.ToLower(strings.TrimSpace(q.Source))
	q.Text = short(q.Text, 8000)
	q.Results = min(or(max(q.Results, 0), 5), s.o.Limits.Results)
	q.TopK = min(max(or(max(q.TopK, 0), 20), q.Results), 10*s.o.Limits.Results)
	return nil
}

// checkFilters refuses filters with a word that no entry can have: an answer
// from everything, or from nothing, would look like one to the question.
func checkFilters(q *moothall.MemoryQuery) error {
	if q.MinTrust != "" && q.MinTrust != moothall.TrustExternal && rank(q.MinTrust) == 0 {
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: opRecall, Message: "there is no trust " + short(string(q.MinTrust), 40),
			Remedy: "use external, model or person",
		}
	}
	if err := checkKinds(opRecall, q.Kinds); err != nil {
		return err
	}
	return nil
}

// checkKinds refuses kinds that no memory has.
func checkKinds(op string, kinds []moothall.MemoryKind) error {
	for _, k := range kinds {
		if k != moothall.Engram && k != moothall.Fact && k != moothall.Document {
			return &moothall.Error{
				Code: moothall.CodeInvalid, Op: op, Message: "there is no kind of memory " + short(string(k), 40),
				Remedy: "use engram, fact or document",
			}
		}
	}
	return nil
}

// recalled notes that entries were read: for their counts, for whoever
// listens, and so that they are not stored again.
func (s *Service) recalled(ctx context.Context, q moothall.MemoryQuery, list []result) {
	if len(list) == 0 {
		return
	}
	now := s.o.Now()
	type told struct {
		ID    moothall.MemoryID `json:"id"`
		Name  string            `json:"name"`
		Trust moothall.Trust    `json:"trust"`
		Stage string            `json:"stage"`
		Score float64           `json:"score"`
	}
	var payload []told
	for _, r := range list {
		s.touched.add(r.n, now)
		s.recent.add(q.Session, r.n, r.recall.Segment)
		e := r.recall.Entry
		payload = append(payload, told{e.ID, e.Name, e.Trust, r.recall.Stage, r.recall.Score})
	}
	s.tell(ctx, moothall.SubjectMemoryRecalled, q.Scope, nil, map[string]any{"recalled": payload})
}

// distinct finds results of which no two are turns with the same question: who
// has asked something ten times would otherwise get back the question, five times
// over, and not what they once said of it. It looks further down where the place
// of some is taken so. What was answered to the very query comes last: it is no
// better founded than what it was made from.
func (s *Service) distinct(ctx context.Context, q moothall.MemoryQuery, f *finder) ([]result, error) {
	most := 10 * s.o.Limits.Results
	for {
		found, err := f.find(ctx)
		if err != nil {
			return nil, err
		}
		results, again, err := s.read(ctx, q, f, found)
		if err != nil {
			return nil, err
		}
		if again == 0 || len(results) >= q.Results || len(found) < f.q.Results || f.q.Results >= most {
			slices.SortStableFunc(results, func(a, b result) int { return later(a, q.Text) - later(b, q.Text) })
			return s.cut(ctx, q, f, results)
		}
		f.q.Results, f.q.TopK, f.stages = min(4*f.q.Results, most), min(4*f.q.TopK, 4*most), nil
	}
}

// later is 1 for a turn in which the same was asked, in the same words but perhaps
// the first few, and 0 for everything else.
func later(r result, query string) int {
	question := strings.ToLower(oneLine(r.recall.Entry.Name))
	query = strings.TrimRight(strings.ToLower(oneLine(query)), "?!. ")
	if r.recall.Entry.Kind == moothall.Engram && strings.Contains(question, "?") && strings.Contains(question, query) && 5*len(query) >= 3*len(question) {
		return 1
	}
	return 0
}

// read loads the entries that were found. Of turns with the same question it takes
// the newest; again is how many others there were.
func (s *Service) read(ctx context.Context, q moothall.MemoryQuery, f *finder, found []Match) (out []result, again int, err error) {
	ns := make([]uint64, len(found))
	score := make(map[uint64]float64, len(found))
	for i, m := range found {
		ns[i], score[m.N] = m.N, m.Score
	}
	records, err := s.o.Engine.At(ctx, ns, true)
	if err != nil {
		return nil, 0, err
	}
	asked := map[string]int{} // questions of turns, and where in out they are
	for i := range records {
		r := &records[i]
		if r.Proposed {
			continue
		}
		one := result{r.N, moothall.Recall{Stage: f.served, Entry: &r.Entry, Score: score[r.N]}}
		if question, turn := questionOf(r.Entry.Corpus); turn {
			if at, known := asked[question]; known {
				again++
				was := out[at].recall
				if was.Entry.Trust == r.Entry.Trust && r.Entry.Created.After(was.Entry.Created) {
					one.recall.Score = max(one.recall.Score, was.Score) // it stands in the place of the other
					out[at] = one
				}
				continue
			}
			asked[question] = len(out)
		}
		if len(out) == q.Results {
			break
		}
		out = append(out, one)
	}
	return out, again, nil
}

// cut takes out of each result what answers.
func (s *Service) cut(ctx context.Context, q moothall.MemoryQuery, f *finder, results []result) ([]result, error) {
	for i := range results {
		r := &results[i].recall
		r.Segment = r.Entry.Corpus
		if !q.Whole {
			r.Segment = s.extract(ctx, q, f, r.Entry)
			r.Entry.Corpus = ""
		}
	}
	return results, ctx.Err()
}

// rows turns matches into candidates, with their names.
func (s *Service) rows(ctx context.Context, list []Match) ([]moothall.Candidate, error) {
	ns := make([]uint64, len(list))
	for i, m := range list {
		ns[i] = m.N
	}
	records, err := s.o.Engine.At(ctx, ns, false)
	if err != nil {
		return nil, err
	}
	out := make([]moothall.Candidate, 0, len(records))
	for i := range records {
		at := slices.IndexFunc(list, func(m Match) bool { return m.N == records[i].N })
		out = append(out, moothall.Candidate{ID: records[i].Entry.ID, Name: records[i].Entry.Name, Score: list[at].Score})
	}
	return out, nil
}
