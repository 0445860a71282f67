package chat

import (
	"context"
	"slices"
	"time"

	"moothall"
)

// state is what a session is at. Each session is an actor: idle, or at one
// query, whose way through the states is told as session.state.
type state string

const (
	idle        state = "idle"
	receiving   state = "receiving"
	generating  state = "generating"
	dispatching state = "dispatching_tool"
	awaiting    state = "waiting_for_tool"
	publishing  state = "publishing"
)

// action is what moves a session from one state to the next.
type action string

const (
	receiveQuery    action = "receive_query"
	startGeneration action = "start_generation"
	dispatchTool    action = "dispatch_tool"
	awaitTool       action = "await_tool"
	toolResult      action = "tool_result"
	toolTimeout     action = "tool_timeout"
	finishAnswer    action = "finish"
	published       action = "published"
	failTurn        action = "fail"
)

// transitions are all the moves there are. A failure leads to idle from
// anywhere.
var transitions = map[state]map[action]state{
	idle:        {receiveQuery: receiving},
	receiving:   {startGeneration: generating, failTurn: idle},
	generating:  {dispatchTool: dispatching, finishAnswer: publishing, failTurn: idle},
	dispatching: {awaitTool: awaiting, failTurn: idle},
	awaiting:    {toolResult: generating, toolTimeout: generating, failTurn: idle},
	publishing:  {published: idle, failTurn: idle},
}

// room is a session that somebody is in or waits for.
type room struct {
	turn    chan struct{} // holds one token
	state   state         // guarded by Chat.mu, as what follows
	waiting []moothall.Turn
	users   int // who has the turn or waits for it
	current moothall.QueryID
}

// enter waits for the session to be free, in the order of asking. The returned
// function leaves it.
func (c *Chat) enter(ctx context.Context, t *turn) (leave func(), err error) {
	c.mu.Lock()
	r := c.rooms[t.session]
	if r == nil {
		r = &room{turn: make(chan struct{}, 1), state: idle}
		c.rooms[t.session] = r
	}
	r.users++
	r.waiting = append(r.waiting, moothall.Turn{Query: t.query, Asked: t.request.Query, State: "waiting", Time: t.began})
	c.mu.Unlock()
	select {
	case r.turn <- struct{}{}:
		c.mu.Lock()
		r.unwait(t.query)
		r.current = t.query
		c.mu.Unlock()
		return func() { <-r.turn; c.quit(t, r) }, nil
	case <-ctx.Done():
		c.quit(t, r)
		return nil, context.Cause(ctx)
	}
}

// quit forgets a query, and the room with its last one.
func (c *Chat) quit(t *turn, r *room) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.unwait(t.query)
	if r.users--; r.users == 0 {
		delete(c.rooms, t.session)
	}
}

func (r *room) unwait(id moothall.QueryID) {
	r.waiting = slices.DeleteFunc(r.waiting, func(t moothall.Turn) bool { return t.Query == id })
}

// move takes the session of a turn to its next state and returns that one. A
// move that the table does not know is a mistake of this package; it is
// logged, and the session stays where it is.
func (c *Chat) move(t *turn, a action) (from, to state, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.rooms[t.session]
	if r == nil || r.current != t.query {
		return idle, idle, false
	}
	from = r.state
	if to, ok = transitions[from][a]; !ok {
		return from, from, false
	}
	r.state = to
	return from, to, true
}

// at says what a session is at, and what waits in it.
func (c *Chat) at(id moothall.SessionID) (state, []moothall.Turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.rooms[id]
	if r == nil {
		return idle, nil
	}
	return r.state, slices.Clone(r.waiting)
}

// Reasons why a query ends before its time.
var (
	errStopped  = moothall.Fail(moothall.CodeCanceled, "query", "it was stopped")
	errReplaced = moothall.Fail(moothall.CodeCanceled, "query", "another question took its place")
	errClosing  = moothall.Fail(moothall.CodeCanceled, "query", "the hall is stopping")
)

// running is a query that can be stopped.
type running struct {
	session moothall.SessionID
	stop    context.CancelCauseFunc
}

// admit makes a query one that can be stopped and that Close waits for;
// dismiss takes it back. A query that replaces others stops them first.
func (c *Chat) admit(t *turn, stop context.CancelCauseFunc) (dismiss func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosing
	}
	if t.request.Replace {
		for _, r := range c.running {
			if r.session == t.session {
				r.stop(errReplaced)
			}
		}
	}
	c.running[t.query] = running{t.session, stop}
	c.work.Add(1)
	return func() {
		c.mu.Lock()
		delete(c.running, t.query)
		c.mu.Unlock()
		c.work.Done()
	}, nil
}

// Stop ends a running or waiting query.
func (c *Chat) Stop(_ context.Context, id moothall.QueryID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.running[id]
	if !ok {
		return moothall.Fail(moothall.CodeNotFound, "stop", "no query "+string(id)+" is running")
	}
	r.stop(errStopped)
	return nil
}

// finishing is how long the end of a turn may take once its caller has gone.
const finishing = 30 * time.Second

// detached lets work be finished that the caller no longer waits for.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), finishing)
}
