package judge

import (
	"strings"

	"moothall"
)

// Asked is what a prompt of this package asks to be judged: one answer, or
// two.
type Asked struct {
	Question string
	Answers  []string
}

// Read takes a prompt of [GradePrompt] or [PairPrompt] apart, also when a
// request for repair follows it. It is for a judge that is no language model;
// false means that the messages are something else.
func Read(messages []moothall.Message) (Asked, bool) {
	if len(messages) < 2 || messages[0].Role != moothall.RoleSystem || messages[1].Role != moothall.RoleUser {
		return Asked{}, false
	}
	answers := map[string]int{gradeSystem: 1, pairSystem: 2}[messages[0].Content]
	if answers == 0 {
		return Asked{}, false
	}
	texts := materials(messages[1].Content)
	if len(texts) < 1+answers {
		return Asked{}, false
	}
	return Asked{Question: texts[0], Answers: texts[1 : 1+answers]}, true
}

// materials are the texts between the marks.
func materials(prompt string) []string {
	_, rest, ok := strings.Cut(prompt, "\n"+beginLine)
	if !ok {
		return nil
	}
	word, _, _ := strings.Cut(rest, "\n")
	var out []string
	for {
		_, rest, ok = strings.Cut(prompt, "\n"+beginLine+word+"\n")
		if !ok {
			return out
		}
		text, after, ok := strings.Cut(rest, "\n"+endLine+word+"\n")
		if !ok {
			return out
		}
		out, prompt = append(out, text), "\n"+after
	}
}
