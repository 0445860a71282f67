package critic_test

import (
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// model answers as the function does.
type model struct {
	moothall.Gateway
	say func(ctx context.Context, r moothall.GenerateRequest) (string, error)
}

func (m model) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		text, err := m.say(ctx, r)
		if text != "" && !yield(moothall.Chunk{Text: text}, nil) {
			return
		}
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		yield(moothall.Chunk{Stop: moothall.StopDone, Provider: "test", Model: "judge:1", Usage: moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 5}}, nil)
	}
}

// isPair reports whether a request is for a comparison.
func isPair(r moothall.GenerateRequest) bool {
	return strings.Contains(r.Messages[1].Content, "###Response B:")
}

// fair grades 4, and prefers the answer that says GOOD.
func fair(_ context.Context, r moothall.GenerateRequest) (string, error) {
	if !isPair(r) {
		return "Feedback: It is fine. [RESULT] 4", nil
	}
	_, second, _ := strings.Cut(r.Messages[1].Content, "###Response B:")
	if strings.Contains(second, "GOOD") {
		return "Feedback: It is good. [RESULT] B", nil
	}
	return "Feedback: It is good. [RESULT] A", nil
}

func always(text string) func(context.Context, moothall.GenerateRequest) (string, error) {
	return func(context.Context, moothall.GenerateRequest) (string, error) { return text, nil }
}

// hall is a critic and what it says.
type hall struct {
	*critic.Critic
	t      testing.TB
	o      critic.Options
	audit  *moottest.FakeAudit
	mu     sync.Mutex
	told   []moothall.Event
	refuse error // of publishing
	heard  chan moothall.Event
}

// open starts a critic on its own file; change may adjust the options.
func open(t testing.TB, say func(context.Context, moothall.GenerateRequest) (string, error), change func(*critic.Options)) *hall {
	t.Helper()
	h := &hall{t: t, audit: moottest.NewAudit(), heard: make(chan moothall.Event, 4096)}
	h.o = critic.Options{
		DB: openStore(t, filepath.Join(t.TempDir(), "hall.db")), Model: model{say: say}, Audit: h.audit.For(moothall.Critic), Publish: h.publish,
	}
	if change != nil {
		change(&h.o)
	}
	h.start()
	return h
}

func openStore(t testing.TB, path string) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), path, &store.Options{Migrations: []store.Set{critic.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (h *hall) start() {
	h.t.Helper()
	c, err := critic.Open(context.Background(), h.o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Critic = c
	h.t.Cleanup(func() { c.Close() })
}

// restart ends the critic and opens another on the same rows.
func (h *hall) restart() {
	h.t.Helper()
	if err := h.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.start()
}

func (h *hall) publish(ctx context.Context, e moothall.Event) error {
	e.Sender = moothall.Critic // as the bus does
	if err := e.Validate(); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return h.refuse
	}
	h.told = append(h.told, e)
	h.heard <- e
	return nil
}

func (h *hall) setRefuse(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refuse = err
}

// events are what was published, by id.
func (h *hall) events() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, e := range h.told {
		out = append(out, string(e.ID))
	}
	return slices.Sorted(slices.Values(out))
}

// answered is the event of an answer.
func answered(query, respondent, text string) moothall.Event {
	e, err := moothall.NewEvent(moothall.SubjectResponseGeneration, moothall.Answer{
		Query: moothall.QueryID(query), Session: "s-1", Respondent: moothall.RespondentID(respondent), Question: "How high is it?", Text: text, Stop: moothall.StopDone,
	})
	if err != nil {
		panic(err)
	}
	e.ID, e.Sender, e.Session, e.Query, e.Respondent = moothall.EventID("e-"+query+"-"+respondent), moothall.ChatHall, "s-1", moothall.QueryID(query), moothall.RespondentID(respondent)
	e.Lineage, e.Trace = moothall.Lineage{"root"}, "00-t-1"
	return e
}

func (h *hall) handle(events ...moothall.Event) {
	h.t.Helper()
	for _, e := range events {
		if err := h.Handle(context.Background(), e); err != nil {
			h.t.Fatal(err)
		}
	}
}

// next waits for what is published next.
func (h *hall) next() moothall.Event {
	h.t.Helper()
	select {
	case e := <-h.heard:
		return e
	case <-h.t.Context().Done():
		h.t.Fatal("nothing is published")
		return moothall.Event{}
	}
}

func read[T any](t testing.TB, e moothall.Event) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(e.Payload, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (h *hall) stats() critic.Stats {
	h.t.Helper()
	s, err := h.Stats(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func expecting(yes bool) func(moothall.QueryID) bool {
	return func(moothall.QueryID) bool { return yes }
}

// with returns settings that differ from the default.
func with(change func(*critic.Settings)) *critic.Settings {
	s := critic.DefaultSettings()
	change(&s)
	return &s
}
