package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// pool hands out connections of one kind, at most size at a time, opened when
// first needed. The one used last is handed out first: its cache is warm, and
// a quiet hall keeps few open.
type pool struct {
	db    *sql.DB
	slots chan struct{} // holds one token for each connection in use
	done  chan struct{} // closed by close

	mu     sync.Mutex
	idle   []*conn
	opened int
	ended  bool
}

func newPool(name string, size int) *pool {
	return &pool{
		db:    source(name),
		slots: make(chan struct{}, size),
		done:  make(chan struct{}),
	}
}

// get waits for a connection; put must follow.
func (p *pool) get(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-p.done:
		return nil, errClosed()
	case <-ctx.Done():
		return nil, ctx.Err()
	case p.slots <- struct{}{}:
	}
	if c, err := p.take(); c != nil || err != nil {
		return c, err
	}
	c, err := dial(ctx, p.db)
	if err != nil {
		<-p.slots
		return nil, err
	}
	p.count(1)
	return c, nil
}

// take returns an idle connection, or none.
func (p *pool) take() (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended { // close came between the token and this lock
		<-p.slots
		return nil, errClosed()
	}
	n := len(p.idle)
	if n == 0 {
		return nil, nil
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c, nil
}

// put gives a connection back. One that is dead is closed; what its closing
// says is of no more use than what it died of.
func (p *pool) put(c *conn) {
	if c.dead {
		_ = c.close()
		p.count(-1)
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, c)
		p.mu.Unlock()
	}
	<-p.slots
}

func (p *pool) count(n int) {
	p.mu.Lock()
	p.opened += n
	p.mu.Unlock()
}

func (p *pool) open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// close refuses new users, waits for those there are, and closes all.
func (p *pool) close() error {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return nil
	}
	p.ended = true
	p.mu.Unlock()
	close(p.done)
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, c.close())
	}
	p.idle, p.opened = nil, 0
	return errors.Join(append(errs, p.db.Close())...)
}
