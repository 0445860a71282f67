package judge_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/judge"
)

// scripted gives replies in order and keeps what it was asked.
type scripted struct {
	replies []string
	asked   [][]moothall.Message
}

func (s *scripted) ask(_ context.Context, m []moothall.Message) (string, error) {
	s.asked = append(s.asked, slices.Clone(m))
	if len(s.replies) == 0 {
		return "", errors.New("no more replies")
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	return r, nil
}

func aCase() judge.Case {
	return judge.Case{Question: "How high is the tower?", Answer: "330 m.", Rubric: judge.Rubrics()["chat"]}
}

func TestGrade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replies []string
		want    judge.Graded
		calls   int
	}{
		"at once":  {[]string{"Feedback: Right. [RESULT] 5"}, judge.Graded{Outcome: moothall.Graded, Score: 5, Feedback: "Right."}, 1},
		"repaired": {[]string{"I'd give it a 4.", "Feedback: Right. [RESULT] 4"}, judge.Graded{Outcome: moothall.Graded, Score: 4, Feedback: "Right."}, 2},
		"rubbish": {[]string{"lorem", ""}, judge.Graded{Outcome: moothall.Unknown,
			Feedback: "What the judge said could not be read, also when it was asked again: there is no [RESULT]."}, 2},
	} {
		s := &scripted{replies: c.replies}
		got, err := judge.Grade(t.Context(), s.ask, aCase())
		if err != nil || len(s.asked) != c.calls {
			t.Errorf("%s: %d calls, %v", name, len(s.asked), err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for calls := range 2 { // the model fails at once, or in the repair
		s := &scripted{replies: slices.Repeat([]string{"x"}, calls)}
		if _, err := judge.Grade(t.Context(), s.ask, aCase()); err == nil || errors.Is(err, judge.ErrForm) {
			t.Errorf("after %d replies: %v", calls, err)
		}
	}
}

func TestRepairShowsTheReplyAndTheProblem(t *testing.T) {
	t.Parallel()
	s := &scripted{replies: []string{"<think>secret</think>Good: [RESULT] 9", "[RESULT] 3"}}
	if _, err := judge.Grade(t.Context(), s.ask, aCase()); err != nil {
		t.Fatal(err)
	}
	m := s.asked[1]
	if len(m) != 4 || m[2].Role != moothall.RoleAssistant || m[2].Content != "Good: [RESULT] 9" || !strings.Contains(m[3].Content, "a whole number from 1 to 5 and nothing else") {
		t.Errorf("%+v", m[2:])
	}
	if d := cmp.Diff(s.asked[0], m[:2]); d != "" {
		t.Error(d)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	one, two := "Feedback: it is right [RESULT] A", "Feedback: it is right [RESULT] B"
	for name, c := range map[string]struct {
		replies []string
		want    judge.Compared
		calls   int
	}{
		"A wins":       {[]string{one, two}, judge.Compared{Outcome: moothall.Graded, Winner: "A", Orders: []string{"A", "A"}}, 2},
		"B wins":       {[]string{two, one}, judge.Compared{Outcome: moothall.Graded, Winner: "B", Orders: []string{"B", "B"}}, 2},
		"always first": {[]string{one, one}, judge.Compared{Outcome: moothall.Tied, Orders: []string{"A", "B"}}, 2},
		"repaired":     {[]string{one, "hm", two}, judge.Compared{Outcome: moothall.Graded, Winner: "A", Orders: []string{"A", "A"}}, 3},
		"rubbish":      {[]string{"hm", "hm"}, judge.Compared{Outcome: moothall.Unknown}, 2},
		"half rubbish": {[]string{one, "[RESULT] 4", "tie"}, judge.Compared{Outcome: moothall.Unknown, Orders: []string{"A"}}, 3},
	} {
		s := &scripted{replies: c.replies}
		got, err := judge.Compare(t.Context(), s.ask, judge.Pair{Question: "q", A: "first text", B: "second text"})
		if err != nil || len(s.asked) != c.calls || got.Feedback == "" {
			t.Errorf("%s: %d calls, %+v, %v", name, len(s.asked), got, err)
		}
		got.Feedback, got.Reasons = "", nil
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	none := &scripted{}
	if got, err := judge.Compare(t.Context(), none.ask, judge.Pair{Question: "q", A: "same", B: "same\n"}); err != nil || got.Outcome != moothall.Tied || len(none.asked) != 0 {
		t.Errorf("the same text: %+v, %v", got, err)
	}
	if _, err := judge.Compare(t.Context(), none.ask, judge.Pair{Question: "q", A: "x", B: "y"}); err == nil {
		t.Error("a model that fails is no error")
	}
}
