package judge_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/judge"
)

func TestScore(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]int{
		"Feedback: Right and short. [RESULT] 4":                  4,
		"[RESULT] 1":                                             1,
		"Good. [RESULT] 4.":                                      4,
		"Good. **[RESULT]** (4)":                                 4,
		"Good.\n[RESULT]: **5**\n":                               5,
		"Good. [Result] 3":                                       3,
		"Good. [ RESULT ] \"2\"":                                 2,
		"Good. [RESULT] 4/5":                                     4,
		"Good. [RESULT] 4 out of 5.":                             4,
		"Good. [RESULT] [3]":                                     3,
		"Good. [RESULT] `3`":                                     3,
		"Good. [RESULT] 4\n[RESULT] 4":                           4,
		"<think>[RESULT] 1 or [RESULT] 2?</think>No. [RESULT] 5": 5,
		"is it a 2? [RESULT] 2</think> Fine. [RESULT] 4":         4,
		"<|channel|>analysis<|message|>[RESULT] 9<|channel|>final<|message|>Ok. [RESULT] 3": 3,
	} {
		got, _, err := judge.Score(reply)
		if err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", reply, got, err, want)
		}
	}
	for _, reply := range []string{
		"", "Good.", "4", "Score: 4", "[RESULT]", "[RESULT] 0", "[RESULT] 6", "[RESULT] 4.5", "[RESULT] 4,5", "[RESULT] 45", "[RESULT] -1", "[RESULT] +4",
		"[RESULT] 4 out of 10", "[RESULT] 4/10", "[RESULT] 4 5", "[RESULT] 3-4", "[RESULT] 3 or 4", "[RESULT] four", "[RESULT] A", "[RESULT] ４",
		"[RESULT] 4 because it is good", "I would say [RESULT] 5. No: [RESULT] 4", "[RESULT] (an integer) [RESULT] 4", "[RESULT] 4. Anything else?",
		"RESULT 4", "[RESULT: 4]", "<think>[RESULT] 4", "<think>hm</think>", "[RESULT] 4 [RESULT]",
	} {
		if got, _, err := judge.Score(reply); !errors.Is(err, judge.ErrForm) || got != 0 {
			t.Errorf("%q: %d, %v", reply, got, err)
		}
	}
}

func TestWinner(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"Feedback: A is right. [RESULT] A": "A", "[RESULT] B.": "B", "x **[RESULT]** (B)": "B", "x [RESULT] Response A": "A", "x [RESULT] **Answer B**": "B", "x [RESULT] b": "B",
	} {
		if got, _, err := judge.Winner(reply); err != nil || got != want {
			t.Errorf("%q: %q, %v", reply, got, err)
		}
	}
	for _, reply := range []string{"", "A", "[RESULT] C", "[RESULT] A and B", "[RESULT] A/B", "[RESULT] tie", "[RESULT] 4", "[RESULT] A [RESULT] B", "[RESULT] A is better", "[RESULT] AB"} {
		if got, _, err := judge.Winner(reply); !errors.Is(err, judge.ErrForm) || got != "" {
			t.Errorf("%q: %q, %v", reply, got, err)
		}
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"Feedback: Right and short. [RESULT] 4":        "Right and short.",
		"###Feedback: Right. **[RESULT]** 4":           "Right.",
		"**Feedback:** Right.\n\n[RESULT] 4":           "Right.",
		"<think>long</think>\nFeedback: Ok [RESULT] 4": "Ok",
		"[RESULT] 4": "",
	} {
		if _, got, err := judge.Score(reply); err != nil || got != want {
			t.Errorf("%q: %q, %v", reply, got, err)
		}
	}
	if _, got, _ := judge.Score(strings.Repeat("é", 5000) + " [RESULT] 4"); len(got) > 4100 || !utf8.ValidString(got) || !strings.Contains(got, "left out") {
		t.Errorf("%d bytes of feedback are kept", len(got))
	}
}

func FuzzScore(f *testing.F) {
	for _, s := range []string{"Feedback: a [RESULT] 4", "**[RESULT]** (4)", "[RESULT] 4.5", "<think>[RESULT] 1</think>[RESULT] 2", "[RESULT] A", "\xff[RESULT]\x80 3", "[[RESULT] 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		score, feedback, err := judge.Score(reply)
		if (err == nil) != (score >= 1 && score <= 5) || err != nil && !errors.Is(err, judge.ErrForm) || !utf8.ValidString(feedback) {
			t.Errorf("%q: %d %q %v", reply, score, feedback, err)
		}
		// A number must be there to be read.
		if err == nil && !strings.ContainsRune(reply, rune('0'+score)) {
			t.Errorf("%q: %d is made up", reply, score)
		}
		if winner, _, werr := judge.Winner(reply); (werr == nil) != (winner == "A" || winner == "B") || err == nil && werr == nil {
			t.Errorf("%q: winner %q, score %d", reply, winner, score)
		}
	})
}
