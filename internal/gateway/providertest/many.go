package providertest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
)

func concurrent(t *testing.T, f Fixture) {
	var want, got []string
	for _, s := range strings.Split("abcdefghijklmnop", "") {
		want = append(want, strings.Repeat(s, 200))
		f.Script(Reply{Text: strings.Repeat(s, 200), Pieces: 20})
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range want {
		wg.Go(func() {
			text := ""
			for c, err := range f.Provider.Generate(t.Context(), ask(f)) {
				if err != nil {
					t.Error(err)
				}
				text += c.Text
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, text)
		})
	}
	wg.Wait()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Error("answers of concurrent callers are mixed up")
	}
}

func cards(t *testing.T, f Fixture) {
	if f.Provider.Name() == "" {
		t.Error("the provider has no name")
	}
	list, err := f.Provider.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(c moothall.ModelCard) bool { return c.Model == f.Model })
	if i < 0 {
		t.Fatalf("the list lacks %s: %v", f.Model, list)
	}
	card, err := f.Provider.Show(t.Context(), f.Model)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []moothall.ModelCard{list[i], card} {
		if c.Provider != f.Provider.Name() || c.Model != f.Model || c.Tools == "" || c.JSON == "" || c.Thinking == "" {
			t.Errorf("the card is not complete: %+v", c)
		}
	}
	_, err = f.Provider.Show(t.Context(), "no-such-model")
	wantCode(t, err, moothall.CodeNotFound)
}

func embedding(t *testing.T, f Fixture) {
	r := moothall.EmbedRequest{Model: f.Embedder, Purpose: "document", Texts: []string{"one", "two", "one"}}
	if f.Embedder == "" {
		r.Model = f.Model
		_, err := f.Provider.Embed(t.Context(), r)
		wantCode(t, err, moothall.CodeUnsupported)
		return
	}
	for range 300 {
		r.Texts = append(r.Texts, "filler")
	}
	e, err := f.Provider.Embed(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Vectors) != len(r.Texts) || e.Embedder != f.Provider.Name()+"/"+f.Embedder {
		t.Fatalf("%d vectors by %q for %d texts", len(e.Vectors), e.Embedder, len(r.Texts))
	}
	if len(e.Vectors[0]) == 0 || !slices.Equal(e.Vectors[0], e.Vectors[2]) || slices.Equal(e.Vectors[0], e.Vectors[1]) {
		t.Error("the vectors are not in the order of the texts")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.Provider.Embed(ctx, r)
	wantCode(t, err, moothall.CodeCanceled)
	e, err = f.Provider.Embed(t.Context(), moothall.EmbedRequest{Model: f.Embedder})
	if err != nil || len(e.Vectors) != 0 {
		t.Errorf("no texts give %d vectors, %v", len(e.Vectors), err)
	}
}
