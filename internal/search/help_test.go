package search_test

import (
	"context"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/canned"
)

// engine is a provider made of a function.
type engine struct {
	name  string
	calls atomic.Int32
	do    func(ctx context.Context, q search.Query) ([]search.Hit, error)
}

func (e *engine) Name() string { return e.name }

func (e *engine) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	e.calls.Add(1)
	q.Sent(e.name+".example", 100)
	return e.do(ctx, q)
}

func gives(name string, hits ...search.Hit) *engine {
	return &engine{name: name, do: func(context.Context, search.Query) ([]search.Hit, error) { return hits, nil }}
}

func fails(name string, err error) *engine {
	return &engine{name: name, do: func(context.Context, search.Query) ([]search.Hit, error) { return nil, err }}
}

func collect(seq iter.Seq2[moothall.SearchResult, error]) (out []moothall.SearchResult, err error) {
	for r, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

func find(t *testing.T, s *search.Service, r moothall.SearchRequest) ([]moothall.SearchResult, error) {
	t.Helper()
	return collect(s.For(moothall.ToolBroker).Search(t.Context(), r))
}

func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// tides is a small web about the sea.
func tides() *canned.Web {
	return canned.New(
		canned.Page{
			URL: "https://sea.example/tides", Title: "How tides work", Date: day("2026-02-01"), Language: "en",
			Text: "Tides are the rise and fall of the sea.\nThe moon pulls the water towards itself and raises a bulge on both sides of the earth, which is why most coasts have two tides each day.\nThe sun does the same at less than half the strength, so tides are highest when both pull in line.",
		},
		canned.Page{
			URL: "https://sea.example/spring", Title: "Spring tides explained", Date: day("2025-04-01"), Language: "en",
			Text: "A spring tide comes after each new and full moon.\nThe name has nothing to do with the season; it is an old word for leaping up. The range of the water is then about a fifth larger than on average.",
		},
		canned.Page{URL: "https://shop.example/kettles", Title: "Kettles", Text: "Cheap kettles for every kitchen, this week only, while stocks last, in five colours and two sizes."},
	)
}
