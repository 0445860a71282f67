package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/daemon/conf"
	"moothall/internal/moottest/ollamatest"
)

// patience is how long anything may take on a machine that is busy with
// something else. Nothing waits that long when all is well.
const patience = 2 * time.Minute

// join connects to a hall until the test ends.
func join(t *testing.T, h daemon.Home) moothall.Client {
	t.Helper()
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// stopped stops a hall before the test ends; stopping it again does nothing.
func stopped(t *testing.T, hall *daemon.Hall) {
	t.Helper()
	if err := hall.Shutdown(); err != nil {
		t.Fatal(err)
	}
}

// asks puts a question and waits for the answer.
func asks(t *testing.T, c moothall.Client, r moothall.QueryRequest) moothall.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out *moothall.Answer
	for s, err := range c.Query(ctx, r) {
		if err != nil {
			t.Fatalf("%s: %v", r.Query, err)
		}
		if s.Answer != nil {
			out = s.Answer
		}
	}
	if out == nil {
		t.Fatalf("%s: no answer", r.Query)
	}
	return *out
}

// hears follows the bus from its beginning until enough is said, and returns
// what it heard until then.
func hears(t *testing.T, c moothall.Client, what string, enough func([]moothall.Event) bool, subjects ...moothall.Subject) []moothall.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var all []moothall.Event
	for e, err := range c.Events(ctx, moothall.EventQuery{Subjects: subjects, Replay: true}) {
		if err != nil {
			t.Fatalf("waiting for %s after %d events: %v", what, len(all), err)
		}
		if all = append(all, e); enough(all) {
			return all
		}
	}
	t.Fatalf("no %s among %d events", what, len(all))
	return nil
}

// told waits for the first event of a subject about an answer.
func told(t *testing.T, c moothall.Client, s moothall.Subject, q moothall.QueryID, r moothall.RespondentID) moothall.Event {
	t.Helper()
	all := hears(t, c, fmt.Sprintf("%s of %s about %s", s, r, q), func(all []moothall.Event) bool {
		e := all[len(all)-1]
		return e.Query == q && (r == "" || e.Respondent == r)
	}, s)
	return all[len(all)-1]
}

// busRecord is the record of the bus as it stands.
func busRecord(t *testing.T, c moothall.Client, subjects ...moothall.Subject) (out []moothall.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for e, err := range c.Events(ctx, moothall.EventQuery{Subjects: subjects, Replay: true, Mark: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Subject == "" {
			return out
		}
		out = append(out, e)
	}
	t.Fatal("the record of the bus has no end")
	return nil
}

// alive refuses dead letters.
func alive(t *testing.T, c moothall.Client) {
	t.Helper()
	for _, e := range busRecord(t, c, moothall.SubjectDeadLetter) {
		t.Errorf("given up: %s", e.Payload)
	}
}

// becomes waits for what an observer does without telling of it: a note in the
// memory, a row of the score.
func becomes(t *testing.T, what string, done func() bool) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-look.C:
		case <-deadline:
			t.Fatalf("%s never came", what)
		}
	}
}

// settles looks until what it sees is as it should be, or until all patience is
// over, and returns what it saw last. A hall looks at its services for a moment
// only, and one that a busy machine keeps from answering seems to be down.
func settles[T any](look func() T, fits func(T) bool) T {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if seen := look(); fits(seen) || time.Now().After(deadline) {
			return seen
		}
	}
}

// engram finds what is remembered of an answer.
func engram(t *testing.T, c moothall.Client, q moothall.QueryID, r moothall.RespondentID) *moothall.TurnNotes {
	t.Helper()
	for e, err := range c.Memory().List(t.Context(), moothall.MemoryList{Kinds: []moothall.MemoryKind{moothall.Engram}, Limit: 10_000}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Turn != nil && e.Turn.Query == q && e.Turn.Respondent == r {
			return e.Turn
		}
	}
	return nil
}

// judged is what is known of how good the answers of a turn were, A's first.
func judged(t *testing.T, c moothall.Client, q moothall.QueryID) []moothall.Judgement {
	t.Helper()
	list, err := c.Judgements(t.Context(), moothall.JudgementQuery{Query: q})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// read decodes what an event, or a page of the front, says.
func read[T any](t *testing.T, data []byte) (out T) {
	t.Helper()
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return out
}

// status is the status of a request with a body.
func status(t *testing.T, url, body string) int {
	t.Helper()
	return post(t, url, body).StatusCode
}

// sets changes a participant's settings over HTTP.
func sets(t *testing.T, hall *daemon.Hall, name, change string) {
	t.Helper()
	if resp := put(t, hall.URL()+"/participants/"+name, change); resp.StatusCode != http.StatusOK {
		t.Fatalf("settings of %s: %s: %s", name, change, resp.Status)
	}
}

// Who asks a model, as far as the model can tell.
const (
	fromA       = "A"
	fromB       = "B" // by its temperature
	fromGrading = "grading"
	fromPairing = "pairing"
)

// asker tells who asks the model.
func asker(c ollamatest.Chat) string {
	switch first := c.Messages[0].Content; {
	case strings.HasPrefix(first, "You grade responses."):
		return fromGrading
	case strings.HasPrefix(first, "You compare responses."):
		return fromPairing
	case c.Options["temperature"] == warm:
		return fromB
	}
	return fromA
}

// warm is the temperature by which B is recognised.
const warm = 0.9

// asked is the last thing that was said to the model.
func asked(c ollamatest.Chat) string { return c.Messages[len(c.Messages)-1].Content }

// shadowed is a configuration with B on, at its own temperature.
func shadowed(c daemon.Config) daemon.Config {
	c.Chat.RespondentB.Enabled, c.Chat.RespondentB.Temperature = true, warm
	return c
}

// graded is a configuration with the critic on, which waits for B however long the
// machine takes.
func graded(c daemon.Config) daemon.Config {
	c.Critic.Enabled, c.Critic.Wait = true, conf.Duration(time.Hour)
	return c
}
