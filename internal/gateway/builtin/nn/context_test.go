package nn_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/nn"
)

// TestAnyDivision feeds the same tokens in many ways: all must give the very
// same bits.
func TestAnyDivision(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, kernel string) {
		m := open(t, kernel, build(thin, 4))
		ids := prompt(thin, 203, 4)
		want := slices.Clone(feed(t, m.NewContext(), ids))
		for _, step := range []int{1, 3, 17, nn.Page, 100} {
			c := m.NewContext()
			var got []float32
			for part := range slices.Chunk(ids, step) {
				got = feed(t, c, part)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d at a time gives other logits", step)
			}
		}
	})
}

func TestTruncateAndFork(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, kernel string) {
		m := open(t, kernel, build(thin, 5))
		ids, other := prompt(thin, 200, 5), prompt(thin, 90, 6)
		for _, n := range []int{0, nn.Page - 1, nn.Page, nn.Page + 1, 200} {
			fresh := m.NewContext()
			want := slices.Clone(feed(t, fresh, slices.Concat(ids[:n], other)))
			c := m.NewContext()
			feed(t, c, ids)
			fork := c.Fork()
			c.Truncate(n)
			if c.Len() != n || fork.Len() != 200 {
				t.Fatalf("lengths %d and %d", c.Len(), fork.Len())
			}
			if !slices.Equal(feed(t, c, other), want) {
				t.Errorf("truncated to %d: other logits than from anew", n)
			}
			if !slices.Equal(c.Tokens(), slices.Concat(ids[:n], other)) {
				t.Errorf("truncated to %d: other tokens", n)
			}
			fork.Truncate(n)
			if !slices.Equal(feed(t, fork, other), want) {
				t.Errorf("forked, then truncated to %d: other logits", n)
			}
		}
	})
}

// TestForksAreApart lets two sequences go on from one page.
func TestForksAreApart(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 7))
	ids := prompt(thin, 80, 7)
	a := m.NewContext()
	feed(t, a, ids)
	want := slices.Clone(feed(t, a.Fork(), []int32{5}))
	b := a.Fork()
	feed(t, b, prompt(thin, 70, 8))
	if got := feed(t, a, []int32{5}); !slices.Equal(got, want) {
		t.Error("what a fork was fed changed its origin")
	}
	if a.Bytes() == 0 || b.Bytes() <= a.Bytes() {
		t.Errorf("%d and %d bytes", a.Bytes(), b.Bytes())
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 9))
	c := m.NewContext()
	feed(t, c, prompt(thin, 10, 1))
	for _, k := range []struct {
		name string
		ids  []int32
		want moothall.Code
	}{
		{"none", nil, moothall.CodeInvalid},
		{"negative", []int32{1, -1}, moothall.CodeInvalid},
		{"beyond the vocabulary", []int32{int32(thin.Vocab)}, moothall.CodeInvalid},
		{"beyond the window", make([]int32, thin.Window-9), moothall.CodeTooLarge},
	} {
		if _, err := c.Feed(t.Context(), k.ids); moothall.ErrorCode(err) != k.want {
			t.Errorf("%s: %v", k.name, err)
		}
		if c.Len() != 10 {
			t.Fatalf("%s: %d tokens are left", k.name, c.Len())
		}
	}
	feed(t, c, make([]int32, thin.Window-10))
	if c.Len() != thin.Window {
		t.Errorf("%d tokens in a window of %d", c.Len(), thin.Window)
	}
}

// patience is a context that ends after so many looks at it.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancel(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, kernel string) {
		m := open(t, kernel, build(thin, 10))
		ids := prompt(thin, 210, 10)
		want := slices.Clone(feed(t, m.NewContext(), ids))
		for _, looks := range []int{1, 2, 3, 5} {
			c := m.NewContext()
			_, err := c.Feed(&patience{t.Context(), looks}, ids)
			if err == nil {
				continue // few batches on a machine of many processors
			}
			if moothall.ErrorCode(err) != moothall.CodeCanceled || !errors.Is(err, context.Canceled) {
				t.Fatalf("ended by %v", err)
			}
			if c.Len() >= len(ids) {
				t.Fatalf("cancelled, but %d tokens are done", c.Len())
			}
			if got := feed(t, c, ids[c.Len():]); !slices.Equal(got, want) {
				t.Errorf("cancelled at look %d, it goes on with other logits", looks)
			}
		}
		c := m.NewContext()
		if _, err := c.Feed(&patience{t.Context(), 0}, ids); err == nil || c.Len() != 0 {
			t.Errorf("a context that has ended: %v, %d tokens", err, c.Len())
		}
	})
}

// TestConcurrent uses one model for several sequences at once.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	m := open(t, nn.Kernels()[0], build(thin, 11))
	ids := prompt(thin, 120, 11)
	want := slices.Clone(feed(t, m.NewContext(), ids))
	results := make(chan []float32)
	for range 4 {
		go func() {
			logits, _ := m.NewContext().Feed(t.Context(), ids)
			results <- logits
		}()
	}
	for range 4 {
		if got := <-results; !slices.Equal(got, want) {
			t.Error("another goroutine got other logits")
		}
	}
}
