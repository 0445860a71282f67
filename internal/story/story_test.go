package story_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/story"
)

// both makes a client of a front alone, which repeats what is said to it.
type both struct{ moothall.Front }

func (both) Gateway() moothall.Gateway { return nil }
func (both) Memory() moothall.Memory   { return nil }
func (both) Broker() moothall.Broker   { return nil }
func (both) Close() error              { return nil }

func play(t *testing.T, turns ...story.Turn) story.Outcome {
	t.Helper()
	return story.Play(t.Context(), both{moottest.NewFront()}, story.Story{Name: "s", Turns: turns}, story.Options{})
}

func TestPasses(t *testing.T) {
	t.Parallel()
	out := play(t,
		story.Turn{Query: "Hello hall", Session: "a", Expect: story.Expect{Contains: []string{"HELLO"}, Lacks: []string{"bye"}, Matches: "(?i)hall"}},
		story.Turn{Query: "Again", Session: "a", Expect: story.Expect{Contains: []string{"again"}}},
	)
	if !out.Passed || len(out.Turns) != 2 {
		t.Errorf("%+v", out)
	}
}

func TestEveryExpectationCanFail(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]story.Expect{
		"contain":    {Contains: []string{"absent"}},
		"contains":   {Lacks: []string{"hello"}},
		"match":      {Matches: "^never$"},
		"expression": {Matches: "("},
		"stopped":    {Stop: "no such reason"},
		"tool":       {Tools: []string{"web_search"}},
		"event":      {Events: []string{"task.finished"}},
	} {
		out := play(t, story.Turn{Query: "hello", Expect: e}, story.Turn{Query: "never asked"})
		if out.Passed || len(out.Turns) != 1 || !strings.Contains(strings.Join(out.Turns[0].Failures, ";"), name) {
			t.Errorf("%s: %+v", name, out)
		}
	}
	for want, e := range map[string]story.Expect{"some": {Thinking: "some"}, "none": {Thinking: "none"}} {
		a := moothall.Answer{}
		if want == "none" {
			a.Thinking = "hm"
		}
		if len(e.Check(a)) != 1 {
			t.Errorf("thinking %s is not checked", want)
		}
	}
}

// asked keeps what a hall was asked.
type asked struct {
	moothall.Front
	got moothall.QueryRequest
}

func (a *asked) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	a.got = r
	return a.Front.Query(ctx, r)
}

// TestCommittee: who is to speak, and how often, reaches the hall.
func TestCommittee(t *testing.T) {
	t.Parallel()
	a := &asked{Front: moottest.NewFront()}
	turn := story.Turn{Query: "hello", Mode: "committee", Personas: []string{"Guardian", "Maker"}, Rounds: 3}
	story.Play(t.Context(), both{a}, story.Story{Turns: []story.Turn{turn}}, story.Options{})
	want := moothall.QueryRequest{Query: "hello", Mode: moothall.ModeCommittee, Personas: []string{"Guardian", "Maker"}, Rounds: 3, Unattended: true}
	if diff := cmp.Diff(want, a.got); diff != "" {
		t.Error(diff)
	}
}

func TestNoTurnsIsNoPass(t *testing.T) {
	t.Parallel()
	if play(t).Passed {
		t.Error("a story without turns passed")
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	a := moothall.Answer{Subjects: []moothall.Subject{"a", "x", "b"}}
	if got := (story.Expect{Events: []string{"a", "b"}}).Check(a); len(got) != 0 {
		t.Errorf("in order: %v", got)
	}
	if got := (story.Expect{Events: []string{"b", "a"}}).Check(a); len(got) != 1 {
		t.Errorf("out of order: %v", got)
	}
}
