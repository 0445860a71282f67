package gateway

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	"moothall"
)

// nobody is a local server that says nothing.
type nobody struct{ Provider }

func (nobody) Name() string { return "local" }
func (nobody) Local() bool  { return true }
func (nobody) Generate(ctx context.Context, _ moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		<-ctx.Done()
		yield(moothall.Chunk{}, ctx.Err())
	}
}

// looked is a context that does something when it is first looked at.
type looked struct {
	context.Context
	first func()
}

func (l looked) Done() <-chan struct{} {
	l.first()
	return l.Context.Done()
}

// TestPreemptedAtTheDoor puts a background call back that loses its place
// before it has seen that it has one, whichever of both it sees first.
func TestPreemptedAtTheDoor(t *testing.T) {
	t.Parallel()
	g, err := Open(Options{Providers: []Provider{nobody{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 64 {
		q := newQueue(Server{Preempt: true}, time.Now)
		g.chats["local"] = q
		ctx, cancel := context.WithCancelCause(t.Context())
		person := func() { q.join(&ticket{model: "m", class: classPerson, ready: make(chan struct{})}) }
		k := &work{g: g, call: Call{Priority: moothall.PriorityBackground}}
		if again, err := k.take(looked{ctx, sync.OnceFunc(person)}, cancel, target{provider: nobody{}, model: "m"}); !again {
			t.Fatalf("it is not tried again: %v", err)
		}
		cancel(nil)
	}
}
