package nn

import (
	"slices"
	"sync"
)

// CacheOptions says how much a cache keeps.
type CacheOptions struct {
	// Bytes bounds the memory of all kept keys and values together. Zero
	// means 48 MiB, about 3,000 tokens of the network that ships.
	Bytes int64
}

const defaultCacheBytes = 48 << 20

// Cache keeps sequences, so that one that begins in the same way goes on from
// there: the next round of a conversation, or another session with the same
// system prompt and tools. It is safe for concurrent use.
type Cache struct {
	model *Model
	limit int64

	mu   sync.Mutex
	kept []*Context // the least recently used first; nobody else has them
}

// NewCache returns an empty cache for the sequences of a model.
func NewCache(m *Model, o CacheOptions) *Cache {
	if o.Bytes == 0 {
		o.Bytes = defaultCacheBytes
	}
	return &Cache{model: m, limit: o.Bytes}
}

// Get returns a sequence of the caller's own that holds the longest known
// beginning of ids, and never all of them: what is left, ids[c.Len():], is to
// be fed, and gives the logits.
func (k *Cache) Get(ids []int32) *Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, most := -1, 0
	for i, c := range k.kept {
		if n := common(c.tokens, ids); n > most {
			at, most = i, n
		}
	}
	most = min(most, len(ids)-1)
	if at < 0 || most <= 0 {
		return k.model.NewContext()
	}
	k.touch(at)
	return k.kept[len(k.kept)-1].fork(most)
}

// touch makes an entry the most recently used one.
func (k *Cache) touch(i int) {
	c := k.kept[i]
	k.kept = append(slices.Delete(k.kept, i, i+1), c)
}

// Put gives a sequence to the cache, and with it the right to use it. Those
// that are beginnings of it are dropped, since it stands for them.
func (k *Cache) Put(c *Context) {
	if c.model != k.model || c.Len() == 0 {
		return
	}
	c.logits = nil
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, e := range k.kept {
		if common(e.tokens, c.tokens) == c.Len() {
			k.touch(i)
			return
		}
	}
	k.kept = slices.DeleteFunc(k.kept, func(e *Context) bool { return common(e.tokens, c.tokens) == e.Len() })
	k.kept = append(k.kept, c)
	for k.bytes() > k.limit {
		k.kept = slices.Delete(k.kept, 0, 1)
	}
}

// Clear drops everything.
func (k *Cache) Clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = nil
}

// Len returns how many sequences are kept.
func (k *Cache) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.kept)
}

// Bytes returns how much memory the kept keys and values take.
func (k *Cache) Bytes() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes()
}

// bytes counts a page that several share once.
func (k *Cache) bytes() int64 {
	seen := map[*page]struct{}{}
	for _, c := range k.kept {
		for _, p := range c.pages {
			seen[p] = struct{}{}
		}
	}
	return int64(len(seen)) * k.model.pageBytes()
}

// common returns the length of the common beginning.
func common(a, b []int32) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
