package chat

import (
	"context"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine/history"
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

// carrier makes the event that carries an answer in one way.
type carrier func(*moothall.Answer) (moothall.Event, error)

// received is the question that an answer is to, as it is told after a restart:
// as it was asked, since not everybody heeds every mode.
func received(how manner) carrier {
	return func(a *moothall.Answer) (moothall.Event, error) {
		r := moothall.QueryRequest{Session: a.Session, Query: a.Question}
		how.fill(&r)
		return event(moothall.SubjectQueryReceived, "received-"+moothall.EventID(a.Query), a, r)
	}
}

// opinion is what the person said in a question of the answer before it.
func opinion(a *moothall.Answer) (moothall.Event, error) {
	about := moothall.Answer{Session: a.Session, Query: a.Heard.Query, Respondent: RespondentA}
	return event(moothall.SubjectUserFeedback, "said-"+moothall.EventID(a.Query), &about, a.Heard)
}

// generation is any answer.
func generation(a *moothall.Answer) (moothall.Event, error) {
	return event(moothall.SubjectResponseGeneration, "answer-"+answerID(a), a, a)
}

// dialog is the answer that is shown.
func dialog(a *moothall.Answer) (moothall.Event, error) {
	return event(moothall.SubjectAnswerDialog, "dialog-"+answerID(a), a, map[string]any{"query": a.Question, "answer": a.Text})
}

func answerID(a *moothall.Answer) moothall.EventID {
	return moothall.EventID(string(a.Query) + "-" + string(a.Respondent))
}

// carry tells of an answer in one way, as of a time, or of now where none is known. The bus takes events up to a size: of an
// answer that is above it less is told, and one that is still above it counts as
// told, since it would be at every start.
func (c *Chat) carry(ctx context.Context, tell teller, as carrier, a *moothall.Answer, at time.Time) bool {
	for _, less := range []func(moothall.Answer) moothall.Answer{whole, brief, begun} {
		told := less(*a)
		e, err := as(&told)
		if !at.IsZero() {
			e.Time = at
		}
		if err == nil {
			err = tell(ctx, e)
		}
		switch {
		case err == nil:
			return true
		case moothall.ErrorCode(err) == moothall.CodeTooLarge:
			c.opt.Logger.Warn("an answer is too large to be told as it is", "query", a.Query, "subject", e.Subject, "err", err)
		case c.tell.Err() != nil:
			return false // told after the next start
		default:
			c.opt.Logger.Warn("an answer could not be told", "query", a.Query, "subject", e.Subject, "err", err)
			return false
		}
	}
	return true
}

func whole(a moothall.Answer) moothall.Answer { return a }

// What an event holds in place of text that was too much, and says of itself.
const (
	cutText  = "(cut)"
	flagCut  = "cut: the event would have been too large; the session has the answer whole"
	maxBegun = 64 << 10 // bytes, each of which may need six
)

// brief is an answer without the text by which it came about. Question, answer,
// figures and what it was made from stay: observers need them.
func brief(a moothall.Answer) moothall.Answer {
	a.Flags = append(slices.Clone(a.Flags), flagCut)
	a.Thinking, a.Tools = cut(a.Thinking), briefTools(a.Tools)
	a.Recalls = slices.Clone(a.Recalls)
	for i, r := range a.Recalls {
		a.Recalls[i] = moothall.Recall{Stage: r.Stage, Score: r.Score}
		if r.Entry != nil {
			a.Recalls[i].Entry = &moothall.MemoryEntry{ID: r.Entry.ID, Kind: r.Entry.Kind, Trust: r.Entry.Trust}
		}
	}
	a.Deliberations = slices.Clone(a.Deliberations)
	for i := range a.Deliberations {
		d := &a.Deliberations[i]
		d.Response, d.Thinking, d.Tools = cut(d.Response), cut(d.Thinking), briefTools(d.Tools)
	}
	return a
}

func briefTools(list []moothall.CalledTool) []moothall.CalledTool {
	list = slices.Clone(list)
	for i := range list {
		list[i].Args, list[i].Result = nil, cut(list[i].Result)
	}
	return list
}

func cut(text string) string {
	if text == "" {
		return ""
	}
	return cutText
}

// begun is the beginning of an answer that does not fit even so.
func begun(a moothall.Answer) moothall.Answer {
	a = brief(a)
	a.Question, a.Text = head(a.Question), head(a.Text)
	return a
}

func head(text string) string {
	if len(text) <= maxBegun {
		return text
	}
	return history.Clip(text, maxBegun) + "… " + cutText
}
