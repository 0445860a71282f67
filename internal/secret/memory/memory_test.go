package memory_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/secret/memory"
)

func TestStore(t *testing.T) {
	t.Parallel()
	s, ctx := memory.New(), t.Context()
	if _, err := s.Get(ctx, "a"); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("unknown: %v", err)
	}
	in := []byte("first")
	for _, v := range []string{"first", "again"} {
		copy(in, v)
		if err := s.Set(ctx, "a", in); err != nil {
			t.Fatal(err)
		}
		clear(in) // the store must not keep the caller's buffer
		got, err := s.Get(ctx, "a")
		if err != nil || string(got) != v {
			t.Errorf("%q, %v", got, err)
		}
		clear(got) // nor hand out its own
		if got, _ := s.Get(ctx, "a"); string(got) != v {
			t.Error("clearing what was returned cleared what is stored")
		}
	}
	if err := s.Delete(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(ctx, "a"); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestOver(t *testing.T) {
	t.Parallel()
	s := memory.New()
	if err := s.Set(t.Context(), "a", []byte("v")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, "a"); moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get(t.Context(), "a")
	for _, err := range []error{err, s.Ping(t.Context()), s.Set(t.Context(), "a", []byte("v")), s.Delete(t.Context(), "a")} {
		if moothall.ErrorCode(err) != moothall.CodeUnavailable {
			t.Errorf("closed: %v", err)
		}
	}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	s := memory.New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := fmt.Sprint("n", i%2)
			for range 100 {
				_ = s.Set(t.Context(), name, []byte(name))
				if v, err := s.Get(t.Context(), name); err != nil || string(v) != name {
					t.Errorf("%q, %v", v, err)
				}
			}
		})
	}
	wg.Wait()
}
