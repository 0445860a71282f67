package moothall

import (
	"context"
	"sync"
)

// Sending adds up what leaves this machine for work whose replies have no place
// to say so: a memory that has vectors made, a broker that has a model choose
// tools. It travels in the context, because what lies between has nothing to do
// with counting. The zero value is ready; it may be used by several goroutines.
type Sending struct {
	mu   sync.Mutex
	list []Egress
}

type sendingKey struct{}

// Under returns a context under which s counts, and nothing above it.
func (s *Sending) Under(ctx context.Context) context.Context {
	return context.WithValue(ctx, sendingKey{}, s)
}

// Add counts what was sent.
func (s *Sending) Add(sent ...Egress) {
	if len(sent) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = SumEgress(s.list, sent...)
}

// Take returns what was counted since it was last called.
func (s *Sending) Take() []Egress {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.list
	s.list = nil
	return list
}

// NoteSent has what was sent counted where somebody counts for ctx.
func NoteSent(ctx context.Context, sent ...Egress) {
	if s, ok := ctx.Value(sendingKey{}).(*Sending); ok {
		s.Add(sent...)
	}
}
