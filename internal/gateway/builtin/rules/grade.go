package rules

import (
	"fmt"
	"regexp"
	"strings"

	"moothall"
	"moothall/internal/judge"
)

// ruleGrade opens all that the responder says about an answer: it counts
// words, and whoever reads a grade of it must know that.
const ruleGrade = "This is a simple grade by rules, which look at words and cannot tell whether something is true. "

// asJudge grades or compares when the conversation is the form for that.
func asJudge(r moothall.GenerateRequest) (reply, bool) {
	asked, ok := judge.Read(r.Messages)
	if !ok {
		return reply{}, false
	}
	if len(asked.Answers) == 1 {
		g := gradeByRule(asked.Question, asked.Answers[0])
		return reply{
			thinking: "I am asked for a grade, and count words.",
			text:     fmt.Sprintf("Feedback: %sThe answer %s. [RESULT] %d", ruleGrade, strings.Join(g.why, ", "), g.score()),
		}, true
	}
	a, b := gradeByRule(asked.Question, asked.Answers[0]), gradeByRule(asked.Question, asked.Answers[1])
	letter, why := "A", "The rules see no difference and name the first" // in the other order too, which makes a tie
	switch {
	case a.points > b.points:
		why = "A " + strings.Join(a.why, ", ") + "; B " + strings.Join(b.why, ", ")
	case b.points > a.points:
		letter, why = "B", "B "+strings.Join(b.why, ", ")+"; A "+strings.Join(a.why, ", ")
	}
	return reply{
		thinking: "I am asked which answer is better, and count words.",
		text:     fmt.Sprintf("Feedback: %s%s. [RESULT] %s", ruleGrade, why, letter),
	}, true
}

// ruled is what the rules make of an answer.
type ruled struct {
	points int
	why    []string
}

func (r *ruled) note(points int, why string) {
	r.points += points
	r.why = append(r.why, why)
}

// score is a grade; 3 is the middle.
func (r *ruled) score() int { return min(max(3+r.points, 1), 5) }

var (
	givesUp = regexp.MustCompile(`(?i)\bI (do not|don't|can ?not|can't|could not|couldn't) (know|answer|help|find|do|tell)|\bI('m| am) (unable|not able|sorry)|\bno answer\b|\[tool unavailable\]`)
	figure  = regexp.MustCompile(`\d`)
	common  = regexp.MustCompile(`(?i)^(a|an|and|are|as|at|be|by|can|did|do|does|for|from|have|how|i|in|is|it|its|me|my|of|on|or|please|tell|that|the|there|this|to|was|what|when|where|which|who|why|will|with|you|your)$`)
)

// wordy is how many words an answer may have before its length counts
// against it.
const wordy = 400

// gradeByRule looks at what can be counted.
func gradeByRule(question, answer string) ruled {
	var r ruled
	asked, said := contentWords(question), contentWords(answer)
	if len(said) == 0 {
		r.note(-2, "says nothing")
		return r
	}
	if givesUp.MatchString(answer) {
		r.note(-1, "says that it cannot answer")
		return r
	}
	shared, fresh := 0, 0
	for w := range said {
		if asked[w] {
			shared++
		} else {
			fresh++
		}
	}
	switch {
	case len(asked) > 0 && 3*shared >= len(asked):
		r.note(1, "takes up the words of the question")
	case shared == 0 && len(said) > 3:
		r.note(-1, "takes up no word of the question")
	default:
		r.note(0, "takes up little of the question")
	}
	switch {
	case fresh == 0:
		r.note(-2, "adds nothing to it")
	case fresh >= 3 || figure.MatchString(answer) && !figure.MatchString(question):
		r.note(1, "says something of its own")
	default:
		r.note(0, "says little of its own")
	}
	if n := words(answer); n > wordy {
		r.note(-1, fmt.Sprintf("is long (%d words)", n))
	}
	return r
}

// contentWords are the words of a text that carry its subject.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(strings.Map(lettersOnly, text))) {
		if !common.MatchString(w) {
			out[w] = true
		}
	}
	return out
}
