package embed_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/memory/embed"
)

func TestForgetTakesObserveBack(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	e.Observe("Ana likes tea and tea")
	kept := e.Snapshot()
	e.Observe("Bo likes coffee")
	e.Forget("Bo likes coffee")
	if !bytes.Equal(kept, e.Snapshot()) {
		t.Error("forgetting left traces")
	}
	e.Forget("Ana likes tea and tea")
	e.Forget("never observed")
	if !bytes.Equal(e.Snapshot(), embed.New(embed.Options{}).Snapshot()) {
		t.Error("forgetting all left traces")
	}
}

func TestSnapshotAndRestore(t *testing.T) {
	t.Parallel()
	a, b := embed.New(embed.Options{}), embed.New(embed.Options{})
	for _, text := range []string{"Ana likes tea", "Bo likes coffee", "Cy likes 東京"} {
		a.Observe(text)
	}
	if err := b.Restore(a.Snapshot()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.EmbedQuery("who likes tea"), b.EmbedQuery("who likes tea")) {
		t.Error("a restored embedder asks differently")
	}
	good := a.Snapshot()
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x40
		if err := b.Restore(bad); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Fatalf("byte %d damaged: %v", i, err)
		}
	}
	for i := range good {
		if err := b.Restore(good[:i]); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if !bytes.Equal(b.Snapshot(), good) {
		t.Error("a refused snapshot changed the statistics")
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	empty := e.Snapshot()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				e.Observe("Ana likes tea")
				e.EmbedQuery("tea")
				e.Embed("tea")
				e.Forget("Ana likes tea")
			}
		})
	}
	wg.Wait()
	if !bytes.Equal(e.Snapshot(), empty) {
		t.Error("counts were lost")
	}
}

func FuzzEmbed(f *testing.F) {
	e := embed.New(embed.Options{})
	for _, s := range []string{"", "Ana", "it’s ’s ' 7th", "漢字ｶﾅ", "\xff\u0301e", "Straße İ ﬁ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range [][]float32{e.Embed(text), e.EmbedQuery(text)} {
			n := dot(v, v)
			if len(v) != e.Dim() || n != n || n > 1.001 || n != 0 && n < 0.999 {
				t.Fatalf("length %d, squared %f", len(v), n)
			}
		}
		before := e.Snapshot()
		e.Observe(text)
		e.Forget(text)
		if !bytes.Equal(before, e.Snapshot()) {
			t.Fatal("observing and forgetting left traces")
		}
		for _, w := range e.Terms(text) {
			if w == "" {
				t.Fatal("an empty term")
			}
		}
	})
}

func FuzzRestore(f *testing.F) {
	e := embed.New(embed.Options{})
	f.Add(e.Snapshot())
	e.Observe("Ana likes tea")
	f.Add(e.Snapshot())
	f.Add([]byte("mhst\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := embed.New(embed.Options{})
		if err := e.Restore(data); err != nil {
			return
		}
		again := embed.New(embed.Options{})
		if err := again.Restore(e.Snapshot()); err != nil || !bytes.Equal(again.Snapshot(), e.Snapshot()) {
			t.Fatalf("what was restored does not survive: %v", err)
		}
	})
}
