package chat_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// held is a model that begins to speak and ends when it is let.
type held struct {
	*moottest.FakeGateway
	free chan struct{}
}

func (m held) Generate(ctx context.Context, _ moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		if !yield(moothall.Chunk{Text: "To be "}, nil) {
			return
		}
		select {
		case <-m.free:
			yield(moothall.Chunk{Text: "continued.", Stop: moothall.StopDone}, nil)
		case <-ctx.Done():
			yield(moothall.Chunk{}, ctx.Err())
		}
	}
}

// TestStay leaves a turn in its middle, by breaking out and by giving up: it
// goes on to its end all the same.
func TestStay(t *testing.T) {
	t.Parallel()
	for _, leave := range []string{"breaks out", "gives up"} {
		t.Run(leave, func(t *testing.T) {
			t.Parallel()
			m := held{moottest.NewGateway(), make(chan struct{})}
			h := fresh(t, func(o *chat.Options) { o.Model = m })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for s, err := range h.Query(ctx, moothall.QueryRequest{Query: "tell me", Session: "s", Stay: true}) {
				if leave == "gives up" && err != nil {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if s.Kind == "delta" {
					cancel()
					if leave == "breaks out" {
						break
					}
				}
			}
			close(m.free)
			e := h.heard(t, moothall.SubjectResponseGeneration, 1)[0]
			if !strings.Contains(string(e.Payload), "To be continued.") {
				t.Errorf("the answer is %s", e.Payload)
			}
			d, err := h.Session(t.Context(), "s")
			if err != nil || len(d.Asked) != 1 || d.Asked[0].State != "done" || d.Asked[0].Answers[0].Stop != moothall.StopDone {
				t.Errorf("the turn is %+v, %v", d.Asked, err)
			}
		})
	}
}

// TestStayStops shows that a turn without anybody can be stopped, and that a
// chat does not close before it has ended.
func TestStayStops(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"stop", "close"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := held{moottest.NewGateway(), make(chan struct{})}
			h := fresh(t, func(o *chat.Options) { o.Model = m })
			for s, err := range h.Query(t.Context(), moothall.QueryRequest{Query: "tell me", Session: "s", Stay: true}) {
				if err != nil {
					t.Fatal(err)
				}
				if s.Kind == "delta" {
					break
				}
			}
			if how == "close" {
				h.Close()
			} else if err := h.Stop(t.Context(), h.heard(t, moothall.SubjectQueryReceived, 1)[0].Query); err != nil {
				t.Fatal(err)
			}
			if how == "stop" {
				h.heard(t, moothall.SubjectResponseGeneration, 1)
			}
			d, err := h.Session(t.Context(), "s")
			if err != nil || len(d.Asked) != 1 || len(d.Asked[0].Answers) != 1 {
				t.Fatalf("the turn is %+v, %v", d.Asked, err)
			}
			if a := d.Asked[0].Answers[0]; a.Stop == moothall.StopDone || a.Text != "To be " && strings.TrimSpace(a.Text) != "To be" {
				t.Errorf("the answer is %+v", a)
			}
			if how == "close" {
				for _, err := range h.Query(t.Context(), moothall.QueryRequest{Query: "more", Stay: true}) {
					if moothall.ErrorCode(err) != moothall.CodeCanceled {
						t.Errorf("a closed chat says %v", err)
					}
				}
			}
		})
	}
}
