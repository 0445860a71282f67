package moottest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
	"time"

	"moothall"
)

// WaitQuery is the question on which a [FakeFront] works until it is stopped.
const WaitQuery = "wait"

// FakeFront answers every question by repeating it.
type FakeFront struct {
	// Home is what a backup contains. Set it before use.
	Home []byte

	mu           sync.Mutex
	since        time.Time
	sessions     []*moothall.SessionDetail // oldest first
	answers      map[moothall.QueryID]moothall.Answer
	running      map[moothall.QueryID]chan struct{} // closed by Stop
	feedback     []moothall.Feedback
	tasks        []moothall.Task
	participants []moothall.Participant
	events       []moothall.Event
	news         chan struct{} // closed and replaced with every event
}

// NewFront returns a front with one task "task-1" and one participant
// "critic".
func NewFront() *FakeFront {
	now := time.Now().UTC()
	return &FakeFront{
		Home: []byte("a home in memory\n"), since: now, answers: map[moothall.QueryID]moothall.Answer{},
		running: map[moothall.QueryID]chan struct{}{}, news: make(chan struct{}),
		tasks: []moothall.Task{{ID: "task-1", Goal: "be a task", State: "running", Created: now, Updated: now}},
		participants: []moothall.Participant{{
			Name: "critic", State: moothall.ServiceOK, About: "Judges answers.",
			Schema: json.RawMessage(`{"type":"object"}`), Settings: json.RawMessage(`{"on":true}`),
		}},
	}
}

// For returns the front as one caller sees it: all see the same.
func (f *FakeFront) For(moothall.Identity) moothall.Front { return f }

// Given returns the feedback so far.
func (f *FakeFront) Given() []moothall.Feedback {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.feedback)
}

var _ moothall.Front = (*FakeFront)(nil)

// Health is always good.
func (f *FakeFront) Health(context.Context) (moothall.Health, error) {
	return moothall.Health{
		Status: "ok", Version: "fake", PID: os.Getpid(), Since: f.since,
		Services: map[string]moothall.ServiceHealth{"front": {State: moothall.ServiceOK, Where: "here"}},
		Model:    moothall.ModelHealth{State: moothall.ServiceOK, Provider: FakeProvider, Name: FakeModel},
	}, nil
}

// Query repeats the question, word by word.
func (f *FakeFront) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return func(yield func(moothall.Step, error) bool) {
		q, err := f.begin(ctx, r)
		if err != nil {
			yield(moothall.Step{}, err)
			return
		}
		done := false
		defer func() {
			if done || !r.Stay { // one that stays goes on when who asked has gone
				f.end(q)
			}
		}()
		if !yield(moothall.Step{Kind: "status", Text: "thinking"}, nil) {
			return
		}
		if r.Query == WaitQuery {
			select {
			case <-ctx.Done():
			case <-q.stop:
				q.answer.Stop = moothall.StopCanceled
			}
		}
		for piece := range cut("You said: "+r.Query, 8) {
			if err := ctx.Err(); err != nil {
				yield(moothall.Step{}, err)
				return
			}
			q.answer.Text += piece
			if !yield(moothall.Step{Kind: "delta", Text: piece}, nil) {
				return
			}
		}
		f.finish(q)
		done = true
		yield(moothall.Step{Kind: "final", Answer: &q.answer}, nil)
	}
}

// fakeTurn is a running query.
type fakeTurn struct {
	answer moothall.Answer
	asked  string
	stop   chan struct{}
}

func (f *FakeFront) begin(ctx context.Context, r moothall.QueryRequest) (*fakeTurn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.Query == "" {
		return nil, moothall.Fail(moothall.CodeInvalid, "query", "there is no question")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.session(r.Session)
	if err != nil && r.Session != "" {
		return nil, err
	}
	if r.Session == "" {
		now := time.Now().UTC()
		s = &moothall.SessionDetail{Session: moothall.Session{
			ID: moothall.SessionID(moothall.NewID()), Title: r.Query, Created: now, Updated: now, State: "open",
		}}
		f.sessions = append(f.sessions, s)
	}
	q := &fakeTurn{asked: r.Query, stop: make(chan struct{}), answer: moothall.Answer{
		Query: moothall.QueryID(moothall.NewID()), Session: s.ID, Respondent: "A", Stop: moothall.StopDone,
	}}
	f.running[q.answer.Query] = q.stop
	f.publish(moothall.SubjectQueryReceived, moothall.FrontDoor, q.answer)
	return q, nil
}

func (f *FakeFront) end(q *fakeTurn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.running, q.answer.Query)
}

func (f *FakeFront) finish(q *fakeTurn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[q.answer.Query] = q.answer
	if s, err := f.session(q.answer.Session); err == nil {
		s.Turns, s.Updated = s.Turns+1, time.Now().UTC()
		s.Messages = append(s.Messages,
			moothall.Message{Role: moothall.RoleUser, Content: q.asked},
			moothall.Message{Role: moothall.RoleAssistant, Content: q.answer.Text})
	}
	f.publish(moothall.SubjectAnswerDialog, moothall.ChatHall, q.answer)
}

// session finds a conversation; the lock is held.
func (f *FakeFront) session(id moothall.SessionID) (*moothall.SessionDetail, error) {
	for _, s := range f.sessions {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, moothall.Fail(moothall.CodeNotFound, "session", "there is no session "+string(id))
}

// Stop ends a query that waits.
func (f *FakeFront) Stop(ctx context.Context, id moothall.QueryID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	stop, ok := f.running[id]
	if !ok {
		return moothall.Fail(moothall.CodeNotFound, "stop", "no such query is running")
	}
	delete(f.running, id)
	close(stop)
	return nil
}

// Feedback notes what it is told.
func (f *FakeFront) Feedback(ctx context.Context, b moothall.Feedback) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := b.Validate(); err != nil {
		return err
	}
	if _, ok := f.answers[b.Query]; !ok {
		return moothall.Fail(moothall.CodeNotFound, "feedback", "there is no such answer")
	}
	f.feedback = append(f.feedback, b)
	return nil
}

// Examine finds everything well.
func (f *FakeFront) Examine(ctx context.Context, p moothall.Part) (moothall.Examined, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Examined{}, err
	}
	switch p {
	case moothall.PartAll:
		return moothall.Examined{Findings: []moothall.Finding{{Check: "home", Status: "ok", Detail: "there"}}}, nil
	case moothall.PartKeyring:
		return moothall.Examined{Keyring: &moothall.Keyring{
			Where: "a fake keyring", State: moothall.ServiceOK, Keys: []moothall.Key{{Name: "fake", For: []string{"nothing"}, Is: moothall.KeyThere}},
		}}, nil
	case moothall.PartSearch:
		return moothall.Examined{Engines: []moothall.SearchEngine{{Name: "fake", State: moothall.ServiceNotConfigured, Remedy: "leave it"}}}, nil
	}
	return moothall.Examined{}, moothall.Fail(moothall.CodeInvalid, "examine", "there is no such part")
}

// Preview knows of no question.
func (f *FakeFront) Preview(ctx context.Context, _ moothall.ApprovalID) (moothall.Preview, error) {
	return moothall.Preview{}, cmp.Or(ctx.Err(), error(moothall.Fail(moothall.CodeNotFound, "preview", "no such question is open")))
}

// Export writes one memory, and an empty graph.
func (f *FakeFront) Export(ctx context.Context, what string, w io.Writer) error {
	out := map[string]string{
		moothall.ExportMemories: `{"id":"fake","text":"a memory"}` + "\n", moothall.ExportGraph: "{}\n", moothall.ExportGraphML: "<graphml/>\n",
	}[what]
	if out == "" {
		return moothall.Fail(moothall.CodeInvalid, "export", "there is no such export")
	}
	if _, err := io.WriteString(w, out); err != nil {
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: "export", Message: "cannot write the copy", Err: err}
	}
	return ctx.Err()
}

// Backup writes Home.
func (f *FakeFront) Backup(ctx context.Context, w io.Writer) error {
	for piece := range slices.Chunk(bytes.Clone(f.Home), 10_000) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return &moothall.Error{Code: moothall.CodeUnavailable, Op: "backup", Message: "cannot write the copy", Err: err}
		}
	}
	return nil
}
