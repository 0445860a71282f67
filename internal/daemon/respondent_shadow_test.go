package daemon_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest/ollamatest"
)

// unheard is what B says, and nobody is shown.
const unheard = "the second opinion"

// TestShadowNeverSlowsTheAnswer hangs B on a model server that does one thing
// at a time. The person's next question takes its place, whether B had begun
// to speak or not; B answers later, and nothing of it is seen in the answer.
func TestShadowNeverSlowsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{"before it speaks": "", "while it speaks": unheard + ", which"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hung := make(chan struct{})
			once := sync.OnceFunc(func() { close(hung) })
			var first sync.Once
			model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
				if asker(c) != fromB {
					return ollamatest.Reply{Thinking: "easy", Text: "the answer"}
				}
				r := ollamatest.Reply{Thinking: "hm", Text: unheard}
				first.Do(func() { r = ollamatest.Reply{Text: said, Hang: true, Seen: once} })
				return r
			}})
			c := shadowed(config())
			c.Models.Ollama.URL, c.Models.Ollama.Parallel = model.URL, 1
			h := home(t.TempDir())
			serve(t, h, c)
			client := join(t, h)
			deltas := overheard(t, client, moothall.SubjectResponseDelta)
			one := asks(t, client, moothall.QueryRequest{Session: "s", Query: "One?"})
			<-hung
			began := time.Now()
			two := asks(t, client, moothall.QueryRequest{Session: "s", Query: "Two?"})
			if took := time.Since(began); took > patience/4 {
				t.Errorf("the person waited %v while the shadow hung", took)
			}
			<-model.Abandoned // the shadow's call was broken off, which its server notices by and by
			for _, a := range []moothall.Answer{one, two} {
				e := told(t, client, moothall.SubjectResponseGeneration, a.Query, "B")
				if b := read[moothall.Answer](t, e.Payload); b.Text != unheard || b.Respondent != "B" || b.Stop != moothall.StopDone {
					t.Errorf("B's answer: %+v", b)
				}
				if a.Text != "the answer" || a.Respondent != "A" {
					t.Errorf("A's answer: %+v", a)
				}
			}
			checkUnheard(t, client, model, deltas)
		})
	}
}

// checkUnheard looks for B where it must not be: in what A is shown, in the
// conversation, among the answers that are spoken.
func checkUnheard(t *testing.T, client moothall.Client, model *ollamatest.Server, deltas func() []moothall.Event) {
	t.Helper()
	asks(t, client, moothall.QueryRequest{Session: "s", Query: "Three?"})
	for _, c := range model.Chats() {
		for _, m := range c.Messages {
			if strings.Contains(m.Content, unheard) {
				t.Errorf("%s was shown what B said: %+v", asker(c), m)
			}
		}
	}
	d, err := client.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	for _, m := range d.Messages {
		if strings.Contains(m.Content, unheard) {
			t.Errorf("the conversation has what B said: %+v", m)
		}
	}
	for _, turn := range d.Asked[:2] {
		if len(turn.Answers) != 2 || turn.Answers[0].Respondent != "A" || turn.Answers[1].Respondent != "B" {
			t.Errorf("the answers of a turn: %+v", turn.Answers)
		}
	}
	for _, e := range busRecord(t, client, moothall.SubjectAnswerDialog) {
		if e.Respondent != "A" {
			t.Errorf("answer.dialog of %s", e.Respondent)
		}
	}
	spoken := deltas()
	for _, e := range spoken {
		if e.Respondent != "A" {
			t.Errorf("response.delta of %s: %s", e.Respondent, e.Payload)
		}
	}
	if len(spoken) == 0 {
		t.Error("no delta was heard at all")
	}
}

// overheard collects events that are not kept, from when it returns until the
// returned function is called.
func overheard(t *testing.T, client moothall.Client, s moothall.Subject) func() []moothall.Event {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	listening, over := make(chan struct{}), make(chan struct{})
	begun := sync.OnceFunc(func() { close(listening) })
	var all []moothall.Event
	go func() {
		defer close(over)
		defer begun()
		for e, err := range client.Events(ctx, moothall.EventQuery{Subjects: []moothall.Subject{s}, Mark: true}) {
			if err != nil {
				return
			}
			if e.Subject == "" {
				begun()
				continue
			}
			all = append(all, e)
		}
	}()
	<-listening
	stop := func() []moothall.Event {
		cancel()
		<-over
		return all
	}
	t.Cleanup(func() { stop() })
	return stop
}
