package chat_test

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// notes are what a model makes of a conversation.
const notes = `{"decisions":["the person likes tea"],"artifacts":[],"questions":["which one?"]}`

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
