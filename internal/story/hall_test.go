package story_test

import (
	"context"
	"encoding/json"
	"iter"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/story"
)

// observed is a hall whose observers say what the test tells them to: events
// about every turn, engrams, settings.
type observed struct {
	*moottest.FakeFront
	memory   *moottest.FakeMemory
	events   []moothall.Event // about each turn, in order
	settings map[string]string
}

func (o *observed) Gateway() moothall.Gateway { return nil }
func (o *observed) Memory() moothall.Memory   { return o.memory }
func (o *observed) Broker() moothall.Broker   { return nil }
func (o *observed) Close() error              { return nil }

func newObserved(events ...moothall.Event) *observed {
	return &observed{FakeFront: moottest.NewFront(), memory: moottest.NewMemory(), events: events, settings: map[string]string{}}
}

func (o *observed) Participants(context.Context) (out []moothall.Participant, _ error) {
	for name, s := range o.settings {
		out = append(out, moothall.Participant{Name: name, State: moothall.ServiceOK, Settings: json.RawMessage(s)})
	}
	return out, nil
}

// Events replays what was told, for the query that was asked last, and then
// waits for ever.
func (o *observed) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return func(yield func(moothall.Event, error) bool) {
		list, _ := o.Judgements(ctx, moothall.JudgementQuery{Session: q.Session, Limit: 1})
		for _, e := range o.events {
			if e.Query == "" {
				e.Query = list[0].Query
			}
			if !yield(e, nil) {
				return
			}
		}
		if q.Mark && !yield(moothall.Event{}, nil) {
			return
		}
		<-ctx.Done()
		yield(moothall.Event{}, ctx.Err())
	}
}

func event(subject moothall.Subject, respondent moothall.RespondentID, payload string) moothall.Event {
	return moothall.Event{Subject: subject, Respondent: respondent, Payload: json.RawMessage(payload)}
}

// playOn plays one turn with little patience.
func playOn(t *testing.T, o *observed, turn story.Turn, needs ...string) story.Outcome {
	t.Helper()
	if turn.Query == "" {
		turn.Query = "hello"
	}
	s := story.Story{Name: "s", Needs: needs, Turns: []story.Turn{turn}}
	return story.Play(t.Context(), o, s, story.Options{Patience: 200 * time.Millisecond})
}
