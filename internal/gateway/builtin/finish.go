package builtin

import (
	"encoding/json"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
	"moothall/internal/schema"
)

// finish ends the stream.
func (g *generation) finish(promptTokens int) error {
	stop := moothall.StopDone
	switch {
	case !g.guide.Ended() && !g.stopped && !g.cut:
		stop = moothall.StopLength
	case len(g.made) > 0:
		stop = moothall.StopTools
	}
	if !g.cut {
		rest := g.parser.End()
		g.out.think(rest.Thinking)
		if g.words(rest.Text); !g.cut {
			g.say(g.stops.rest())
		}
	}
	if err := g.checkAnswer(stop); err != nil {
		return err
	}
	g.verdict()
	for _, c := range g.made {
		g.out.call(c)
	}
	g.out.say(g.refusal)
	if g.deaf && len(g.made) == 0 {
		g.out.say(misheard)
	}
	if g.warn && len(g.made) == 0 && !strings.Contains(strings.ToLower(g.text.String()), "instruction") {
		g.out.say(" " + warning)
	}
	g.out.end(stop, moothall.Usage{Calls: 1, PromptTokens: promptTokens, OutputTokens: g.output})
	return nil
}

func (g *generation) checkAnswer(stop moothall.StopReason) error {
	if len(g.r.Schema) == 0 || stop != moothall.StopDone {
		return nil
	}
	if problems := schema.Check(g.r.Schema, json.RawMessage(g.text.String())); len(problems) > 0 {
		return g.illFormed(opGenerate, problems)
	}
	return nil
}

// verdict decides on what was held. A text that was cut is judged by what there
// is of it.
func (g *generation) verdict() {
	if !g.held {
		return
	}
	e := g.before
	e.Answer, e.Thought = g.text.String(), g.thought.String()
	if g.vouch.said {
		e.Answer = g.vouch.sentence
		if !e.ofAnotherTime() {
			g.held = false
			g.out.say(e.Answer)
			return
		}
	}
	e.Quote = quoted(e.Thought, g.r.Messages)
	e.Unsaid = neverSaid(e.Thought, g.r.Messages) && (e.Ran || !e.Job && !inOtherWords(e.Thought, g.r.Messages))
	if g.logN > 0 {
		e.LogProb = g.logSum / float64(g.logN)
	}
	g.held = false
	e.Answer = asItStands(withoutAlarm(e.Answer, g.r.Messages), g.r.Messages)
	words := excuses.ReplaceAllString(final(g.r, e), "$1")
	if !e.Job { // what a program reads stays exact
		words = rounded(words, g.r.Messages)
	}
	g.out.say(words)
}

// excuses are those that an answer begins with, one after the other: what was
// read out before may be read out again.
var excuses = lazyregexp.New(`^(?:What I (?:have|looked up) says: )*(What I (?:have|looked up) says: )`)

// whatever is what is said whatever the network would say: what it cannot do is not
// for it to promise. Empty: its answer counts.
func whatever(r moothall.GenerateRequest, e Evidence) string {
	if path := changed(r.Messages); path != "" && takingBack.MatchString(asks(e.Question)) && !e.Job {
		return "What I changed is kept. To put it back, run: moothall undo " + path
	}
	if forgetting.MatchString(asks(e.Question)) && !e.Job && !e.Ran {
		return noForgetting
	}
	if e.ofAnotherTime() {
		return unknown(r.Tools)
	}
	return ""
}

// final is what a person gets to read: the answer, what it is read from, what they
// once said that it is made of, or that it is not known.
func final(r moothall.GenerateRequest, e Evidence) string {
	if strings.TrimSpace(e.Answer) == "" && !e.Doubt {
		return e.Answer
	}
	if words := whatever(r, e); words != "" {
		return words
	}
	if e.Unsaid && !honest.MatchString(e.Answer) {
		return forgotten
	}
	if words := standing(e.Thought, r.Messages); words != "" && !e.Job {
		return youSaid + words
	}
	if words := mine(e, r.Messages); words != "" {
		return youSaid + words
	}
	keep := Judge(e).Keep
	if why := failed(r.Messages); why != "" && !e.Job {
		if muddled(r.Messages) {
			return noSum
		}
		if !keep || !admits.MatchString(e.Answer) || nothingElse(why, e.Answer) {
			return notDone + why
		}
		return e.Answer + remedy(why, e.Answer)
	}
	if words := itsWeekday(e.Answer, r.Messages); words != "" && !e.Job {
		return words
	}
	if why := unchanged(r.Messages); why != "" && !e.Job && !admits.MatchString(e.Answer) {
		return why
	}
	if silent.MatchString(e.Answer) && !e.Job {
		if words := rowFor(r.Messages, asks(e.Question)); words != "" {
			return readBefore + words + "."
		}
	}
	if words := e.notThere(); words != "" {
		return words
	}
	if words := noteOf(asks(e.Question), e.Answer); words != "" && !e.Job && !e.Material {
		return words
	}
	if words := saidOf(r.Messages); words != "" && !e.Job && !e.Material && (!keep || honest.MatchString(e.Answer)) {
		return youSaid + words
	}
	if words := recalledOf(r.Messages); words != "" && !e.Job && (honest.MatchString(e.Answer) || silent.MatchString(e.Answer)) {
		return youSaid + words
	}
	if keep {
		if e.reports() && !honest.MatchString(e.Answer) {
			return e.Answer + leftOut(r.Messages, e)
		}
		return e.Answer
	}
	if words := e.lacks(); words != "" {
		return words
	}
	if e.Quote != "" && noticed.MatchString(e.Thought) && !e.Job { // and not with the instructions beside it
		return readBefore + strings.TrimRight(e.Quote, " .") + ". " + warning
	}
	meant := ""
	if e.Quoted >= sureOfQuote && !e.beside() && !e.ofOthers() {
		meant = e.Quote
	}
	if said := quote(r.Messages, meant); (e.Material || meant != "") && said != "" {
		return said
	}
	if words := told(e.Thought, r.Messages); words != "" && !e.Material {
		return youSaid + words
	}
	if sumsUp.MatchString(e.Thought) && !e.Job {
		return toldSoFar(r.Messages)
	}
	return unknown(r.Tools)
}
