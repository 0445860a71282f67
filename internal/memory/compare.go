package memory

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"moothall"
	"moothall/internal/memory/passage"
)

const (
	aboutScore   = 0.55 // cosine from which an entry is compared word by word
	sameWords    = 0.9  // share of words that near-duplicates have in common
	contestedTag = "contested"
)

// compare looks for an entry that says the same, which then takes the new one
// up and is returned, and for entries that say otherwise, which are linked
// and marked on both sides. Turns are never the same: each was said.
func (s *Service) compare(ctx context.Context, rec *Record, c *Change) (*Record, error) {
	e := &rec.Entry
	if e.Kind == moothall.Engram || e.Thread != "" || rec.N != 0 || len(rec.Vectors) == 0 {
		return nil, nil
	}
	ns := s.catalog.same(rec.Print)
	hits, err := s.local.corpora.Search(rec.Vectors[0].Corpus, 8, func(n uint64) bool {
		h, ok := s.catalog.head(n)
		return ok && h.Kind == e.Kind && h.Thread == "" && !h.Part
	})
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if float64(h.Score) >= aboutScore && !slices.Contains(ns, h.ID) {
			ns = append(ns, h.ID)
		}
	}
	slices.Sort(ns) // the oldest is the one that stays
	records, err := s.o.Engine.At(ctx, ns[:min(len(ns), 64)], true)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if same(&records[i], rec) {
			return s.takeUp(ctx, &records[i], rec)
		}
	}
	s.contest(records, rec, c)
	return nil, nil
}

// same reports whether two entries of equal trust say the same thing in
// nearly the same words.
func same(a, b *Record) bool {
	x, y := &a.Entry, &b.Entry
	if x.Kind != y.Kind || x.Trust != y.Trust || x.Thread != "" || a.Whole != "" || x.Speaker != y.Speaker || x.Turn != nil {
		return false
	}
	if a.Print == b.Print {
		return marked(x.Corpus) == marked(y.Corpus) && marked(x.Name) == marked(y.Name)
	}
	return near(x, y) && marked(x.Corpus) == marked(y.Corpus)
}

// near reports whether two entries have nearly the same words.
func near(x, y *moothall.MemoryEntry) bool {
	if len(x.Corpus) > 4*len(y.Corpus)+64 || len(y.Corpus) > 4*len(x.Corpus)+64 {
		return false
	}
	p, q := bagOf(x.Name+" "+x.Corpus), bagOf(y.Name+" "+y.Corpus)
	// A name made of the text repeats its negation.
	return p.share(q) >= sameWords && p.numbers == q.numbers && bagOf(x.Corpus).negated == bagOf(y.Corpus).negated
}

// takeUp adds a near-duplicate to the entry that is there already.
func (s *Service) takeUp(ctx context.Context, kept, rec *Record) (*Record, error) {
	kept.Merged++
	e := &kept.Entry
	for _, t := range rec.Entry.Tags {
		if !slices.Contains(e.Tags, t) && len(e.Tags) < s.o.Limits.Tags {
			e.Tags = append(e.Tags, t)
		}
	}
	for _, id := range rec.Entry.Correlates {
		if !slices.Contains(e.Correlates, id) && id != e.ID {
			e.Correlates = append(e.Correlates, id)
		}
	}
	// What both were made from is not joined: forgetting a source of the
	// duplicate must not take away what was there before it.
	if err := s.commit(ctx, &Change{Notes: []*Record{kept}}); err != nil {
		return nil, err
	}
	s.stats.merged.Add(1)
	return kept, nil
}

// contest links a fact with those that it contradicts. Neither is changed in
// what it says: which of them holds is for a reader to decide.
func (s *Service) contest(records []Record, rec *Record, c *Change) {
	if rec.Entry.Kind != moothall.Fact {
		return
	}
	mark := func(e *moothall.MemoryEntry, other moothall.MemoryID) {
		if !slices.Contains(e.Correlates, other) {
			e.Correlates = append(e.Correlates, other)
		}
		if !slices.Contains(e.Tags, contestedTag) {
			e.Tags = append(e.Tags, contestedTag)
		}
	}
	for i := range records {
		other := &records[i]
		if other.Entry.ID == rec.Entry.ID || !contradicts(other.Entry.Corpus, rec.Entry.Corpus) {
			continue
		}
		mark(&rec.Entry, other.Entry.ID)
		mark(&other.Entry, rec.Entry.ID)
		c.Notes = append(c.Notes, other)
		s.stats.contested.Add(1)
	}
}

// settledBy returns the entries that nothing contradicts any more when these are
// gone, without mark and links.
func (s *Service) settledBy(ctx context.Context, gone []Record) (out []*Record, err error) {
	going := func(id moothall.MemoryID) bool {
		return slices.ContainsFunc(gone, func(g Record) bool { return g.Entry.ID == id })
	}
	var ids []moothall.MemoryID
	for _, g := range gone {
		for _, id := range g.Entry.Correlates {
			if slices.Contains(g.Entry.Tags, contestedTag) && !going(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	found, err := s.o.Engine.Get(ctx, ids)
	for i := range found {
		e := &found[i].Entry
		rival := func(r Record) bool { return contradicts(r.Entry.Corpus, e.Corpus) }
		if !slices.Contains(e.Tags, contestedTag) || !slices.ContainsFunc(gone, rival) {
			continue
		}
		e.Correlates = slices.DeleteFunc(e.Correlates, going)
		left, err := s.o.Engine.Get(ctx, e.Correlates)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(left, rival) {
			e.Tags = slices.DeleteFunc(e.Tags, func(t string) bool { return t == contestedTag })
		}
		out = append(out, &found[i])
	}
	return out, err
}

// contradicts reports whether two short statements differ in a negation, or
// in the object of a relation that has only one. It misses much and is meant
// to: a mark must mean something.
func contradicts(a, b string) bool {
	if len(a) > 600 || len(b) > 600 {
		return false
	}
	p, q := bagOf(a), bagOf(b)
	if p.negated != q.negated && p.share(q) >= sameWords-0.1 {
		return true
	}
	for _, x := range passage.Relations(a) {
		for _, y := range passage.Relations(b) {
			if strings.EqualFold(x.Subject, y.Subject) && x.Relation == y.Relation && !strings.EqualFold(x.Object, y.Object) && single(x.Relation) {
				return true
			}
		}
	}
	return false
}

// single reports whether a thing has only one of a relation at a time.
func single(relation string) bool {
	switch strings.ReplaceAll(strings.ToLower(relation), "_", " ") {
	case "lives in", "live in", "works at", "works for", "is married to", "married to", "born in", "was born in", "born on", "moved to", "age", "is aged":
		return true
	}
	return false
}

// bag is what is compared of a text.
type bag struct {
	words   map[string]bool
	numbers string // in order
	negated bool
}

func bagOf(text string) bag {
	b := bag{words: map[string]bool{}}
	var last string
	eachWord(text, func(w string) bool {
		switch {
		case unicode.IsDigit([]rune(w)[0]):
			b.numbers += w + " "
		case w == "not", w == "no", w == "never", w == "nor", w == "t" && strings.HasSuffix(last, "n"):
			b.negated = !b.negated
		case !idle[w]:
			b.words[w] = true
		}
		last = w
		return len(b.words) < 4096
	})
	return b
}

// share is that of words which two texts have in common.
func (b bag) share(o bag) float64 {
	if len(b.words) == 0 && len(o.words) == 0 {
		return 0
	}
	both := 0
	for w := range b.words {
		if o.words[w] {
			both++
		}
	}
	return float64(both) / float64(len(b.words)+len(o.words)-both)
}
