package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"moothall"
)

// patience is how long observers have to tell of a turn, with a model that takes its
// time on a machine that does other things too.
const patience = 2 * time.Minute

// Play tells a story to the hall. It stops at the first turn that fails: what
// follows would build on it.
func Play(ctx context.Context, c moothall.Client, s Story, o Options) Outcome {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Patience == 0 {
		o.Patience = patience
		if s.Patience > 0 {
			o.Patience = time.Duration(s.Patience) * time.Second
		}
	}
	began := o.Now()
	out := Outcome{Name: s.Name, About: s.About, Turns: []TurnOutcome{}}
	missing, err := lacking(ctx, c, s.Needs)
	if out.Skipped = missing; missing != "" {
		return out
	}
	out.Passed = len(s.Turns) > 0
	p := player{c, o, map[string]moothall.SessionID{}}
	for _, t := range s.Turns {
		before := o.Now()
		turn := TurnOutcome{Query: t.Query}
		if err != nil { // nobody knows that it cannot be played: it is not to be passed over
			turn.Failures = []string{"the hall does not say what it has: " + err.Error()}
		} else {
			turn = p.turn(ctx, t)
		}
		turn.Took = o.Now().Sub(before)
		out.Turns = append(out.Turns, turn)
		if len(turn.Failures) > 0 {
			out.Passed = false
			break
		}
	}
	out.Took = o.Now().Sub(began)
	return out
}

// lacking says which part of the hall the story needs and does not find.
func lacking(ctx context.Context, c moothall.Client, needs []string) (string, error) {
	if len(needs) == 0 {
		return "", nil
	}
	list, err := c.Participants(ctx)
	if err != nil {
		return "", err
	}
	for _, need := range needs {
		if !has(list, need) {
			return "it needs " + need + ", which this hall does not have or has switched off", nil
		}
	}
	return "", nil
}

// has reports whether a part is there and on: one of that name, or for
// PART.SETTING one that has the setting switched on.
func has(list []moothall.Participant, need string) bool {
	name, setting, _ := strings.Cut(need, ".")
	for _, p := range list {
		if folded(p.Name) == folded(name) && p.State == moothall.ServiceOK && on(p.Settings, setting) {
			return true
		}
	}
	return false
}

// on reads a switch; a part without one is on.
func on(settings json.RawMessage, setting string) bool {
	yes := true
	if setting != "" {
		text := "true"
		return misfits(map[string]Want{setting: {Is: &text}}, settings) == nil
	}
	for _, name := range []string{"on", "enabled"} {
		text := "false"
		if misfits(map[string]Want{name: {Is: &text}}, settings) == nil {
			yes = false
		}
	}
	return yes
}

// folded makes respondent-b and respondent_b one name.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name))
}

// player plays the turns of one story.
type player struct {
	c        moothall.Client
	o        Options
	sessions map[string]moothall.SessionID
}

func (p player) turn(ctx context.Context, t Turn) TurnOutcome {
	out := TurnOutcome{Query: t.Query}
	answer, err := p.ask(ctx, t)
	if err != nil {
		out.Failures = append(out.Failures, err.Error())
		return out
	}
	p.sessions[t.Session] = answer.Session
	out.ID, out.Answer = string(answer.Query), answer.Text
	out.Failures = t.Expect.Check(answer)
	if f := t.Feedback; f != nil {
		err := p.c.Feedback(ctx, moothall.Feedback{Query: answer.Query, Thumbs: f.Thumbs, Stars: f.Stars, Comment: f.Comment, Undo: f.Undo})
		if err != nil {
			out.Failures = append(out.Failures, "the feedback was refused: "+err.Error())
		}
	}
	if len(out.Failures) == 0 {
		out.Failures = p.observed(ctx, t.Expect, answer)
	}
	return out
}

func (p player) ask(ctx context.Context, t Turn) (moothall.Answer, error) {
	var answer *moothall.Answer
	r := moothall.QueryRequest{
		Session: p.sessions[t.Session], Query: t.Query, Mode: moothall.QueryMode(t.Mode), Personas: t.Personas, Rounds: t.Rounds,
		Model: p.o.Model, Unattended: true,
	}
	for step, err := range p.c.Query(ctx, r) {
		if err != nil {
			return moothall.Answer{}, fmt.Errorf("the query failed: %w", err)
		}
		if step.Answer != nil {
			answer = step.Answer
		}
	}
	if answer == nil {
		return moothall.Answer{}, errors.New("the turn ended without an answer")
	}
	return *answer, nil
}
