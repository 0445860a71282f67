package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"moothall"
	"moothall/internal/bus"
)

func TestPublishSurvivesReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, bus.Options{Dir: dir})
	e := event(t, moothall.SubjectToolRequest.Of("web_search"), map[string]string{"q": "<a & b>"})
	e.Session, e.Query, e.Correlation, e.Respondent = "s", "q", "c", "A"
	e.Lineage, e.Trace = moothall.Lineage{"x", "y"}, "00-trace"
	seq, err := as(t, b, moothall.ToolBroker).Publish(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	closeBus(t, b)

	b = open(t, bus.Options{Dir: dir})
	got, err := as(t, b, moothall.Person).At(t.Context(), seq)
	if err != nil {
		t.Fatal(err)
	}
	e.Seq, e.Sender = seq, moothall.ToolBroker
	if diff := cmp.Diff(e, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	_, err = as(t, b, moothall.Person).At(t.Context(), seq+1)
	wantCode(t, err, moothall.CodeNotFound)
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	for name, tc := range map[string]struct {
		as     moothall.Identity
		change func(*moothall.Event)
		code   moothall.Code
	}{
		"another's name":    {moothall.Critic, func(e *moothall.Event) { e.Sender = moothall.ToolBroker }, moothall.CodeDenied},
		"another's subject": {moothall.Critic, func(e *moothall.Event) { e.Subject = moothall.SubjectToolRequest.Of("shell") }, moothall.CodeDenied},
		"no subject at all": {moothall.Critic, func(e *moothall.Event) { e.Subject = "x.y" }, moothall.CodeInvalid},
		"a bare family":     {moothall.ToolBroker, func(e *moothall.Event) { e.Subject = moothall.SubjectToolRequest }, moothall.CodeInvalid},
		"no type":           {moothall.Critic, func(e *moothall.Event) { e.Type = "" }, moothall.CodeInvalid},
		"payload no JSON":   {moothall.Critic, func(e *moothall.Event) { e.Payload = json.RawMessage("{") }, moothall.CodeInvalid},
		"payload too large": {moothall.Critic, func(e *moothall.Event) {
			e.Payload = json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
		}, moothall.CodeTooLarge},
		"envelope too large": {moothall.Critic, func(e *moothall.Event) { e.Trace = strings.Repeat("x", 65<<10) }, moothall.CodeTooLarge},
	} {
		e := event(t, moothall.SubjectCritiqueResult, nil)
		tc.change(&e)
		if _, err := as(t, b, tc.as).Publish(t.Context(), e); moothall.ErrorCode(err) != tc.code {
			t.Errorf("%s: got %v, want %s", name, err, tc.code)
		}
	}
	_, err := b.As("stranger")
	wantCode(t, err, moothall.CodeDenied)
	if s, err := b.Stats(t.Context()); err != nil || s.Messages != 0 || s.Published != 0 {
		t.Errorf("something was published: %+v, %v", s, err)
	}
}

func TestPublishTakesTheLargestPayload(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	// The characters that a careless encoder makes six times as long.
	e := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectAnswerDialog, nil)
	e = event(t, moothall.SubjectAnswerDialog, nil)
	e.Payload = json.RawMessage(`"` + strings.Repeat("<", 1<<20-2) + `"`)
	seq, err := as(t, b, moothall.ChatHall).Publish(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	got, err := as(t, b, moothall.Person).At(t.Context(), seq)
	if err != nil || string(got.Payload) != string(e.Payload) {
		t.Errorf("got %d bytes, %v", len(got.Payload), err)
	}
}

func TestSameIDIsStoredOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, bus.Options{Dir: dir})
	e := event(t, moothall.SubjectQueryReceived, nil)
	var seqs []uint64
	for range 3 {
		seq, err := as(t, b, moothall.FrontDoor).Publish(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, seq)
	}
	closeBus(t, b)
	b = open(t, bus.Options{Dir: dir})
	seq, err := as(t, b, moothall.FrontDoor).Publish(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint64{1, 1, 1, 1}, append(seqs, seq)); diff != "" {
		t.Errorf("places, want -, got +:\n%s", diff)
	}
}

// Who can see or guess an id must not be able to keep its event out of the
// record by using it first.
func TestAnIDTakenByAnotherSuppressesNothing(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Listen: "127.0.0.1:0", Credentials: secrets(t, moothall.Critic)})
	e := event(t, moothall.SubjectToolRequest.Of("shell"), nil)
	thief := nats.NewMsg("critique.result.critic")
	thief.Header.Set(nats.MsgIdHdr, string(e.ID))
	if _, err := rawAs(t, b.Addr(), moothall.Critic).RequestMsgWithContext(t.Context(), thief); err != nil {
		t.Fatal(err)
	}
	broker := as(t, b, moothall.ToolBroker)
	seq, err := broker.Publish(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	got, err := broker.At(t.Context(), seq)
	if err != nil || got.ID != e.ID {
		t.Errorf("at %d: %v, %v", seq, got.ID, err)
	}
}

func TestPublishGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := as(t, b, moothall.FrontDoor).Publish(ctx, event(t, moothall.SubjectQueryReceived, nil))
	wantCode(t, err, moothall.CodeCanceled)
}

func TestStats(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	publish(t, as(t, b, moothall.ChatHall), moothall.SubjectAnswerDialog, nil)
	publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseDelta, nil)
	got, err := b.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Bytes == 0 {
		t.Error("the record has no bytes")
	}
	got.Bytes = 0
	want := bus.Stats{Connections: 2, Published: 3, Messages: 2, First: 1, Last: 2, Observers: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
