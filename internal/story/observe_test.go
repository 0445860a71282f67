package story_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/story"
)

func ptr[T any](v T) *T { return &v }

func failures(o story.Outcome) string {
	var out []string
	for _, t := range o.Turns {
		out = append(out, t.Failures...)
	}
	return strings.Join(out, "; ")
}

// TestThen holds every kind of expectation of an event against a hall that
// meets it and one that does not.
func TestThen(t *testing.T) {
	t.Parallel()
	const payload = `{"score":4,"mean":4.5,"feedback":{"thumbs":1},"orders":["A","B"],"none":null,"text":"well done","links":["http://a.example/?a=1&b=<2>"]}`
	for name, c := range map[string]struct {
		want story.Want
		path string
		fail string // empty: it holds
	}{
		"number":             {story.Want{Is: ptr("4")}, "score", ""},
		"other number":       {story.Want{Is: ptr("5")}, "score", "score: is 4, want 5"},
		"inside":             {story.Want{Is: ptr("1")}, "feedback.thumbs", ""},
		"place":              {story.Want{Is: ptr("B")}, "orders.1", ""},
		"no such place":      {story.Want{Is: ptr("B")}, "orders.2", "is not there"},
		"no number of place": {story.Want{Is: ptr("B")}, "orders.x", "is not there"},
		"into text":          {story.Want{Is: ptr("B")}, "text.x", "is not there"},
		"null":               {story.Want{Is: ptr("null")}, "none", ""},
		"integer":            {story.Want{Type: "integer"}, "score", ""},
		"no integer":         {story.Want{Type: "integer"}, "mean", "want the type integer"},
		"number type":        {story.Want{Type: "number"}, "mean", ""},
		"array":              {story.Want{Type: "array"}, "orders", ""},
		"object":             {story.Want{Type: "object"}, "feedback", ""},
		"null type":          {story.Want{Type: "null"}, "none", ""},
		"string":             {story.Want{Type: "string"}, "score", "want the type string"},
		"within":             {story.Want{Min: ptr(1.0), Max: ptr(5.0)}, "score", ""},
		"below":              {story.Want{Min: ptr(5.0)}, "score", "want at least 5"},
		"above":              {story.Want{Max: ptr(3.0)}, "score", "want at most 3"},
		"no bounds":          {story.Want{Min: ptr(1.0)}, "text", "is no number"},
		"match":              {story.Want{Matches: "^well"}, "text", ""},
		"within a list":      {story.Want{Matches: "a=1&b=<2>"}, "links", ""},
		"the whole list":     {story.Want{Is: ptr(`["http://a.example/?a=1&b=<2>"]`)}, "links", ""},
		"no match":           {story.Want{Matches: "^bad"}, "text", "does not match"},
		"bad expression":     {story.Want{Matches: "("}, "text", "own expression"},
		"exists":             {story.Want{Exists: ptr(true)}, "score", ""},
		"null does not":      {story.Want{Exists: ptr(true)}, "none", "is not there"},
		"must not":           {story.Want{Exists: ptr(false)}, "absent", ""},
		"but does":           {story.Want{Exists: ptr(false)}, "score", "is there: 4"},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := newObserved(event("critique.result", "A", payload))
			out := playOn(t, o, story.Turn{Expect: story.Expect{Then: []story.Event{
				{Subject: "critique.result", Payload: map[string]story.Want{c.path: c.want}},
			}}})
			if got := failures(out); out.Passed != (c.fail == "") || !strings.Contains(got, c.fail) {
				t.Errorf("%s: passed %v: %s", name, out.Passed, got)
			}
		})
	}
}

func TestThenWhoseAndHowMany(t *testing.T) {
	t.Parallel()
	events := []moothall.Event{
		event("response.generation", "A", `{}`), event("response.generation", "", `{"respondent_id":"B"}`), event("reward.event", "A", `[]`),
		{Subject: "pairwise.result", Query: "another"},
	}
	for name, c := range map[string]struct {
		want story.Event
		fail string
	}{
		"A":             {story.Event{Subject: "response.generation", Respondent: "A", Count: ptr(1)}, ""},
		"B by payload":  {story.Event{Subject: "response.generation", Respondent: "B", Count: ptr(1)}, ""},
		"both":          {story.Event{Subject: "response.generation", Count: ptr(2)}, ""},
		"too many":      {story.Event{Subject: "response.generation", Count: ptr(1)}, "response.generation came 2 times, want 1"},
		"too few":       {story.Event{Subject: "response.generation", Count: ptr(3)}, "came 2 times within"},
		"none, rightly": {story.Event{Subject: "dead.letter", Count: ptr(0)}, ""},
		"one too many":  {story.Event{Subject: "reward.event", Count: ptr(0)}, "reward.event came 1 times, want 0"},
		"nobody's":      {story.Event{Subject: "reward.event", Respondent: "B"}, "reward.event of B did not follow"},
		"another turn":  {story.Event{Subject: "pairwise.result"}, "pairwise.result did not follow"},
	} {
		synctest.Test(t, func(t *testing.T) {
			out := playOn(t, newObserved(events...), story.Turn{Expect: story.Expect{Then: []story.Event{c.want}}})
			if got := failures(out); out.Passed != (c.fail == "") || !strings.Contains(got, c.fail) {
				t.Errorf("%s: passed %v: %s", name, out.Passed, got)
			}
		})
	}
}

// TestEngramsAndJudgements: what is kept of a turn may come late.
func TestEngramsAndJudgements(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newObserved(event("critique.result", "A", `{}`))
		score := 4.0
		time.AfterFunc(120*time.Millisecond, func() { // while the story looks for it
			list, _ := o.Judgements(t.Context(), moothall.JudgementQuery{})
			_, err := o.memory.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{
				Kind: moothall.Engram, Name: "n", Corpus: "c", Source: "s", Trust: moothall.TrustPerson,
				Turn: &moothall.TurnNotes{Query: list[0].Query, Session: list[0].Session, Respondent: "A", Score: &score},
			}})
			if err != nil {
				t.Error(err)
			}
		})
		turn := story.Turn{Feedback: &story.Feedback{Thumbs: 1}, Expect: story.Expect{
			Then:       []story.Event{{Subject: "critique.result", Count: ptr(1)}, {Subject: "dead.letter", Count: ptr(0)}},
			Engrams:    []story.Record{{Respondent: "A", Payload: map[string]story.Want{"turn.critic_score": {Type: "integer", Min: ptr(1.0)}}}},
			Judgements: []story.Record{{Payload: map[string]story.Want{"reward.feedback.thumbs": {Is: ptr("1")}}}},
		}}
		if out := playOn(t, o, turn); !out.Passed {
			t.Errorf("%+v", out)
		}
		turn.Expect.Engrams[0].Respondent = "B"
		if out := playOn(t, newObserved(event("critique.result", "A", `{}`)), turn); !strings.Contains(failures(out), "the memory of it is not as expected within 200ms: there is none of B") {
			t.Errorf("%+v", out)
		}
		turn.Expect.Engrams = nil
		turn.Expect.Judgements[0].Payload["critique.score"] = story.Want{Exists: ptr(true)}
		if out := playOn(t, newObserved(event("critique.result", "A", `{}`)), turn); !strings.Contains(failures(out), "its judgement is not as expected within 200ms: critique.score: is not there") {
			t.Errorf("%+v", out)
		}
	})
}

// hung is a hall that never says how a turn was judged.
type hung struct{ *observed }

func (h hung) Judgements(ctx context.Context, _ moothall.JudgementQuery) ([]moothall.Judgement, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// What could not be read in all the time is not as expected.
func TestHallThatHangsPassesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := story.Story{Name: "s", Turns: []story.Turn{{Query: "hello", Expect: story.Expect{
			Judgements: []story.Record{{Payload: map[string]story.Want{"critique.score": {Is: ptr("5")}}}},
		}}}}
		out := story.Play(t.Context(), hung{newObserved()}, s, story.Options{})
		if got := failures(out); out.Passed || !strings.Contains(got, "its judgement is not as expected within 2m0s: it could not be read") {
			t.Errorf("passed %v: %s", out.Passed, got)
		}
	})
}

// faint is a hall whose record is not read to its end in all the time.
type faint struct{ *observed }

func (f faint) Events(ctx context.Context, _ moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return func(func(moothall.Event, error) bool) { <-ctx.Done() }
}

// That an event did not come is known only when all that came was read.
func TestUnreadRecordCountsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := story.Story{Name: "s", Turns: []story.Turn{{Query: "hello", Expect: story.Expect{
			Then: []story.Event{{Subject: "dead.letter", Count: ptr(0)}},
		}}}}
		out := story.Play(t.Context(), faint{newObserved()}, s, story.Options{})
		if got := failures(out); out.Passed || !strings.Contains(got, "the events could not be counted within 2m0s") {
			t.Errorf("passed %v: %s", out.Passed, got)
		}
	})
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	o := newObserved()
	if out := playOn(t, o, story.Turn{Feedback: &story.Feedback{Stars: 5, Comment: "good"}}); !out.Passed {
		t.Errorf("%+v", out)
	}
	if got := o.Given(); len(got) != 1 || got[0].Stars != 5 || got[0].Comment != "good" || got[0].Query == "" {
		t.Errorf("the hall heard %+v", got)
	}
	if out := playOn(t, o, story.Turn{Feedback: &story.Feedback{}}); !strings.Contains(failures(out), "refused") {
		t.Errorf("empty feedback: %+v", out)
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings map[string]string
		needs    []string
		played   bool
	}{
		"nothing":           {nil, nil, true},
		"absent":            {nil, []string{"critic"}, false},
		"there":             {map[string]string{"critic": `{}`}, []string{"critic"}, true},
		"without settings":  {map[string]string{"critic": ``}, []string{"critic"}, true},
		"off":               {map[string]string{"critic": `{"enabled":false}`}, []string{"critic"}, false},
		"on":                {map[string]string{"respondent-b": `{"on":true}`}, []string{"respondent_b"}, true},
		"by its switch":     {map[string]string{"respondent_b": `{"enabled":true}`}, []string{"respondent_b"}, true},
		"switched off":      {map[string]string{"respondent_b": `{"enabled":false}`}, []string{"respondent_b"}, false},
		"a setting":         {map[string]string{"chat": `{"a":{"b":true}}`}, []string{"chat.a.b"}, true},
		"one of two":        {map[string]string{"chat": `{}`}, []string{"chat", "critic"}, false},
		"no such a setting": {map[string]string{"chat": `{}`}, []string{"chat.x"}, false},
	} {
		o := newObserved()
		o.settings = c.settings
		out := playOn(t, o, story.Turn{}, c.needs...)
		if out.Passed != c.played || (out.Skipped == "") != c.played {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// mute is a hall that does not say what it has.
type mute struct{ *observed }

func (mute) Participants(context.Context) ([]moothall.Participant, error) {
	return nil, context.DeadlineExceeded
}

// A story is passed over where the hall lacks what it needs, and not where the
// hall does not say: a run that is out of time would have passed.
func TestNobodyKnowsWhatTheHallHas(t *testing.T) {
	t.Parallel()
	s := story.Story{Name: "s", Needs: []string{"critic"}, Turns: []story.Turn{{Query: "hello"}}}
	out := story.Play(t.Context(), mute{newObserved()}, s, story.Options{})
	if got := failures(out); out.Passed || out.Skipped != "" || got != "the hall does not say what it has: context deadline exceeded" {
		t.Errorf("%+v", out)
	}
}
