// Package judge holds the forms in which a model is asked to judge answers,
// and reads what it says. It asks nobody by itself: the caller brings the
// model.
//
// First use:
//
//	grade, err := judge.Grade(ctx, ask, judge.Case{Question: q, Answer: a, Rubric: judge.Rubrics()["chat"]})
//	pair, err := judge.Compare(ctx, ask, judge.Pair{Question: q, A: one, B: other})
//
// # The forms
//
// They are those that the authors of Prometheus 2 published: a description of
// the task, the instruction, the response or the two responses, a reference
// answer where there is one, a rubric, and a reply that is feedback followed by
// [RESULT] and a number from 1 to 5 or a letter, A or B. The headings are
// theirs, since models were trained on them; the words between are ours.
//
// Everything that a person, a model or a tool wrote stands between marks that
// are made from the texts themselves, so that no text can hold its own. The
// same texts always give the same prompt.
//
// # Reading
//
// [Score] and [Winner] are strict: one result, of the scale, at the end. Known
// harmless variants pass ("[RESULT] 4.", "**[RESULT]** (4)", "[RESULT] 4/5").
// What does not pass is asked for once more with the reason; then the outcome
// is unknown. A number is never guessed.
//
// A comparison is asked in both orders. A judge that favours a place rather
// than an answer contradicts itself, and that is a tie.
//
// # Concurrency
//
// All functions are pure but for the asking, and safe for concurrent use.
package judge
