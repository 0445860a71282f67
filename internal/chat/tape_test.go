package chat_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// twoModels has a second model, which can call no tools.
type twoModels struct{ *moottest.FakeGateway }

func (g twoModels) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	if r.Model == "small" {
		return moothall.ModelCard{Provider: "fake", Model: "small", Window: 1024, Tools: "none"}, nil
	}
	return g.FakeGateway.ShowModel(ctx, r)
}

func (g twoModels) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	if r.Model == "small" {
		r.Model = "" // the script answers for both
	}
	return g.FakeGateway.Generate(ctx, r)
}

// A replay with another prompt asks the model of the turn as what it is, and
// that a model is asked at all is on the record before and after.
func TestReplayAsksTheModelOfTheTurnOnRecord(t *testing.T) {
	t.Parallel()
	broker := moottest.NewBroker(moottest.EchoTool("echo", moothall.RiskNone))
	broker.Allow("generator", moottest.AgentRules{Tools: []moothall.ToolName{"echo"}})
	audit := moottest.NewAudit()
	h := fresh(t, func(o *chat.Options) {
		o.Settings = chat.DefaultSettings()
		o.Audit, o.Broker = audit.For(moothall.ChatHall), broker.For(moothall.ChatHall)
		o.Model = twoModels{o.Model.(*moottest.FakeGateway)}
	})
	h.model.Script(moottest.Reply{Text: "Hello."}, moottest.Reply{Text: "Ahoy."}, moottest.Reply{Err: errors.New("gone")})
	a, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "Hi", Model: "small"})
	h.heard(t, moothall.SubjectAnswerDialog, 1)

	replay := func(r moothall.ReplayRequest) []moothall.AuditEntry {
		t.Helper()
		before := len(audit.Records())
		r.Query = a.Query
		if _, err := h.Replay(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
		var out []moothall.AuditEntry
		for _, rec := range audit.Records()[before:] {
			out = append(out, rec.Entry)
		}
		return out
	}
	if got := replay(moothall.ReplayRequest{}); len(got) != 0 {
		t.Errorf("no model was asked, and on record is %+v", got)
	}
	for _, status := range []moothall.AuditStatus{moothall.StatusOK, moothall.StatusFailed} {
		got := replay(moothall.ReplayRequest{Prompt: "Speak as a pirate."})
		if len(got) != 2 || got[0].Status != moothall.StatusIntent || got[1].Status != status || got[0].Call == "" || got[0].Call != got[1].Call {
			t.Fatalf("on record is %+v", got)
		}
		for _, e := range got {
			if e.Action != moothall.ActionModelCall || e.Query != a.Query || e.Session != "s" || e.Note != "replay" {
				t.Errorf("on record is %+v", e)
			}
		}
	}
	for i, r := range h.model.Requests() {
		if len(r.Tools) != 0 || r.Window != 1024 {
			t.Errorf("call %d: a small model is offered %d tools and %d tokens", i, len(r.Tools), r.Window)
		}
	}
	audit.Refuse(errors.New("full"))
	asked := len(h.model.Requests())
	if _, err := h.Replay(t.Context(), moothall.ReplayRequest{Query: a.Query, Prompt: "Speak."}, nil); err == nil || len(h.model.Requests()) != asked {
		t.Errorf("a model was asked off the record: %v", err)
	}
}

// A live replay whose model does not answer says so, and why: that nothing
// came is no answer.
func TestReplaySaysWhyItFailed(t *testing.T) {
	t.Parallel()
	h := fresh(t, func(o *chat.Options) { o.Settings = chat.DefaultSettings() })
	h.model.Script(moottest.Reply{Text: "Hello."}, moottest.Reply{Err: moothall.Fail(moothall.CodeUnavailable, "generate", "the server is gone")})
	a, _ := h.ask(t, moothall.QueryRequest{Session: "s", Query: "Hi"})
	h.heard(t, moothall.SubjectAnswerDialog, 1)
	got, err := h.Replay(t.Context(), moothall.ReplayRequest{Query: a.Query, Prompt: "Be brief."}, nil)
	if err != nil || got.Again.Stop != moothall.StopError {
		t.Fatalf("%+v, %v", got, err)
	}
	if said := strings.Join(append(got.Differences, got.Again.Flags...), "\n"); strings.Count(said, "the server is gone") != 2 {
		t.Errorf("nothing says why: %s", said)
	}
}
