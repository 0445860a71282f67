package chat_test

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// notes are what a model makes of a conversation.
const notes = `{"decisions":["the person likes tea"],"artifacts":[],"questions":["which one?"]}`

// talked is a hall with a conversation s of six turns, and their queries.
func talked(t *testing.T, with ...func(*chat.Options)) (*hall, []moothall.QueryID) {
	t.Helper()
	h := fresh(t, with...)
	var asked []moothall.QueryID
	for i := range 6 {
		h.model.Script(moottest.Reply{Text: fmt.Sprintf("Answer %d.", i)})
		a, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: fmt.Sprintf("Question %d?", i)})
		asked = append(asked, a.Query)
	}
	return h, asked
}

// said is what was said, a line each.
func said(messages []moothall.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Content)
	}
	return b.String()
}

// stands is a conversation as it is now.
func (h *hall) stands(t *testing.T) string {
	t.Helper()
	d, err := h.Session(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	return said(d.Messages)
}

// compact has notes stand for the older part of the conversation.
func (h *hall) compact(t *testing.T) {
	t.Helper()
	h.model.Script(moottest.Reply{Text: notes})
	if err := h.ChangeSession(t.Context(), moothall.SessionChange{ID: "s", Compact: true}); err != nil {
		t.Fatal(err)
	}
}

// pausing is a model that writes notes when it may go on.
type pausing struct {
	moothall.Gateway
	begun, goOn chan struct{}
}

func (p *pausing) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	if r.Priority == moothall.PriorityBackground {
		close(p.begun)
		<-p.goOn
	}
	return p.Gateway.Generate(ctx, r)
}

// TestRetryWhileCompacting asks a turn again while notes are written on the
// conversation that it stood in: the new answer stays, and the notes do not
// count.
func TestRetryWhileCompacting(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	synctest.Test(t, func(t *testing.T) {
		p := pausing{begun: make(chan struct{}), goOn: make(chan struct{})}
		h := open(t, file, func(o *chat.Options) { p.Gateway, o.Model = o.Model, &p })
		var last moothall.Answer
		for _, much := range []int{20, 20, 1100} {
			h.model.Script(moottest.Reply{Text: "The answer."})
			last, _ = h.ask(t, moothall.QueryRequest{Session: "s", Query: strings.Repeat("many words about it ", much)})
		}
		<-p.begun
		h.model.Script(moottest.Reply{Text: "The better answer."}, moottest.Reply{Text: notes})
		h.ask(t, moothall.QueryRequest{Retry: last.Query})
		close(p.goOn)
		synctest.Wait()
		if n := len(h.model.Requests()); n != 5 {
			t.Errorf("the model was asked %d times, want once for each turn and for the notes", n)
		}
		if got := h.stands(t); strings.Count(got, "answer.") != 3 || !strings.HasSuffix(got, "The better answer.\n") {
			t.Errorf("the conversation is now\n%s", got)
		}
		h.Close()
	})
}

// TestRetryAfterCompacting asks a turn again that stayed word for word: its
// question stands once, also where the turn before it was cut off and has no
// answer.
func TestRetryAfterCompacting(t *testing.T) {
	t.Parallel()
	for _, cut := range []bool{false, true} {
		h, asked := talked(t)
		last := asked[5]
		if cut {
			for _, err := range h.Query(t.Context(), moothall.QueryRequest{Session: "s", Query: "Unanswered?"}) { // the script is over
				if err != nil && moothall.ErrorCode(err) != moothall.CodeUnavailable {
					t.Error(err)
				}
			}
			h.model.Script(moottest.Reply{Text: "Answer 6."})
			a, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "Question 6?"})
			last = a.Query
		}
		h.compact(t)
		before := h.stands(t)
		h.model.Script(moottest.Reply{Text: "Better."})
		h.ask(t, moothall.QueryRequest{Retry: last})
		got := h.stands(t)
		if i := strings.LastIndex(before, "assistant: "); !strings.Contains(before, "Noted.") || got != before[:i]+"assistant: Better.\n" {
			t.Errorf("it was\n%s\nand is\n%s", before, got)
		}
	}
}

// TestShadowAfterCompacting lets B answer when notes stand for the conversation
// that a question was asked in: it sees what A saw, also where the question
// itself is in the notes, or was asked again.
func TestShadowAfterCompacting(t *testing.T) {
	t.Parallel()
	h, asked := talked(t, func(o *chat.Options) { o.Settings.Shadow = true })
	h.model.Script(moottest.Reply{Text: "Better."})
	again, _ := h.ask(t, moothall.QueryRequest{Retry: asked[3]})
	h.compact(t)
	told := h.heard(t, moothall.SubjectQueryReceived, 7)
	seen := h.model.Requests()
	for i, query := range append(asked, again.Query) {
		h.model.Script(moottest.Reply{Text: "B's."})
		e := told[slices.IndexFunc(told, func(e moothall.Event) bool { return e.Query == query })]
		if err := h.Shadow(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		now := h.model.Requests()
		if a, b := said(seen[i].Messages), said(now[len(now)-1].Messages); a != b {
			t.Errorf("A saw\n%s\nand B\n%s", a, b)
		}
	}
}

// Notes on a conversation are written by the model that answers in it, and that
// it is asked is on the record.
func TestCompactingAsksRespondentA(t *testing.T) {
	t.Parallel()
	audit := moottest.NewAudit()
	h, _ := talked(t, func(o *chat.Options) {
		o.Model, o.Audit = twoModels{o.Model.(*moottest.FakeGateway)}, audit.For(moothall.ChatHall)
		o.Settings.A = chat.Respondent{Provider: "fake", Model: "small"}
	})
	before := len(audit.Records())
	h.compact(t)
	asked := h.model.Requests()
	if r := asked[len(asked)-1]; len(asked) != 7 || r.Provider != "fake" || r.Window != 1024 {
		t.Errorf("%d calls, the last of %q with %d tokens", len(asked), r.Provider, r.Window)
	}
	var got []string
	for _, r := range audit.Records()[before:] {
		got = append(got, fmt.Sprint(r.Entry.Action, " ", r.Entry.Status, " ", r.Entry.Note))
	}
	if want := []string{"model.call intent compact", "model.call ok compact", "session.change ok compacted"}; !slices.Equal(got, want) {
		t.Errorf("on record is %q", got)
	}
	before = len(audit.Records())
	if err := h.ChangeSession(t.Context(), moothall.SessionChange{ID: "s", Compact: true}); err != nil || len(h.model.Requests()) != 7 || len(audit.Records()) != before {
		t.Errorf("there was nothing to do, and on record is %+v, %v", audit.Records()[before:], err)
	}
}
