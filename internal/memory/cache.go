package memory

import (
	"container/list"
	"fmt"
	"slices"
	"sync"
	"time"

	"moothall"
)

// cache keeps the answers of queries, found again by similar queries with the
// same filters. A write that could change an answer takes it away.
type cache struct {
	o   CacheOptions
	now func() time.Time

	mu           sync.Mutex
	order        *list.List // of *cached, the one used last in front
	byFilter     map[string][]*list.Element
	hits, misses uint64
	// epoch counts the calls that drop answers: what was found before such
	// a call must not be kept after it.
	epoch uint64
}

type cached struct {
	filter  string
	query   moothall.MemoryQuery
	text    uint64 // print of what the query says
	signs   string // what its words leave out
	vector  []float32
	results []result
	dies    time.Time
}

func newCache(o CacheOptions, now func() time.Time) *cache {
	return &cache{o: o, now: now, order: list.New(), byFilter: map[string][]*list.Element{}}
}

// filterOf spells out everything that makes two equal questions different.
func filterOf(q moothall.MemoryQuery) string {
	return fmt.Sprintf("%q %d %d %v %v %v %q %q %q %q %q %d %d", q.Mode, q.Results, q.TopK, q.Rerank, q.Weigh, q.Whole,
		q.Kinds, q.Tags, q.Thread, q.MinTrust, q.Source, q.Since.UnixMilli(), q.Until.UnixMilli())
}

// get returns the answer of a similar query.
func (c *cache) get(q moothall.MemoryQuery, v []float32) ([]result, bool) {
	if c.o.Entries < 0 {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, said, signs := c.now(), saidPrint(q.Text), marked(q.Text)
	var best *list.Element
	top := c.o.Threshold
	for _, el := range slices.Clone(c.byFilter[filterOf(q)]) {
		e := el.Value.(*cached)
		if !now.Before(e.dies) {
			c.remove(el)
			continue
		}
		if e.text == said {
			best = el
			break
		}
		// A number or a sign makes another question of the same words.
		if len(e.vector) == len(v) && e.signs == signs && bagOf(e.query.Text).numbers == bagOf(q.Text).numbers {
			if sim := cosine(e.vector, v); sim >= top {
				best, top = el, sim
			}
		}
	}
	if best == nil {
		c.misses++
		return nil, false
	}
	c.hits++
	c.order.MoveToFront(best)
	out := slices.Clone(best.Value.(*cached).results)
	for i := range out {
		out[i].recall.Stage = stageCache
	}
	return out, true
}

// began returns what put wants to know of the time before a search.
func (c *cache) began() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// put remembers an answer that was found since began returned the epoch. An
// empty one is not worth it.
func (c *cache) put(q moothall.MemoryQuery, v []float32, results []result, epoch uint64) {
	if c.o.Entries < 0 || len(results) == 0 {
		return
	}
	q.Stages = false
	e := &cached{filter: filterOf(q), query: q, text: saidPrint(q.Text), signs: marked(q.Text), vector: v, dies: c.now().Add(c.ttl(results))}
	for _, r := range results {
		e.results = append(e.results, result{r.n, r.copy()})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	el := c.order.PushFront(e)
	c.byFilter[e.filter] = append(c.byFilter[e.filter], el)
	for c.order.Len() > c.o.Entries {
		c.remove(c.order.Back())
	}
}

// ttl is the shortest of those of the kinds in an answer.
func (c *cache) ttl(results []result) time.Duration {
	least := time.Duration(-1)
	for _, r := range results {
		d, ok := c.o.TTL[r.recall.Entry.Kind]
		if !ok {
			d = c.o.Default
		}
		if least < 0 || d < least {
			least = d
		}
	}
	return least
}

func (c *cache) remove(el *list.Element) {
	e := c.order.Remove(el).(*cached)
	left := slices.DeleteFunc(c.byFilter[e.filter], func(o *list.Element) bool { return o == el })
	if len(left) == 0 {
		delete(c.byFilter, e.filter)
		return
	}
	c.byFilter[e.filter] = left
}

// written drops the answers that hold a record, and those that it might have
// been in: every one whose filters it passes.
func (c *cache) written(r *Record) {
	h := headOf(r)
	c.drop(func(e *cached) bool { return wanted(&h, &e.query) || e.holds(r.N) })
}

// forgotten drops the answers that hold a record.
func (c *cache) forgotten(n uint64) { c.drop(func(e *cached) bool { return e.holds(n) }) }

// clear drops all answers.
func (c *cache) clear() { c.drop(func(*cached) bool { return true }) }

func (e *cached) holds(n uint64) bool {
	return slices.ContainsFunc(e.results, func(r result) bool { return r.n == n })
}

func (c *cache) drop(dead func(*cached) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for el := c.order.Front(); el != nil; {
		next := el.Next()
		if dead(el.Value.(*cached)) {
			c.remove(el)
		}
		el = next
	}
}

func (c *cache) figures() (hits, misses uint64, entries int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.order.Len()
}
