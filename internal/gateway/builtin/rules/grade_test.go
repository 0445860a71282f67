package rules_test

import (
	"context"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/rules"
	"moothall/internal/judge"
)

// asked puts a form to the responder as the critic does.
func asked(t *testing.T) judge.Ask {
	return func(_ context.Context, m []moothall.Message) (string, error) {
		return generate(t, moothall.GenerateRequest{Model: rules.Model, Role: moothall.ModelCritic, Messages: m, MaxTokens: 400, Whole: true}).text, nil
	}
}

func TestGradesByRule(t *testing.T) {
	t.Parallel()
	long := "The tower in Blackpool is " + strings.Repeat("very very very high and quite old, ", 100)
	for name, c := range map[string]struct {
		question, answer string
		low, high        int
	}{
		"to the point":   {"How high is the tower in Blackpool?", "The tower in Blackpool is 158 metres high.", 4, 5},
		"nothing":        {"How high is the tower in Blackpool?", "...", 1, 1},
		"gives up":       {"How high is the tower in Blackpool?", "I don't know that.", 2, 2},
		"an echo":        {"How high is the tower in Blackpool?", "How high the tower is in Blackpool.", 1, 2},
		"something else": {"How high is the tower in Blackpool?", "Bananas grow on plants of great size.", 2, 3},
		"a word":         {"What is the capital of Wales?", "Cardiff", 3, 3},
		"too long":       {"How high is the tower in Blackpool?", long, 3, 4},
		"no question":    {"", "Something was said by somebody.", 2, 4},
	} {
		got, err := judge.Grade(t.Context(), asked(t), judge.Case{Question: c.question, Answer: c.answer, Rubric: judge.Rubrics()["chat"]})
		if err != nil || got.Outcome != moothall.Graded || got.Score < c.low || got.Score > c.high {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if !strings.Contains(got.Feedback, "by rules") {
			t.Errorf("%s: %q does not say what it is", name, got.Feedback)
		}
	}
}

func TestComparesByRule(t *testing.T) {
	t.Parallel()
	good, bad := "The tower in Blackpool is 158 metres high.", "I don't know that."
	for name, c := range map[string]struct{ a, b, outcome, winner string }{
		"first":         {good, bad, moothall.Graded, "A"},
		"second":        {bad, good, moothall.Graded, "B"},
		"no difference": {"I don't know that.", "I cannot answer this.", moothall.Tied, ""},
	} {
		got, err := judge.Compare(t.Context(), asked(t), judge.Pair{Question: "How high is the tower in Blackpool?", A: c.a, B: c.b})
		if err != nil || got.Outcome != c.outcome || got.Winner != c.winner {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestAPersonIsNotAGrader: the form counts only where the hall asks.
func TestAPersonIsNotAGrader(t *testing.T) {
	t.Parallel()
	form := judge.GradePrompt(judge.Case{Question: "q", Answer: "a", Rubric: judge.Rubrics()["chat"]})[1]
	if got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: []moothall.Message{form}}); strings.Contains(got.text, "[RESULT]") {
		t.Errorf("%q", got.text)
	}
}
