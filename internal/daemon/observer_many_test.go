package daemon_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/judge"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// opinionated answers everybody: A and B by the last word of the question, the
// critic by what stands in the form.
func opinionated(c ollamatest.Chat) ollamatest.Reply {
	words := strings.Fields(asked(c))
	switch asker(c) {
	case fromB:
		return says("You may be " + words[len(words)-1])
	case fromGrading:
		return says("Feedback: clear. [RESULT] 4")
	case fromPairing:
		var prompt []moothall.Message
		for _, m := range c.Messages {
			prompt = append(prompt, moothall.Message{Role: moothall.Role(m.Role), Content: m.Content})
		}
		form, ok := judge.Read(prompt)
		if ok && strings.HasPrefix(form.Answers[0], "You are ") {
			return says("Feedback: surer. [RESULT] A")
		}
		return says("Feedback: surer. [RESULT] B")
	}
	return says("You are " + words[len(words)-1])
}

// tally is what has been told of one turn.
type tally struct{ grades, pairs int }

// TestManySessionsWithObservers has many people ask at once, each in a session
// of their own, with everybody on who listens to answers. Every answer is
// right; in the end each is remembered once, both answers are graded, and the
// two are compared.
func TestManySessionsWithObservers(t *testing.T) {
	t.Parallel()
	people := 200
	if moottest.Race {
		people = 60 // the detector makes this much work of the same kind slow
	}
	model := ollamatest.New(t, ollamatest.Options{Forget: true, Respond: opinionated})
	c := graded(shadowed(config()))
	c.Models.Ollama.URL, c.Models.Ollama.Parallel = model.URL, 8
	c.Critic.PerHour, c.Critic.Wait = 0, conf.Duration(time.Hour)
	h := home(t.TempDir())
	serve(t, h, c)
	client := join(t, h)
	names := map[moothall.QueryID]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range people {
		wg.Go(func() {
			name := fmt.Sprint("person", i)
			for s, err := range client.Query(t.Context(), moothall.QueryRequest{Session: moothall.SessionID(name), Query: "I am " + name}) {
				switch {
				case err != nil:
					t.Errorf("%s: %v", name, err)
					return
				case s.Answer != nil && s.Answer.Text != "You are "+name:
					t.Errorf("%s was told %q", name, s.Answer.Text)
				case s.Answer != nil:
					mu.Lock()
					names[s.Answer.Query] = name
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if len(names) != people {
		t.Fatalf("%d of %d were answered", len(names), people)
	}
	checkVerdicts(t, client, names)
	checkRows(t, client, names)
	alive(t, client)
}

// checkVerdicts waits until all that was said of the turns has been told, and
// holds it against what the judge of the test thinks.
func checkVerdicts(t *testing.T, client moothall.Client, names map[moothall.QueryID]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	left, turns, seen := 3*len(names), map[moothall.QueryID]tally{}, map[moothall.EventID]bool{}
	subjects := []moothall.Subject{moothall.SubjectCritiqueResult, moothall.SubjectPairwiseResult}
	for e, err := range client.Events(ctx, moothall.EventQuery{Subjects: subjects, Replay: true}) {
		if err != nil {
			t.Fatalf("%d verdicts are missing: %v", left, err)
		}
		if seen[e.ID] {
			t.Errorf("%s was told twice", e.ID)
			continue
		}
		seen[e.ID] = true
		n := turns[e.Query]
		if e.Subject == moothall.SubjectCritiqueResult {
			n.grades++
			if c := read[moothall.Critique](t, e.Payload); c.Score == nil || *c.Score != 4 {
				t.Errorf("%s: %+v", names[e.Query], c)
			}
		} else {
			n.pairs++
			if p := read[moothall.Pairing](t, e.Payload); p.Outcome != moothall.Graded || p.Winner != "A" {
				t.Errorf("%s: %+v", names[e.Query], p)
			}
		}
		turns[e.Query] = n
		if left--; left == 0 {
			break
		}
	}
	for q, name := range names {
		if turns[q] != (tally{2, 1}) {
			t.Errorf("%s: %+v", name, turns[q])
		}
	}
}

// checkRows waits for memory and score, which tell of nothing, and counts.
func checkRows(t *testing.T, client moothall.Client, names map[moothall.QueryID]string) {
	t.Helper()
	becomes(t, "an engram of every answer", func() bool { return len(engramsOf(t, client)) >= 2*len(names) })
	for key, n := range engramsOf(t, client) {
		if n != 1 {
			t.Errorf("%s is remembered %d times", key, n)
		}
	}
	for e, err := range client.Memory().List(t.Context(), moothall.MemoryList{Kinds: []moothall.MemoryKind{moothall.Engram}, Limit: 10_000}) {
		if err != nil {
			t.Fatal(err)
		}
		if name := names[e.Turn.Query]; e.Turn.Respondent == "A" && e.Turn.Answer != "You are "+name {
			t.Errorf("of %s is remembered %q", name, e.Turn.Answer)
		}
	}
	becomes(t, "the report of all", func() bool {
		r, err := client.Report(t.Context(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		wins, grades := 0, 0
		for _, m := range r.Models {
			wins, grades = wins+m.Wins, grades+m.Grades[3]
		}
		return r.Answers == 2*len(names) && wins == len(names) && grades == 2*len(names)
	})
}
