package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// TestRetryTwice asks a turn again whose second attempt is asked again too: the
// answer before it is that of the turn before, not its own first one.
func TestRetryTwice(t *testing.T) {
	t.Parallel()
	var before []string
	h := fresh(t, func(o *chat.Options) {
		o.Settings.TellGrade = true
		o.Hear = func(_ context.Context, _, was string, _ func(moothall.Chunk)) (moothall.Feedback, bool) {
			before = append(before, was)
			return moothall.Feedback{Thumbs: -1}, true
		}
		o.Graded = func(context.Context, moothall.QueryID) (moothall.Critique, bool) {
			one := 1
			return moothall.Critique{Score: &one, Feedback: "it is wrong"}, true
		}
	})
	h.model.Script(moottest.Reply{Text: "One."}, moottest.Reply{Text: "Two."}, moottest.Reply{Text: "Three."})
	first, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "Which?"})
	for range 2 {
		again, _ := h.ask(t, moothall.QueryRequest{Retry: first.Query})
		if again.Heard != nil {
			t.Errorf("taken for feedback on %s", again.Heard.Query)
		}
		first = again
	}
	if len(before) != 0 {
		t.Errorf("heard after %q, which the question takes the place of", before)
	}
	for _, r := range h.model.Requests() {
		if m := r.Messages[len(r.Messages)-1].Content; strings.Contains(m, "reviewer") {
			t.Errorf("the model was told of the grade of an answer that it does not see: %s", m)
		}
	}
}

// TestRetryOfOneTwice names the same first turn twice: what is asked the second
// time takes the place of what stands in that place by then, also after a
// restart.
func TestRetryOfOneTwice(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	h := open(t, file)
	h.model.Script(moottest.Reply{Text: "One."}, moottest.Reply{Text: "Two."}, moottest.Reply{Text: "Three."})
	first, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "Which?"})
	h.ask(t, moothall.QueryRequest{Retry: first.Query})
	third, _ := h.ask(t, moothall.QueryRequest{Retry: first.Query})
	h.Close()
	h = open(t, file)
	h.model.Script(moottest.Reply{Text: "Four."}, moottest.Reply{Text: "Five."}, moottest.Reply{Text: "Six."})
	h.ask(t, moothall.QueryRequest{Retry: first.Query})
	_, one := h.asked(t, moothall.QueryRequest{Retry: first.Query})
	_, other := h.asked(t, moothall.QueryRequest{Retry: first.Query}) // one waits for the other
	if err := errors.Join(<-one, <-other); err != nil {
		t.Error(err)
	}
	list, err := h.Sessions(t.Context())
	if err != nil || len(list) != 1 || list[0].Turns != 1 {
		t.Errorf("%+v, %v: one question, however often it is asked", list, err)
	}
	d, err := h.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 1 || len(d.Messages) != 2 || d.Messages[1].Content != "Six." {
		t.Errorf("%+v, %v: only the latest answer is live", d, err)
	}
	for _, r := range h.model.Requests() {
		if len(r.Messages) != 2 {
			t.Errorf("the model was shown %+v", r.Messages)
		}
	}
	received := h.heard(t, moothall.SubjectQueryReceived, 1)[0]
	var told moothall.QueryRequest
	if err := json.Unmarshal(received.Payload, &told); err != nil || told.Retry != third.Query {
		t.Errorf("%+v, %v: whoever shows the conversation is told what goes, %s", told, err, third.Query)
	}
}
