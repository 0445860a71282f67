package graph

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"moothall"
)

// Answer is what a question found.
type Answer struct {
	Facts []moothall.GraphFact
	// Cut says that there is more than an answer may hold.
	Cut bool
}

// Graph streams what [Service.Search] finds.
func (s *Service) Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return func(yield func(moothall.GraphFact, error) bool) {
		a, err := s.Search(ctx, q)
		if err != nil {
			yield(moothall.GraphFact{}, err)
			return
		}
		for _, f := range a.Facts {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Search returns the facts about the people, places and things that a question
// names, then those about their neighbours, Depth steps on (0: none, at most
// [MaxDepth]). A question that names nothing gets the latest facts; one that
// names only what is not known gets none. Without History only what IS at the
// time asked for, with it also what WAS by then. Order: by distance; IS before
// WAS; the latest observed first; then by id.
//
// A name that is nobody's full name finds those whose name has all its words.
// In free text names are found wherever they stand.
func (s *Service) Search(ctx context.Context, q moothall.GraphQuery) (Answer, error) {
	var out Answer
	err := s.engine.Read(ctx, func(v View) error {
		w := &walk{
			view: v, at: instant(q.At, s.now()), history: q.History, limit: s.opt.Limit, fan: s.opt.Fan,
			seen: map[string]bool{}, been: map[EntityID]bool{}, who: map[EntityID]Entity{},
		}
		err := w.all(ctx, q)
		out = Answer{Facts: w.answer(), Cut: w.cut}
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	return out, nil
}

// walk goes through the graph breadth first.
type walk struct {
	view       View
	at         Instant
	history    bool
	limit, fan int

	facts []Fact // in the order of the answer
	cut   bool
	seen  map[string]bool   // facts
	been  map[EntityID]bool // entities, visited or about to be
	who   map[EntityID]Entity
}

func (w *walk) all(ctx context.Context, q moothall.GraphQuery) error {
	if len(q.People) == 0 && len(q.Locations) == 0 && q.Text == "" {
		return w.visit(ctx, []EntityID{""}, w.limit)
	}
	front, err := seeds(ctx, w.view, q)
	if err != nil {
		return err
	}
	for _, id := range front {
		w.been[id] = true
	}
	fan := w.limit // of those asked for, everything that fits
	for range min(max(q.Depth, 0), MaxDepth) + 1 {
		level := len(w.facts)
		if err := w.visit(ctx, front, fan); err != nil {
			return err
		}
		// A full answer goes on until it knows whether there is more.
		if front = w.next(w.facts[level:]); len(front) == 0 || w.cut && len(w.facts) >= w.limit {
			break
		}
		fan = min(w.fan, w.limit)
	}
	return nil
}

// visit adds the facts of a level.
func (w *walk) visit(ctx context.Context, front []EntityID, fan int) error {
	tenses := []Tense{Is}
	if w.history {
		tenses = append(tenses, Was)
	}
	for _, tense := range tenses {
		var level []Fact
		for _, id := range front {
			room := w.limit - len(w.facts) - len(level)
			got, err := w.view.Touching(ctx, id, tense, w.at, fan+1)
			if err != nil {
				return err
			}
			if len(got) > fan {
				got, w.cut = got[:fan], true
			}
			got = slices.DeleteFunc(got, func(f Fact) bool { return w.seen[f.ID] })
			if len(got) > room {
				got, w.cut = got[:room], true
			}
			for _, f := range got {
				w.seen[f.ID] = true
			}
			if level = append(level, got...); w.cut && len(w.facts)+len(level) >= w.limit {
				break
			}
		}
		slices.SortFunc(level, func(a, b Fact) int { return cmp.Or(cmp.Compare(b.Observed, a.Observed), cmp.Compare(a.ID, b.ID)) })
		w.facts = append(w.facts, level...)
	}
	return w.learn(ctx)
}

// learn looks up the names of the entities met since.
func (w *walk) learn(ctx context.Context) error {
	var ids []EntityID
	for _, f := range w.facts {
		for _, id := range []EntityID{f.Subject, f.Object} {
			if _, known := w.who[id]; !known {
				w.who[id] = Entity{}
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	got, err := w.view.Entities(ctx, ids)
	for id, e := range got {
		w.who[id] = e
	}
	return err
}

// next is the level after these facts. Values lead nowhere: that two people
// are of one age does not make them neighbours.
func (w *walk) next(facts []Fact) []EntityID {
	var front []EntityID
	for _, f := range facts {
		for _, id := range []EntityID{f.Subject, f.Object} {
			if !w.been[id] && w.who[id].Kind != Value {
				w.been[id] = true
				front = append(front, id)
			}
		}
	}
	return front
}

// statementOf tells facts of different trust that say the same.
type statementOf struct {
	Group
	was bool
}

// answer is the facts without those that a more trusted one says as well.
func (w *walk) answer() []moothall.GraphFact {
	best := map[statementOf]Fact{}
	key := func(f Fact) statementOf {
		return statementOf{Group{f.Subject, f.Relation, f.Object}, f.End <= w.at}
	}
	for _, f := range w.facts {
		if b, ok := best[key(f)]; !ok || rank(f.Trust) > rank(b.Trust) {
			best[key(f)] = f
		}
	}
	var out []moothall.GraphFact
	for _, f := range w.facts {
		if rank(best[key(f)].Trust) == rank(f.Trust) {
			out = append(out, render(f, w.who[f.Subject], w.who[f.Object]))
		}
	}
	return out
}
