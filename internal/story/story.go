package story

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Story is one file under stories/.
type Story struct {
	Name  string `yaml:"name" json:"name" doc:"A short name, S1."`
	About string `yaml:"about" json:"about" doc:"What the story shows, in a sentence."`
	Turns []Turn `yaml:"turns" json:"turns" doc:"What is said, in order."`
}

// Turn is one question and what must come of it.
type Turn struct {
	Query   string `yaml:"query" json:"query" doc:"What the person says."`
	Session string `yaml:"session" json:"session" doc:"The conversation it belongs to; turns with the same name share one."`
	Mode    string `yaml:"mode" json:"mode" doc:"How it is answered: chat when empty." enum:",chat,committee,task"`
	Expect  Expect `yaml:"expect" json:"expect" doc:"What must come of it."`
}

// Expect is what must be true of a turn. What is empty is not checked.
type Expect struct {
	Contains []string `yaml:"contains" json:"contains" doc:"Each must be in the answer, whatever the case."`
	Lacks    []string `yaml:"lacks" json:"lacks" doc:"None may be in the answer."`
	Matches  string   `yaml:"matches" json:"matches" doc:"A regular expression that the answer must match."`
	Thinking string   `yaml:"thinking" json:"thinking" doc:"Whether the model's thinking must be there: some or none." enum:",some,none"`
	Tools    []string `yaml:"tools" json:"tools" doc:"These tools must have been called, in this order."`
	Events   []string `yaml:"events" json:"events" doc:"These subjects must have been seen, in this order; others may come between."`
	Follows  []string `yaml:"follows" json:"follows" doc:"These subjects must follow the answer, from observers; the next turn waits for them."`
	Stop     string   `yaml:"stop" json:"stop" doc:"The stop reason."`
}

// Outcome is how a story went.
type Outcome struct {
	Name   string        `json:"name"`
	About  string        `json:"about,omitempty"`
	Passed bool          `json:"passed"`
	Took   time.Duration `json:"took_ns"`
	Turns  []TurnOutcome `json:"turns"`
}

// TurnOutcome is how one turn went.
type TurnOutcome struct {
	Query    string   `json:"query"`
	Answer   string   `json:"answer"`
	Failures []string `json:"failures,omitempty"`
}

// Options choose how stories are played.
type Options struct {
	Model string           // ask this model instead of the configured one
	Now   func() time.Time // time.Now when nil
}

// Play tells a story to the hall. It stops at the first turn that fails: what
// follows would build on it.
func Play(ctx context.Context, c moothall.Client, s Story, o Options) Outcome {
	if o.Now == nil {
		o.Now = time.Now
	}
	began := o.Now()
	out := Outcome{Name: s.Name, About: s.About, Passed: len(s.Turns) > 0}
	sessions := map[string]moothall.SessionID{}
	for _, t := range s.Turns {
		turn := play(ctx, c, t, sessions, o)
		out.Turns = append(out.Turns, turn)
		if len(turn.Failures) > 0 {
			out.Passed = false
			break
		}
	}
	out.Took = o.Now().Sub(began)
	return out
}

func play(ctx context.Context, c moothall.Client, t Turn, sessions map[string]moothall.SessionID, o Options) TurnOutcome {
	out := TurnOutcome{Query: t.Query}
	r := moothall.QueryRequest{
		Session: sessions[t.Session], Query: t.Query, Mode: moothall.QueryMode(t.Mode), Model: o.Model, Unattended: true,
	}
	var answer *moothall.Answer
	for step, err := range c.Query(ctx, r) {
		if err != nil {
			out.Failures = append(out.Failures, "the query failed: "+err.Error())
			return out
		}
		if step.Answer != nil {
			answer = step.Answer
		}
	}
	if answer == nil {
		out.Failures = append(out.Failures, "the turn ended without an answer")
		return out
	}
	sessions[t.Session] = answer.Session
	out.Answer = answer.Text
	out.Failures = t.Expect.Check(*answer)
	for _, s := range t.Expect.Follows {
		if !follows(ctx, c, moothall.Subject(s), answer.Query) {
			out.Failures = append(out.Failures, fmt.Sprintf("event %s did not follow within %v", s, patience))
		}
	}
	return out
}

// patience is how long observers have to tell of a turn.
const patience = 20 * time.Second

// follows waits for an event about a query. Events are durable, so that one
// which was there first is seen as well.
func follows(ctx context.Context, c moothall.Client, s moothall.Subject, q moothall.QueryID) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for e, err := range c.Events(ctx, moothall.EventQuery{Subjects: []moothall.Subject{s}, Replay: true}) {
		if err != nil {
			return false
		}
		if e.Query == q {
			return true
		}
	}
	return false
}

// Check lists what is not as expected of an answer.
func (e Expect) Check(a moothall.Answer) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	low := strings.ToLower(a.Text)
	for _, want := range e.Contains {
		if !strings.Contains(low, strings.ToLower(want)) {
			say("the answer does not contain %q", want)
		}
	}
	for _, not := range e.Lacks {
		if strings.Contains(low, strings.ToLower(not)) {
			say("the answer contains %q", not)
		}
	}
	if e.Matches != "" {
		if re, err := regexp.Compile(e.Matches); err != nil {
			say("the story's own expression is wrong: %v", err)
		} else if !re.MatchString(a.Text) {
			say("the answer does not match %s", e.Matches)
		}
	}
	if some := a.Thinking != ""; e.Thinking != "" && some != (e.Thinking == "some") {
		say("thinking: want %s, got %q", e.Thinking, a.Thinking)
	}
	if e.Stop != "" && string(a.Stop) != e.Stop {
		say("it stopped for %q, want %q", a.Stop, e.Stop)
	}
	var tools, events []string
	for _, c := range a.Tools {
		tools = append(tools, string(c.Tool))
	}
	for _, s := range a.Subjects {
		events = append(events, string(s))
	}
	if missing := firstMissing(e.Tools, tools); missing != "" {
		say("tool %s was not called in its place; called: %v", missing, tools)
	}
	if missing := firstMissing(e.Events, events); missing != "" {
		say("event %s was not seen in its place; seen: %v", missing, events)
	}
	return out
}

// firstMissing returns the first of want that got does not have in order.
func firstMissing(want, got []string) string {
	for _, w := range want {
		i := slices.Index(got, w)
		if i < 0 {
			return w
		}
		got = got[i+1:]
	}
	return ""
}
