package judge

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrForm is wrapped by what [Score] and [Winner] return for a reply that is
// not in the form. The error's text says what is wrong with it.
var ErrForm = errors.New("the reply is not in the form")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrForm, fmt.Sprintf(format, args...))
}

// before and after are what may stand before and after a value without changing it.
// There is no minus sign and no comma among it.
const (
	before = "^[\\s*_:`\"'(\\[]*"
	after  = "[\\s.*_)\\]`\"']*$"
)

var (
	resultMark = regexp.MustCompile(`(?i)\[\s*result\s*\]`)
	// A grade may repeat the scale, and no other scale.
	scoreValue  = regexp.MustCompile(`(?i)` + before + `([1-5])(?:\s*/\s*5|\s+out\s+of\s+5)?` + after)
	winnerValue = regexp.MustCompile(`(?i)` + before + `(?:(?:response|answer)\s+)?([ab])` + after)
)

// What may stand after [RESULT].
const (
	number = "a whole number from 1 to 5"
	letter = "A or B"
)

// Score reads a grade and the feedback before it.
func Score(reply string) (score int, feedback string, err error) {
	value, feedback, err := result(reply, scoreValue, number)
	if err != nil {
		return 0, feedback, err
	}
	return int(value[0] - '0'), feedback, nil
}

// Winner reads which response is better, "A" or "B", and the feedback before.
func Winner(reply string) (winner, feedback string, err error) {
	value, feedback, err := result(reply, winnerValue, letter)
	return strings.ToUpper(value), feedback, err
}

// result reads the one value of a reply. A mark that stands twice with the
// same value is one result.
func result(reply string, value *regexp.Regexp, what string) (got, feedback string, err error) {
	text := strip(reply)
	marks := resultMark.FindAllStringIndex(text, -1)
	if len(marks) == 0 {
		return "", feedbackOf(text), malformed("there is no [RESULT]")
	}
	feedback = feedbackOf(text[:marks[0][0]])
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		found := value.FindStringSubmatch(text[m[1]:end])
		switch {
		case found == nil:
			return "", feedback, malformed("after [RESULT] must stand %s and nothing else", what)
		case got != "" && !strings.EqualFold(got, found[1]):
			return "", feedback, malformed("it gives two results")
		}
		got = found[1]
	}
	return got, feedback, nil
}

var feedbackLabel = regexp.MustCompile(`(?i)^[#*\s]*feedback\s*:[*\s]*`)

// maxFeedback bounds what is kept of the judge's words, in bytes.
const maxFeedback = 4000

func feedbackOf(s string) string {
	s = feedbackLabel.ReplaceAllString(strings.TrimSpace(s), "")
	return clip(strings.ToValidUTF8(strings.Trim(s, "*_ \t\r\n"), "\uFFFD"), maxFeedback)
}

var (
	thinkOpen  = regexp.MustCompile(`(?i)<(?:think|thinking|thought|reasoning)>|<\|think\|>|<\|start_thinking\|>|\[think\]|◁think▷`)
	thinkClose = regexp.MustCompile(`(?i)</(?:think|thinking|thought|reasoning)>|<\|/think\|>|<\|end_thinking\|>|\[/think\]|◁/think▷|<\|channel\|>final<\|message\|>`)
)

// strip removes thinking that the provider did not separate: all up to the
// last closing mark, also when no opening one is there, and all from an
// opening mark that is never closed.
func strip(s string) string {
	if all := thinkClose.FindAllStringIndex(s, -1); len(all) > 0 {
		s = s[all[len(all)-1][1]:]
	}
	if open := thinkOpen.FindStringIndex(s); open != nil {
		s = s[:open[0]]
	}
	return s
}
