package daemon_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// judgedBy serves a hall whose critic asks a scripted model.
func judgedBy(t *testing.T, c daemon.Config, judge func(asking string, n int) ollamatest.Reply) (*daemon.Hall, moothall.Client, *ollamatest.Server) {
	t.Helper()
	var judgements atomic.Int64
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		switch who := asker(c); who {
		case fromGrading, fromPairing:
			return judge(who, int(judgements.Add(1)))
		default:
			return says(who + " answers")
		}
	}})
	c.Models.Ollama.URL = model.URL
	h := home(t.TempDir())
	return serve(t, h, graded(c)), join(t, h), model
}

// page is what GET /critic gives.
type page struct {
	Calibration moothall.Calibration
	Judgements  []moothall.Judgement
}

// TestJudgeTalksRubbish: what cannot be read is unknown, on the bus, on the
// page and in the memory; never a number.
func TestJudgeTalksRubbish(t *testing.T) {
	t.Parallel()
	for name, rubbish := range map[string]string{
		"no result": "A fine answer, eleven of ten!", "another scale": "Feedback: good [RESULT] 87", "two results": "[RESULT] 2 or rather [RESULT] 5",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hall, client, model := judgedBy(t, shadowed(config()), func(string, int) ollamatest.Reply { return says(rubbish) })
			a := asks(t, client, moothall.QueryRequest{Query: "What is it?"})
			for _, r := range []moothall.RespondentID{"A", "B"} {
				e := told(t, client, moothall.SubjectCritiqueResult, a.Query, r)
				raw := read[map[string]json.RawMessage](t, e.Payload)
				if string(raw["outcome"]) != `"unknown"` || string(raw["score"]) != "null" || len(raw["feedback"]) < 10 {
					t.Errorf("critique of %s: %s", r, e.Payload)
				}
			}
			pair := read[moothall.Pairing](t, told(t, client, moothall.SubjectPairwiseResult, a.Query, "").Payload)
			if pair.Outcome != moothall.Unknown || pair.Winner != "" {
				t.Errorf("pairing: %+v", pair)
			}
			var body string
			becomes(t, "the verdicts on the page", func() bool {
				_, body = get(t, hall.URL()+"/critic")
				return read[page](t, []byte(body)).Calibration.Attempts == 3 // two grades, one comparison
			})
			got := read[page](t, []byte(body))
			if got.Calibration.Unknown != 3 || len(got.Judgements) != 2 || strings.Count(body, `"score":null`) != 2 {
				t.Errorf("the page: %s", body)
			}
			becomes(t, "the note in the memory", func() bool { n := engram(t, client, a.Query, "A"); return n != nil && n.Feedback != "" })
			if n := engram(t, client, a.Query, "A"); n.Score != nil || n.Winner != "" {
				t.Errorf("the memory: %+v", n)
			}
			gradings := 0
			for _, c := range model.Chats() {
				if asker(c) == fromGrading {
					gradings++
				}
			}
			if gradings != 4 { // each answer once, and once for repair
				t.Errorf("asked %d times for two grades", gradings)
			}
			alive(t, client)
		})
	}
}

// TestJudgeHangs: a critic whose model hangs keeps nobody waiting on a model
// server that does one thing at a time, and grades when the model is back.
func TestJudgeHangs(t *testing.T) {
	t.Parallel()
	hung := make(chan struct{}, 100)
	var well atomic.Bool
	_, client, _ := judgedBy(t, config(), func(string, int) ollamatest.Reply {
		if well.Load() {
			return says("Feedback: good. [RESULT] 4")
		}
		return ollamatest.Reply{Hang: true, Seen: func() { hung <- struct{}{} }}
	})
	var all []moothall.Answer
	for _, q := range []string{"One?", "Two?", "Three?"} {
		all = append(all, asks(t, client, moothall.QueryRequest{Session: "s", Query: q}))
		<-hung // the critic is at it
	}
	well.Store(true)
	all = append(all, asks(t, client, moothall.QueryRequest{Session: "s", Query: "Four?"}))
	for _, a := range all {
		c := read[moothall.Critique](t, told(t, client, moothall.SubjectCritiqueResult, a.Query, "A").Payload)
		if c.Score == nil || *c.Score != 4 {
			t.Errorf("%s: %+v", a.Question, c)
		}
	}
	alive(t, client)
}

// TestJudgeDies: a model server that dies while it judges is asked again
// later, and one grade is told.
func TestJudgeDies(t *testing.T) {
	t.Parallel()
	hall, client, _ := judgedBy(t, config(), func(_ string, n int) ollamatest.Reply {
		if n <= 3 {
			return ollamatest.Reply{Text: "Feedback: it is [RESULT] 1", Die: true}
		}
		return says("Feedback: good. [RESULT] 5")
	})
	a := asks(t, client, moothall.QueryRequest{Query: "What is it?"})
	c := read[moothall.Critique](t, told(t, client, moothall.SubjectCritiqueResult, a.Query, "A").Payload)
	if c.Outcome != moothall.Graded || c.Score == nil || *c.Score != 5 {
		t.Errorf("%+v", c)
	}
	_, body := get(t, hall.URL()+"/participants/critic")
	figures := read[critic.Stats](t, read[moothall.Participant](t, []byte(body)).Figures)
	if figures.Retries == 0 || figures.Graded != 1 || figures.Unknown != 0 {
		t.Errorf("figures: %+v", figures)
	}
	if n := len(busRecord(t, client, moothall.SubjectCritiqueResult)); n != 1 {
		t.Errorf("%d grades were told", n)
	}
	alive(t, client)
}
