package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// shadowed asks a question and returns the event that B hears of it by.
func shadowed(t *testing.T) (*hall, moothall.Event) {
	t.Helper()
	h := fresh(t, func(o *chat.Options) { o.Settings = chat.Settings{Shadow: true} })
	h.model.Script(moottest.Reply{Text: "Paris."})
	h.ask(t, moothall.QueryRequest{Query: "The capital of France?"})
	return h, h.heard(t, moothall.SubjectQueryReceived, 1)[0]
}

// TestReceivedSaysWhenItWasAsked: a question may be told late, when B was switched
// on meanwhile; it is told with the time at which it was asked.
func TestReceivedSaysWhenItWasAsked(t *testing.T) {
	t.Parallel()
	asked := time.Now().Add(-time.Minute)
	h := fresh(t, func(o *chat.Options) { o.Now = func() time.Time { return asked } })
	h.model.Script(moottest.Reply{Text: "Paris."})
	h.ask(t, moothall.QueryRequest{Query: "The capital of France?"})
	if e := h.heard(t, moothall.SubjectQueryReceived, 1)[0]; !e.Time.Equal(asked) {
		t.Errorf("it was asked at %v, and told with %v", asked, e.Time)
	}
}

// TestShadowBeginsAnew: a reply of B that was broken off, as by a person's
// call that took its place, is begun again, and not for ever.
func TestShadowBeginsAnew(t *testing.T) {
	t.Parallel()
	cut := moottest.Reply{Text: "About t", Err: moothall.Fail(moothall.CodeInterrupted, "generate", "a person's call took the place")}
	for _, c := range []struct {
		broken int
		text   string
		stop   moothall.StopReason
	}{{2, "About two.", moothall.StopDone}, {5, "About t", moothall.StopInterrupted}} {
		h, asked := shadowed(t)
		h.model.Script(slices.Repeat([]moottest.Reply{cut}, c.broken)...)
		h.model.Script(moottest.Reply{Text: "About two."})
		if err := h.Shadow(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
		told := h.heard(t, moothall.SubjectResponseGeneration, 2)
		var got moothall.Answer
		i := slices.IndexFunc(told, func(e moothall.Event) bool { return e.Respondent == "B" })
		if err := json.Unmarshal(told[i].Payload, &got); err != nil || got.Text != c.text || got.Stop != c.stop {
			t.Errorf("after %d: %+v, %v", c.broken, got, err)
		}
	}
}

// sending is a model that sends something with each reply.
type sending struct{ moothall.Gateway }

func (m sending) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		if !yield(moothall.Chunk{Sent: []moothall.Egress{{Host: "far.example", Bytes: 100}}}, nil) {
			return
		}
		for c, err := range m.Gateway.Generate(ctx, r) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// The receipt of B has what the attempts sent that were broken off.
func TestShadowReceiptHasAllAttempts(t *testing.T) {
	t.Parallel()
	h := fresh(t, func(o *chat.Options) { o.Settings, o.Model = chat.Settings{Shadow: true}, sending{o.Model} })
	cut := moottest.Reply{Text: "About t", Err: moothall.Fail(moothall.CodeInterrupted, "generate", "a person's call took the place")}
	h.model.Script(moottest.Reply{Text: "Two."}, cut, cut, moottest.Reply{Text: "About two."})
	a, _ := h.ask(t, moothall.QueryRequest{Query: "How many?"})
	if err := h.Shadow(t.Context(), h.heard(t, moothall.SubjectQueryReceived, 1)[0]); err != nil {
		t.Fatal(err)
	}
	told := h.heard(t, moothall.SubjectResponseGeneration, 2)
	var b moothall.Answer
	if err := json.Unmarshal(told[slices.IndexFunc(told, func(e moothall.Event) bool { return e.Respondent == "B" })].Payload, &b); err != nil {
		t.Fatal(err)
	}
	for n, got := range map[int64]moothall.Receipt{1: a.Receipt, 3: b.Receipt} {
		if len(got.Sent) != 1 || got.Sent[0] != (moothall.Egress{Host: "far.example", Bytes: 100 * n}) {
			t.Errorf("%d attempts sent %v", n, got.Sent)
		}
	}
}

// TestShadowEndsWithTheHall: a hall that stops does not wait for B, whose
// answer is not kept; it comes again.
func TestShadowEndsWithTheHall(t *testing.T) {
	t.Parallel()
	h, asked := shadowed(t)
	h.model.Script(moottest.Reply{Text: "Well", Hang: true})
	ended := make(chan error, 1)
	go func() { ended <- h.Shadow(t.Context(), asked) }()
	until(t, "B is asked", func() bool { return len(h.model.Requests()) >= 2 })
	h.Close()
	if err := <-ended; moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("B ended with %v", err)
	}
	d, err := h.Session(t.Context(), asked.Session)
	if err != nil || len(d.Asked[0].Answers) != 1 {
		t.Errorf("%+v, %v", d.Asked, err)
	}
}

// That B asks a model is on the record, before and after: it is sent the
// conversation as A's is. What cannot be on record is not done.
func TestShadowIsOnRecord(t *testing.T) {
	t.Parallel()
	audit := moottest.NewAudit()
	h := fresh(t, func(o *chat.Options) {
		o.Settings = chat.Settings{Shadow: true}
		o.Audit = audit.For(moothall.ChatHall)
	})
	h.model.Script(moottest.Reply{Text: "Paris."}, moottest.Reply{Text: "It is Paris."}, moottest.Reply{Text: "Madrid."})
	a, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "The capital of France?"})
	before := len(audit.Records())
	if err := h.Shadow(t.Context(), h.heard(t, moothall.SubjectQueryReceived, 1)[0]); err != nil {
		t.Fatal(err)
	}
	var got []moothall.AuditEntry
	for _, r := range audit.Records()[before:] {
		if r.Entry.Action == moothall.ActionModelCall {
			got = append(got, r.Entry)
		}
	}
	if len(got) != 2 || got[0].Status != moothall.StatusIntent || got[1].Status != moothall.StatusOK || got[0].Call == "" || got[0].Call != got[1].Call {
		t.Fatalf("on record is %+v", got)
	}
	for _, e := range got {
		if e.AgentType != "respondent_b" || e.Query != a.Query || e.Session != "s" || e.Run != "" {
			t.Errorf("on record is %+v", e)
		}
	}
	h.ask(t, moothall.QueryRequest{Session: "s", Query: "And of Spain?"})
	asked := len(h.model.Requests())
	audit.Refuse(errors.New("full"))
	if err := h.Shadow(t.Context(), h.heard(t, moothall.SubjectQueryReceived, 2)[1]); err == nil || len(h.model.Requests()) != asked {
		t.Errorf("B was asked off the record: %v", err)
	}
	audit.Refuse(nil)
}
