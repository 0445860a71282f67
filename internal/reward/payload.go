package reward

import (
	"time"

	"moothall"
)

// Roles of answers that no single model gives.
const (
	roleCommittee moothall.ModelRole = "committee"
	roleTask      moothall.ModelRole = "task"
)

func roleOf(a *moothall.Answer) moothall.ModelRole {
	switch {
	case len(a.Deliberations) > 0:
		return roleCommittee
	case a.Task != "":
		return roleTask
	}
	return moothall.ModelChat
}

func readAnswer(e moothall.Event) (answered, error) {
	var a moothall.Answer
	if err := payload(e, &a); err != nil {
		return answered{}, err
	}
	out := answered{Judgement: moothall.Judgement{
		Query: or(a.Query, e.Query), Session: or(a.Session, e.Session), Respondent: or(a.Respondent, e.Respondent, shown),
		Time: e.Time.UTC(), Role: roleOf(&a), Provider: short(a.Provider, maxName), Model: short(a.Model, maxName),
		Question: short(a.Question, maxText), Answer: short(a.Text, maxText), Stop: a.Stop,
		Tools: len(a.Tools), Usage: a.Usage,
	}}
	// That a model was waited for, or the conversation's turn before, says
	// nothing of whom it is compared with.
	if t := a.Receipt.Times; t.Total > 0 {
		out.Took = t.Total - t.Waiting
		out.First = max(t.First-t.Waiting, min(a.Usage.FirstToken, t.First))
	}
	for _, t := range a.Tools {
		if t.Status == moothall.CallDenied {
			out.Refused++
		}
	}
	// A respondent without a receipt has the times of its model calls.
	if out.Took <= 0 {
		out.Took = a.Usage.Total
	}
	if out.First <= 0 {
		out.First = a.Usage.FirstToken
	}
	return out, checkFigures(out)
}

// checkFigures refuses counts that would spoil every mean that they enter.
func checkFigures(a answered) error {
	const most = 1 << 40
	u := a.Usage
	switch {
	case u.PromptTokens < 0 || u.PromptTokens > most || u.OutputTokens < 0 || u.OutputTokens > most || u.Calls < 0:
		return invalid("the answer's usage cannot be right")
	case a.Took < 0 || a.First < 0 || a.Took > 10*365*24*time.Hour || a.First > 10*365*24*time.Hour:
		return invalid("the answer's times cannot be right")
	}
	return nil
}

// failed reports whether an answer ended by an error or a stop of the hall, or
// was stopped before any model had said a word of it.
func failed(a *answered) bool {
	switch a.Stop {
	case moothall.StopError, moothall.StopInterrupted:
		return true
	case moothall.StopCanceled:
		return a.Role == moothall.ModelChat && a.Model == ""
	}
	return false
}

func readCritique(e moothall.Event) (moothall.Critique, error) {
	var c moothall.Critique
	if err := payload(e, &c); err != nil {
		return c, err
	}
	c.Query, c.Session = or(c.Query, e.Query), or(c.Session, e.Session)
	c.Respondent = or(c.Respondent, e.Respondent, shown)
	c.Feedback, c.Rubric = short(c.Feedback, maxWords), short(c.Rubric, maxWords)
	c.Provider, c.Model = short(c.Provider, maxName), short(c.Model, maxName)
	switch c.Outcome {
	case moothall.Graded:
		if c.Score == nil || *c.Score < 1 || *c.Score > 5 {
			return c, invalid("a grade is 1 to 5")
		}
	case moothall.Unknown, moothall.Skipped:
		if c.Score != nil {
			return c, invalid("a critique that is %s has no grade", c.Outcome)
		}
	default:
		return c, invalid("the critique has no outcome that is known")
	}
	return c, nil
}

// noWinner stands in a pairing where nobody won.
const noWinner moothall.RespondentID = "tie"

func readPairing(e moothall.Event) (moothall.Pairing, error) {
	var p moothall.Pairing
	if err := payload(e, &p); err != nil {
		return p, err
	}
	p.Query, p.Session = or(p.Query, e.Query), or(p.Session, e.Session)
	p.Feedback = short(p.Feedback, maxWords)
	p.Provider, p.Model = short(p.Provider, maxName), short(p.Model, maxName)
	switch p.Outcome {
	case moothall.Graded:
		if p.Winner == "" || p.Winner == noWinner || len(p.Winner) > maxName {
			return p, invalid("a decided comparison has a winner")
		}
	case moothall.Tied, moothall.Unknown, moothall.Skipped:
		if p.Winner != "" && p.Winner != noWinner {
			return p, invalid("a comparison that is %s has no winner", p.Outcome)
		}
	default:
		return p, invalid("the comparison has no outcome that is known")
	}
	if len(p.Orders) > 2 {
		return p, invalid("a comparison is asked in two orders")
	}
	return p, nil
}
