package memory

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
)

// neighbourGap is how far apart in time two turns may be and still belong to
// one conversation.
const neighbourGap = 3 * time.Hour

// catalog holds the heads of all records that are no candidates. It answers
// filters during a search, and which turns stand beside each other.
type catalog struct {
	mu      sync.RWMutex
	heads   []Head             // by N; one with N 0 is not there
	threads map[string][]place // by place
	prints  map[uint64][]uint64
	live    int
	unseen  int    // of them
	turns   int    // of them in threads
	source  string // of the head that was put last: those of one import share it
}

// place is a turn in its thread.
type place struct {
	at int64
	n  uint64
}

func newCatalog() *catalog {
	return &catalog{threads: map[string][]place{}, prints: map[uint64][]uint64{}}
}

func comparePlaces(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) }

// put adds or replaces a head.
func (c *catalog) put(h Head) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(h.N)
	if need := int(h.N) + 1; need > len(c.heads) {
		c.heads = append(c.heads, make([]Head, need-len(c.heads))...)
	}
	if h.Source == c.source {
		h.Source = c.source
	}
	c.source = h.Source
	c.heads[h.N] = h
	c.live++
	if h.Unseen {
		c.unseen++
	}
	c.prints[h.Print] = append(c.prints[h.Print], h.N)
	if h.Thread != "" {
		c.turns++
		list := c.threads[h.Thread]
		p := place{h.Place, h.N}
		i, _ := slices.BinarySearchFunc(list, p, comparePlaces)
		c.threads[h.Thread] = slices.Insert(list, i, p)
	}
}

// remove takes a head out.
func (c *catalog) remove(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(n)
}

func (c *catalog) drop(n uint64) {
	if n >= uint64(len(c.heads)) || c.heads[n].N == 0 {
		return
	}
	h := c.heads[n]
	c.heads[n] = Head{}
	c.live--
	if h.Unseen {
		c.unseen--
	}
	if left := slices.DeleteFunc(c.prints[h.Print], func(m uint64) bool { return m == n }); len(left) > 0 {
		c.prints[h.Print] = left
	} else {
		delete(c.prints, h.Print)
	}
	if h.Thread != "" {
		c.turns--
		list := c.threads[h.Thread]
		if i, ok := slices.BinarySearchFunc(list, place{h.Place, n}, comparePlaces); ok {
			c.threads[h.Thread] = slices.Delete(list, i, i+1)
		}
		if len(c.threads[h.Thread]) == 0 {
			delete(c.threads, h.Thread)
		}
	}
}

// head returns what is known of a record.
func (c *catalog) head(n uint64) (Head, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if n >= uint64(len(c.heads)) {
		return Head{}, false
	}
	return c.heads[n], c.heads[n].N != 0
}

// size returns how many records there are, and how many of them are turns of
// threads.
func (c *catalog) size() (live, turns int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.live, c.turns
}

// same returns the records that have this print.
func (c *catalog) same(sum uint64) []uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.prints[sum])
}

// before returns up to most turns that stand before a place in a thread, the
// nearest first, as far as they belong to the same conversation.
func (c *catalog) before(thread string, at int64, when time.Time, most int) []uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	list := c.threads[thread]
	i, _ := slices.BinarySearchFunc(list, place{at, 0}, comparePlaces)
	var out []uint64
	for i--; i >= 0 && len(out) < most; i-- {
		if h := c.heads[list[i].n]; apart(h.Created, when) <= neighbourGap {
			out = append(out, list[i].n)
			continue
		}
		break
	}
	return out
}

// after is before in the other direction.
func (c *catalog) after(thread string, at int64, when time.Time, most int) []uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	list := c.threads[thread]
	i, _ := slices.BinarySearchFunc(list, place{at + 1, 0}, comparePlaces)
	var out []uint64
	for ; i < len(list) && len(out) < most; i++ {
		if h := c.heads[list[i].n]; apart(h.Created, when) <= neighbourGap {
			out = append(out, list[i].n)
			continue
		}
		break
	}
	return out
}

func apart(a, b time.Time) time.Duration { return a.Sub(b).Abs() }

// filter returns the test that a query puts to every record; nil when every
// record passes. The answer is worked out once: a search asks from several
// goroutines, and about more records the rarer those that pass are.
func (c *catalog) filter(q moothall.MemoryQuery) func(n uint64) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.unseen == 0 && len(q.Kinds) == 0 && len(q.Tags) == 0 && q.Thread == "" && q.Source == "" && rank(q.MinTrust) == 0 && q.Since.IsZero() && q.Until.IsZero() {
		return nil
	}
	pass := make([]uint64, len(c.heads)/64+1)
	test := func(n uint64) {
		if h := &c.heads[n]; h.N != 0 && wanted(h, &q) {
			pass[n/64] |= 1 << (n % 64)
		}
	}
	if q.Thread != "" {
		for _, p := range c.threads[q.Thread] {
			test(p.n)
		}
	} else {
		for n := range c.heads {
			test(uint64(n))
		}
	}
	return func(n uint64) bool { return n/64 < uint64(len(pass)) && pass[n/64]&(1<<(n%64)) != 0 }
}

// wanted reports whether a record is one that the query asks for, whose source
// [Service.complement] has put in small letters.
func wanted(h *Head, q *moothall.MemoryQuery) bool {
	switch {
	case h.Unseen, len(q.Kinds) > 0 && !slices.Contains(q.Kinds, h.Kind),
		q.Thread != "" && q.Thread != h.Thread,
		q.Source != "" && !strings.Contains(strings.ToLower(h.Source), q.Source),
		q.MinTrust != "" && rank(h.Trust) < rank(q.MinTrust),
		!q.Since.IsZero() && h.Created.Before(q.Since),
		!q.Until.IsZero() && h.Created.After(q.Until):
		return false
	}
	for _, t := range q.Tags {
		if !slices.Contains(h.Tags, t) {
			return false
		}
	}
	return true
}

// rank orders trust; what is not known is trusted least.
func rank(t moothall.Trust) int {
	switch t {
	case moothall.TrustPerson:
		return 2
	case moothall.TrustModel:
		return 1
	}
	return 0
}

// least returns the lower of two trusts.
func least(a, b moothall.Trust) moothall.Trust {
	if rank(a) <= rank(b) {
		return a
	}
	return b
}

// headOf is what the catalog keeps of a record.
func headOf(r *Record) Head {
	e := &r.Entry
	h := Head{
		N: r.N, Kind: e.Kind, Trust: e.Trust, Created: e.Created, Source: e.Source, Thread: e.Thread, Place: e.Place,
		Tags: slices.Clone(e.Tags), Part: r.Whole != "", Print: r.Print,
	}
	if e.Turn != nil {
		h.Score, h.Reward, h.Unseen = e.Turn.Score, e.Turn.Reward, e.Turn.Unseen()
	}
	return h
}
