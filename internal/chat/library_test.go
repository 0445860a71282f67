package chat_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// bookish is a model whose card says whether it wants things looked up.
type bookish struct {
	*moottest.FakeGateway
	wants bool
}

func (b bookish) ShowModel(context.Context, moothall.ModelRequest) (moothall.ModelCard, error) {
	return moothall.ModelCard{Provider: "fake", Model: "small", Window: 4096, Tools: "native", Recall: b.wants}, nil
}

// shelf has one text, and remembers what it was asked.
type shelf struct {
	mu    sync.Mutex
	asked []string
	texts []string
}

func (s *shelf) look(_ context.Context, question, before, text string) []moothall.Recall {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
	s.asked = append(s.asked, question+" | "+before)
	if !strings.Contains(question+before, "France") {
		return nil
	}
	return []moothall.Recall{{Stage: "library", Entry: &moothall.MemoryEntry{ID: "library-france", Name: "France", Source: "library"}, Segment: "Its currency is the euro."}}
}

func (s *shelf) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// reading opens a chat with a library and a tool, and plays two turns.
func reading(t *testing.T, wants bool) (*hall, *shelf, []moothall.Answer) {
	t.Helper()
	books := &shelf{}
	broker := moottest.NewBroker(moottest.EchoTool("echo", moothall.RiskNone))
	broker.Allow("generator", moottest.AgentRules{Tools: []moothall.ToolName{"echo"}})
	broker.Allow("respondent_b", moottest.AgentRules{})
	h := fresh(t, func(o *chat.Options) {
		o.Broker, o.Library = broker.For(moothall.ChatHall), books.look
		o.Settings = chat.Settings{Shadow: true}
		o.Model = bookish{o.Model.(*moottest.FakeGateway), wants}
	})
	h.model.Script(moottest.Reply{Text: "Paris."}, moottest.Reply{Text: "The euro."}, moottest.Reply{Text: "Nothing."})
	first, _ := h.ask(t, moothall.QueryRequest{Query: "What is the capital of France?", Context: strings.Repeat("piped in ", 40)})
	second, _ := h.ask(t, moothall.QueryRequest{Session: first.Session, Query: "What is its currency?"})
	third, _ := h.ask(t, moothall.QueryRequest{Query: "Who are you?"})
	return h, books, []moothall.Answer{first, second, third}
}

// TestLibrary looks things up for a model that is better with them, also for a
// follow-up, beside the tools.
func TestLibrary(t *testing.T) {
	t.Parallel()
	h, books, answers := reading(t, true)
	want := []string{
		"What is the capital of France? | ", "What is its currency? | What is the capital of France?\nParis.", "Who are you? | ",
	}
	if t0, t1, t2 := books.texts[0], books.texts[1], books.texts[2]; t0 != "" || !strings.Contains(t1, "piped in piped in") || t2 != "" {
		t.Errorf("texts at hand: %q, %q, %q", t0, t1, t2)
	}
	if got := books.all(); !slices.Equal(got, want) {
		t.Errorf("asked %q", got)
	}
	sent := h.model.Requests()
	for i, found := range []bool{true, true, false} {
		last := sent[i].Messages[len(sent[i].Messages)-1].Content
		if strings.Contains(last, "- France: Its currency is the euro.") != found || len(answers[i].Recalls) > 0 != found || len(sent[i].Tools) != 1 {
			t.Errorf("turn %d: sent %q with %d tools, recalls %v", i, last, len(sent[i].Tools), answers[i].Recalls)
		}
	}
	if len(answers[1].Tools) != 0 || answers[1].Receipt.Labels != 0 {
		t.Errorf("a look into the library is no call and brings no label: %+v", answers[1].Receipt)
	}
	d, err := h.Session(t.Context(), answers[0].Session)
	if err != nil || len(d.Messages) != 4 || strings.Contains(d.Messages[2].Content, "euro") {
		t.Errorf("what was looked up is kept: %+v, %v", d.Messages, err)
	}

	h.model.Script(moottest.Reply{Text: "Euros."})
	questions := h.heard(t, moothall.SubjectQueryReceived, 3) // two sessions are told of beside each other
	i := slices.IndexFunc(questions, func(e moothall.Event) bool { return e.Query == answers[1].Query })
	if err := h.Shadow(t.Context(), questions[i]); err != nil {
		t.Fatal(err)
	}
	sent = h.model.Requests()
	if last := sent[len(sent)-1].Messages; !strings.Contains(last[len(last)-1].Content, "Its currency is the euro.") || books.all()[3] != want[1] {
		t.Errorf("B was shown %q, the library asked %q", last[len(last)-1].Content, books.all())
	}
}

// TestNoLibrary leaves other models alone.
func TestNoLibrary(t *testing.T) {
	t.Parallel()
	if _, books, answers := reading(t, false); len(books.all()) > 0 || len(answers[0].Recalls) > 0 {
		t.Errorf("the library was asked %q", books.all())
	}
}

// TestAtHand: what somebody told of theirs is a text that they may be asking
// about, as one that they pasted is, and a wish to be told something is none.
func TestAtHand(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"hey, my brother Jonas works at a bakery in Ghent":                                true,
		"I park behind the lift":                                                          true,
		"The council met. It closed the bridge. Buses use the old road.":                  true,
		"tell me about photosynthesis":                                                    false,
		"I'd like to know how photosynthesis works":                                       false,
		"I want to know about photosynthesis":                                             false,
		"my question is: what is photosynthesis?":                                         false,
		"what is photosynthesis":                                                          false,
		"photosynthesis":                                                                  false,
		strings.Repeat("photosynthesis is how plants live and thrive in the sun, ", 5):    true,
		"summarise this: The bridge is closed. It opens in June. Then the buses go again": true,
	} {
		got := chat.AtHand([]moothall.Message{{Role: moothall.RoleUser, Content: said}, {Role: moothall.RoleAssistant, Content: "Well."}})
		if (got != "") != want {
			t.Errorf("%s: %q", said, got)
		}
	}
}
