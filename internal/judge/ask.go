package judge

import (
	"context"
	"fmt"
	"strings"

	"moothall"
)

// Ask puts messages to a model and returns its reply.
type Ask func(ctx context.Context, messages []moothall.Message) (string, error)

// Graded is what came of grading one answer.
type Graded struct {
	Outcome  string // [moothall.Graded] or [moothall.Unknown]
	Score    int    // 1 to 5; 0 when unknown
	Feedback string // or why there is no grade
}

// Compared is what came of comparing two answers.
type Compared struct {
	Outcome  string   // [moothall.Graded], [moothall.Tied] or [moothall.Unknown]
	Winner   string   // "A", "B"; empty unless graded
	Orders   []string // the winners when A stood first, and when B did
	Reasons  []string // the judge's words, in the same order
	Feedback string   // of the winner's order, or why there is no winner
}

// What is said where there is no winner, or no grade.
const (
	sameText  = "The two answers are the same."
	contrary  = "The judge preferred another answer when their order was changed, so that neither is better."
	notInForm = "What the judge said could not be read, also when it was asked again: "
)

// Grade asks for the grade of an answer, and once more when the reply cannot
// be read. An error is the caller's model's.
func Grade(ctx context.Context, ask Ask, c Case) (Graded, error) {
	var score int
	feedback, problem, err := insist(ctx, ask, GradePrompt(c), number, func(reply string) (said string, err error) {
		score, said, err = Score(reply)
		return said, err
	})
	switch {
	case err != nil:
		return Graded{}, err
	case problem != nil:
		return Graded{Outcome: moothall.Unknown, Feedback: unread(problem)}, nil
	}
	return Graded{Outcome: moothall.Graded, Score: score, Feedback: feedback}, nil
}

// Compare asks which answer is better, in both orders. The same text twice is
// a tie without asking.
func Compare(ctx context.Context, ask Ask, p Pair) (Compared, error) {
	if strings.TrimSpace(p.A) == strings.TrimSpace(p.B) {
		return Compared{Outcome: moothall.Tied, Feedback: sameText}, nil
	}
	var out Compared
	swapped := p
	swapped.A, swapped.B = p.B, p.A
	for i, order := range []Pair{p, swapped} {
		var winner string
		feedback, problem, err := insist(ctx, ask, PairPrompt(order), letter, func(reply string) (said string, err error) {
			winner, said, err = Winner(reply)
			return said, err
		})
		switch {
		case err != nil:
			return Compared{}, err
		case problem != nil:
			out.Outcome, out.Feedback = moothall.Unknown, unread(problem)
			return out, nil
		}
		if i == 1 {
			winner = other(winner)
		}
		out.Orders, out.Reasons = append(out.Orders, winner), append(out.Reasons, feedback)
	}
	if out.Orders[0] != out.Orders[1] {
		out.Outcome, out.Feedback = moothall.Tied, contrary
		return out, nil
	}
	out.Outcome, out.Winner, out.Feedback = moothall.Graded, out.Orders[0], out.Reasons[0]
	return out, nil
}

func other(winner string) string {
	if winner == "A" {
		return "B"
	}
	return "A"
}

// unread says why a reply was not read.
func unread(problem error) string {
	return notInForm + strings.TrimPrefix(problem.Error(), ErrForm.Error()+": ") + "."
}

// insist asks, and asks once more with what is wrong. The problem is that of
// the second reply.
func insist(ctx context.Context, ask Ask, messages []moothall.Message, what string, read func(string) (string, error)) (feedback string, problem, err error) {
	reply, err := ask(ctx, messages)
	if err != nil {
		return "", nil, err
	}
	if feedback, problem = read(reply); problem == nil {
		return feedback, nil, nil
	}
	if reply, err = ask(ctx, append(messages, repair(reply, what, problem)...)); err != nil {
		return "", nil, err
	}
	feedback, problem = read(reply)
	return feedback, problem, nil
}

const repairTask = `Your reply cannot be read: %s. Give your judgement again, in the form "Feedback: (your feedback) [RESULT] (%s)". Write [RESULT] once, at the end, and nothing after the result.`

// repair shows a reply to who gave it and asks for the form.
func repair(reply, what string, problem error) []moothall.Message {
	shown := clip(strings.ToValidUTF8(strings.TrimSpace(strip(reply)), "\uFFFD"), maxFeedback)
	if shown == "" {
		shown = "(nothing)" // a message without content is refused by some servers
	}
	return []moothall.Message{
		{Role: moothall.RoleAssistant, Content: shown},
		{Role: moothall.RoleUser, Content: fmt.Sprintf(repairTask, strings.TrimPrefix(problem.Error(), ErrForm.Error()+": "), what)},
	}
}
