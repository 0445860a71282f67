package chat

import (
	"context"
	"sync"
	"time"

	"moothall"
)

// A herald lets its turn have the machine for itself for a while: in aside a
// turn gets as far as asking the model, and a short one is over; in parting its
// answer gets to who asked.
const (
	aside   = 3 * time.Millisecond
	parting = time.Millisecond
)

// herald tells of one turn on the bus, in order and beside it: an answer does
// not wait until everybody has heard of it. What must be heard of an answer is
// in the database first, so that it is told after a crash as well.
type herald struct {
	chat   *Chat
	queue  chan func(context.Context)
	begins *time.Timer

	mu      sync.Mutex
	pieces  []piece // of an answer, not told yet
	telling bool    // the queue has what tells them
}

// piece is a bit of an answer as it comes. Those that wait are told as one.
type piece struct {
	subject moothall.Subject
	about   moothall.Answer
	text    []byte
}

// newHerald lets a herald step aside, and tell until close is called.
func (c *Chat) newHerald(ctx context.Context) *herald {
	h := &herald{chat: c, queue: make(chan func(context.Context), 64)}
	ctx = context.WithoutCancel(ctx)
	c.work.Add(1)
	h.begins = time.AfterFunc(aside, func() {
		defer c.work.Done()
		for say := range h.queue {
			h.say(ctx, say)
		}
	})
	return h
}

// say lets one thing be told, until the chat has to be silent. A few heralds
// speak at a time: the bus takes one event after another, and a hall that stops
// waits for those that speak.
func (h *herald) say(ctx context.Context, do func(context.Context)) {
	h.chat.mouths <- struct{}{}
	defer func() { <-h.chat.mouths }()
	ctx, cancel := context.WithTimeout(ctx, finishing)
	defer cancel()
	defer context.AfterFunc(h.chat.tell, cancel)()
	do(ctx)
}

// then does something when all that was to be told before has been.
func (h *herald) then(do func(context.Context)) { h.queue <- do }

// close lets the herald go home when it has told everything.
func (h *herald) close() {
	close(h.queue)
	if h.begins.Stop() { // it waits for its turn to get on; that is over
		h.begins.Reset(parting)
	}
}

// drop has a piece of an answer told, unless there is no room for it.
func (h *herald) drop(s moothall.Subject, about *moothall.Answer, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.pieces); n == 0 || h.pieces[n-1].subject != s {
		h.pieces = append(h.pieces, piece{subject: s, about: moothall.Answer{Session: about.Session, Query: about.Query, Respondent: about.Respondent}})
	}
	last := &h.pieces[len(h.pieces)-1]
	last.text = append(last.text, text...)
	if h.telling {
		return
	}
	select {
	case h.queue <- h.tellPieces:
		h.telling = true
	default: // it goes with the next one
	}
}

func (h *herald) tellPieces(ctx context.Context) {
	h.mu.Lock()
	list := h.pieces
	h.pieces, h.telling = nil, false
	h.mu.Unlock()
	for i := range list {
		p := &list[i]
		if e, err := event(p.subject, "", &p.about, map[string]string{"text": string(p.text)}); err == nil && h.chat.tell.Err() == nil {
			h.chat.publish(ctx, h.chat.opt.Tell, e)
		}
	}
}

// publish has an event told, unless the hall has no time for it any more. The
// bus is not the record: a turn goes on when it cannot be heard.
func (h *herald) publish(tell teller, e moothall.Event) {
	h.then(func(ctx context.Context) {
		if h.chat.tell.Err() == nil {
			h.chat.publish(ctx, tell, e)
		}
	})
}

// teller publishes as one participant.
type teller func(context.Context, moothall.Event) error

// publish tells now, and reports whether it could.
func (c *Chat) publish(ctx context.Context, tell teller, e moothall.Event) bool {
	if err := tell(ctx, e); err != nil {
		if c.tell.Err() != nil {
			return false // told after the next start
		}
		c.opt.Logger.Warn("an event could not be published", "subject", e.Subject, "err", err)
		return false
	}
	return true
}

// event makes an event about a turn. An id that is derived from what it tells
// lets it be told again without being heard twice.
func event(s moothall.Subject, id moothall.EventID, a *moothall.Answer, payload any) (moothall.Event, error) {
	e, err := moothall.NewEvent(s, payload)
	if id != "" {
		e.ID = id
	}
	e.Session, e.Query, e.Respondent = a.Session, a.Query, a.Respondent
	return e, err
}

// announce are the events that carry an answer: response.generation always,
// answer.dialog for the one that is shown.
func announce(a *moothall.Answer) ([]moothall.Event, error) {
	of := string(a.Query) + "-" + string(a.Respondent)
	generation, err := event(moothall.SubjectResponseGeneration, moothall.EventID("answer-"+of), a, a)
	if err != nil || a.Respondent != RespondentA {
		return []moothall.Event{generation}, err
	}
	dialog, err := event(moothall.SubjectAnswerDialog, moothall.EventID("dialog-"+of), a, map[string]any{"query": a.Question, "answer": a.Text})
	return []moothall.Event{generation, dialog}, err
}
