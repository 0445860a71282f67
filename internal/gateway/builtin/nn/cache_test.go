package nn_test

import (
	"slices"
	"sync"
	"testing"

	"moothall/internal/gateway/builtin/nn"
)

// filled returns a sequence of tokens.
func filled(t testing.TB, m *nn.Model, ids []int32) *nn.Context {
	t.Helper()
	c := m.NewContext()
	feed(t, c, ids)
	return c
}

func TestCacheFindsTheLongest(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 1))
	k := nn.NewCache(m, nn.CacheOptions{})
	system, a, b := prompt(thin, 100, 1), prompt(thin, 30, 2), prompt(thin, 30, 3)
	k.Put(filled(t, m, slices.Concat(system, a)))
	k.Put(filled(t, m, prompt(thin, 50, 4)))
	for _, c := range []struct {
		name string
		ids  []int32
		want int
	}{
		{"another session", slices.Concat(system, b), 100},
		{"the next round", slices.Concat(system, a, b), 130},
		{"the same again", slices.Concat(system, a), 129},
		{"its beginning", system[:40], 39},
		{"nothing in common", append([]int32{64, 64}, system...), 0},
		{"one token", system[:1], 0},
		{"none", nil, 0},
	} {
		got := k.Get(c.ids)
		if got.Len() != c.want || !slices.Equal(got.Tokens(), c.ids[:c.want]) {
			t.Errorf("%s: %d tokens, want %d", c.name, got.Len(), c.want)
			continue
		}
		if len(c.ids) == 0 {
			continue
		}
		want := feed(t, m.NewContext(), c.ids)
		if logits := feed(t, got, c.ids[got.Len():]); !slices.Equal(logits, want) {
			t.Errorf("%s: other logits than from anew", c.name)
		}
	}
}

func TestCacheDropsBeginnings(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 1))
	k := nn.NewCache(m, nn.CacheOptions{})
	ids := prompt(thin, 90, 1)
	k.Put(filled(t, m, ids[:50]))
	next := k.Get(ids)
	feed(t, next, ids[next.Len():])
	k.Put(next)
	if k.Len() != 1 || k.Get(append(ids, 1)).Len() != 90 {
		t.Errorf("%d kept, %d tokens of the longer", k.Len(), k.Get(append(ids, 1)).Len())
	}
	k.Put(filled(t, m, ids[:20]))
	k.Put(m.NewContext())
	if k.Len() != 1 {
		t.Errorf("%d kept after a beginning and an empty one", k.Len())
	}
	k.Put(filled(t, open(t, nn.Kernels()[0], build(thin, 2)), prompt(thin, 5, 9)))
	if k.Len() != 1 {
		t.Error("a sequence of another model was kept")
	}
	k.Clear()
	if k.Len() != 0 || k.Bytes() != 0 {
		t.Error("cleared, but not empty")
	}
}

func TestCacheBound(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 1))
	page := filled(t, m, prompt(thin, 1, 1)).Bytes()
	k := nn.NewCache(m, nn.CacheOptions{Bytes: 4 * page})
	first, second, third := prompt(thin, 70, 1), prompt(thin, 70, 2), prompt(thin, 70, 3)
	k.Put(filled(t, m, first))
	k.Put(filled(t, m, second))
	k.Get(first) // now the second is the least recently used
	k.Put(filled(t, m, third))
	if k.Get(first).Len() != 69 || k.Get(second).Len() != 0 || k.Get(third).Len() != 69 {
		t.Error("it was not the least recently used that went")
	}
	if k.Bytes() > 4*page {
		t.Errorf("%d bytes kept, %d allowed", k.Bytes(), 4*page)
	}
	// Two that share a page count it once, so that both stay.
	k.Clear()
	ids := slices.Concat(first[:64], second[:10])
	k.Put(filled(t, m, first))
	c := k.Get(ids)
	feed(t, c, ids[c.Len():])
	k.Put(c)
	if k.Len() != 2 || k.Bytes() != 3*page {
		t.Errorf("%d kept in %d bytes, want 2 in %d", k.Len(), k.Bytes(), 3*page)
	}
	k.Put(filled(t, m, prompt(thin, 300, 5)))
	if k.Bytes() > 4*page {
		t.Errorf("one that is too long is kept: %d bytes", k.Bytes())
	}
}

// TestCacheConcurrent has several sessions with one beginning, each of which
// must get the logits that it would get alone.
func TestCacheConcurrent(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 1))
	k := nn.NewCache(m, nn.CacheOptions{})
	system := prompt(thin, 100, 1)
	var done sync.WaitGroup
	for s := range 4 {
		ids := slices.Concat(system, prompt(thin, 60, uint64(10+s)))
		want := slices.Clone(feed(t, m.NewContext(), ids))
		done.Go(func() {
			for range 5 {
				c := k.Get(ids)
				got, err := c.Feed(t.Context(), ids[c.Len():])
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("session %d: other logits, %v", s, err)
				}
				k.Put(c)
			}
		})
	}
	done.Wait()
}
