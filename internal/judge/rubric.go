package judge

import (
	"fmt"
	"strings"
)

// Rubric says what a good answer is: the question that the judge puts to it,
// and what each grade from 1 to 5 means.
type Rubric struct {
	Criteria string    `json:"criteria"`
	Scores   [5]string `json:"scores"`
}

// DefaultRubric is the name of the rubric for what has none of its own.
const DefaultRubric = "default"

// Rubrics returns the built-in rubrics by the kind of answer that they are
// for. The map is the caller's.
func Rubrics() map[string]Rubric {
	return map[string]Rubric{
		DefaultRubric: {"Does the response do what was asked, correctly and clearly?", [5]string{
			"It does not do what was asked, or is wrong throughout.",
			"It touches on what was asked, but is mostly wrong, evasive or unusable.",
			"It does part of what was asked; there are errors or gaps that matter.",
			"It does what was asked; what is missing or unclear is small.",
			"It does all that was asked, is correct, and is easy to follow.",
		}},
		"chat": {"Does the response answer the person's question correctly, directly and in a length that fits it?", [5]string{
			"It does not answer, answers something else, or what it says is false.",
			"It hardly answers: mostly wrong, evasive, or hidden in what was not asked for.",
			"It answers in part; a person would have to ask again or check.",
			"It answers correctly; it could be clearer, shorter or more complete.",
			"It answers correctly and completely, says what it does not know, and wastes no words.",
		}},
		"committee": {"Does the response weigh different views of the matter and come to a conclusion that follows from them?", [5]string{
			"There are no views and no conclusion, or they have nothing to do with the matter.",
			"It gives one view only, or a conclusion without reasons.",
			"Several views are named, but hardly weighed; the conclusion is loose.",
			"Views are weighed and the conclusion follows; something of weight is missing.",
			"The views that matter are weighed fairly, disagreement is named, and the conclusion is clear and follows.",
		}},
		"task": {"Does the response show that the task was carried out, and say truthfully what was done?", [5]string{
			"Nothing of the task was done, or it claims what was not done.",
			"Little was done, or it cannot be told what was.",
			"Part of the task was done; the rest is missing or not named as missing.",
			"The task was done but for small things, and the report is true.",
			"The whole task was done, and the report says exactly what was done and what was not.",
		}},
		"coder": {"Is the code in the response correct, complete for what was asked, and easy to read?", [5]string{
			"There is no code where it was needed, or it cannot work.",
			"The code has faults that keep it from doing what was asked.",
			"The code does the common case; other cases fail or are missing.",
			"The code does what was asked; details of style or rare cases are left.",
			"The code is correct, complete and plain, and what it does not cover is said.",
		}},
		"researcher": {"Does the response say what is known about the question, and from where?", [5]string{
			"It says nothing to the point, or makes things up.",
			"It says little to the point, and nothing of where it is from.",
			"It is to the point in part; sources are missing or do not support it.",
			"It is to the point and mostly supported; something of weight is left out.",
			"It is complete and to the point, each claim is supported, and what is uncertain is called so.",
		}},
	}
}

// Problem says what keeps the rubric from being used, or "".
func (r Rubric) Problem() string {
	if bad := textProblem("criteria", r.Criteria); bad != "" {
		return bad
	}
	for i, s := range r.Scores {
		if bad := textProblem(fmt.Sprintf("score %d", i+1), s); bad != "" {
			return bad
		}
	}
	return ""
}

// maxRubricText bounds each text of a rubric, in bytes.
const maxRubricText = 2000

func textProblem(name, s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return name + " is empty"
	case len(s) > maxRubricText:
		return fmt.Sprintf("%s is longer than %d bytes", name, maxRubricText)
	}
	return ""
}

// text is the rubric as the form has it.
func (r Rubric) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s]", r.Criteria)
	for i, s := range r.Scores {
		fmt.Fprintf(&b, "\nScore %d: %s", i+1, s)
	}
	return b.String()
}
