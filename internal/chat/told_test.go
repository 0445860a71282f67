package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// TestUntoldAnswers tells of an answer after a restart when the bus did not
// take it, under the same id and as of the same time.
func TestUntoldAnswers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	var mu sync.Mutex
	tried := map[moothall.EventID][]time.Time{}
	deaf := func(o *chat.Options) {
		o.Tell = func(_ context.Context, e moothall.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if e.Subject == moothall.SubjectResponseGeneration {
				tried[e.ID] = append(tried[e.ID], e.Time)
			}
			return moothall.Fail(moothall.CodeUnavailable, "publish", "nobody is there")
		}
	}
	h := open(t, file, deaf)
	h.model.Script(moottest.Reply{Text: "Paris."})
	a, _ := h.ask(t, moothall.QueryRequest{Query: "The capital of France?"})
	until(t, "the answer was tried", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(tried) > 0
	})
	h.Close()
	h = open(t, file)
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := h.heard(t, moothall.SubjectResponseGeneration, 1)
	h.heard(t, moothall.SubjectAnswerDialog, 1)
	if len(told) != 1 || told[0].Query != a.Query || told[0].Respondent != "A" || len(tried[told[0].ID]) != 1 || !told[0].Time.Equal(tried[told[0].ID][0]) {
		t.Errorf("told %+v, tried %v", told, tried)
	}
	h.Close()
	h = open(t, file)
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(h.told) != 0 {
		t.Errorf("told again: %+v", h.told)
	}
}

// TestUntoldQuestion tells of a question after a restart as it was asked, so
// that who does not answer a committee's questions does not do it then.
func TestUntoldQuestion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	committee := func(o *chat.Options) {
		o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeCommittee: func(context.Context, chat.Asked, func(moothall.Step)) chat.Outcome {
			out := chat.Outcome{}
			out.Answer, out.Stop = "Tea.", moothall.StopDone
			return out
		}}
	}
	deaf := func(context.Context, moothall.Event) error {
		return moothall.Fail(moothall.CodeUnavailable, "publish", "nobody is there")
	}
	h := open(t, file, committee, func(o *chat.Options) { o.Tell, o.Received = deaf, deaf })
	asked := moothall.QueryRequest{Query: "Tea or coffee?", Mode: moothall.ModeCommittee, Personas: []string{"Skeptic"}, Rounds: 2}
	a, _ := h.ask(t, asked)
	h.Close()
	h = open(t, file, committee)
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	var told moothall.QueryRequest
	if err := json.Unmarshal(h.heard(t, moothall.SubjectQueryReceived, 1)[0].Payload, &told); err != nil {
		t.Fatal(err)
	}
	if asked.Session = a.Session; !reflect.DeepEqual(told, asked) {
		t.Errorf("told %+v, asked %+v", told, asked)
	}
}

// TestLargeAnswerIsTold tells of an answer that the bus does not take whole: as
// much of it as fits, marked, and once.
func TestLargeAnswerIsTold(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	var lines strings.Builder
	for i := 0; lines.Len() < limit; i++ { // a model that says the same again and again is stopped
		fmt.Fprintf(&lines, "%s if a < b && c > %d {\n", strings.Repeat("i", i%50+1), i)
	}
	long := lines.String()
	for _, c := range []struct {
		name      string
		reply     moottest.Reply
		cut, text bool // how it came about, and its own text
	}{
		{"small", moottest.Reply{Thinking: "hm", Text: "so"}, false, false},
		{"program text", moottest.Reply{Thinking: long[:limit/2], Text: "so"}, false, false},
		{"long thoughts", moottest.Reply{Thinking: long, Text: "so"}, true, false},
		{"long answer", moottest.Reply{Thinking: "hm", Text: long + "ä"}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "db")
			bounded := func(o *chat.Options) {
				tell := o.Tell
				o.Tell = func(ctx context.Context, e moothall.Event) error {
					if len(e.Payload) > limit {
						return moothall.Fail(moothall.CodeTooLarge, "publish", "too large")
					}
					return tell(ctx, e)
				}
			}
			h := open(t, file, bounded)
			h.model.Script(c.reply)
			whole, _ := h.ask(t, moothall.QueryRequest{Query: "why?"})
			var told moothall.Answer
			if err := json.Unmarshal(h.heard(t, moothall.SubjectResponseGeneration, 1)[0].Payload, &told); err != nil {
				t.Fatal(err)
			}
			var shown struct{ Query, Answer string }
			if err := json.Unmarshal(h.heard(t, moothall.SubjectAnswerDialog, 1)[0].Payload, &shown); err != nil {
				t.Fatal(err)
			}
			if whole.Thinking != c.reply.Thinking || whole.Text != c.reply.Text || len(whole.Flags) != 0 {
				t.Errorf("the answer itself was cut: %d bytes of thinking, %d of text, %q", len(whole.Thinking), len(whole.Text), whole.Flags)
			}
			if got := told.Thinking != whole.Thinking || len(told.Flags) > 0; got != c.cut || c.cut && len(told.Flags) != 1 {
				t.Errorf("cut %v: %.80q, %q", got, told.Thinking, told.Flags)
			}
			if got := told.Text != whole.Text; got != c.text || told.Question != "why?" {
				t.Errorf("answer cut: %v, question %q", got, told.Question)
			}
			for _, text := range []string{told.Text, shown.Answer} {
				begin, _, _ := strings.Cut(text, "…")
				if !strings.HasPrefix(whole.Text, begin) || len(text) < min(len(whole.Text), 60<<10) {
					t.Errorf("an answer of %d bytes is told as %d: %.80q", len(whole.Text), len(text), text)
				}
			}
			h.noted(t, whole.Query)
			h.Close()
			h = open(t, file, bounded)
			if err := h.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.Close()
			if len(h.told) != 0 {
				t.Errorf("told again: %d events", len(h.told))
			}
		})
	}
}

// TestToldInBrief keeps what observers need of an answer: who called what, and
// which memories it was made from.
func TestToldInBrief(t *testing.T) {
	t.Parallel()
	a := moothall.Answer{
		Question: "why?", Text: "so", Thinking: "hm", Flags: []string{"kept"},
		Tools: []moothall.CalledTool{{Tool: "web_search", Args: json.RawMessage(`{}`), Result: "much", Status: moothall.CallDenied, Millis: 3}},
		Recalls: []moothall.Recall{{
			Stage: "fused", Entry: &moothall.MemoryEntry{ID: "m", Trust: moothall.TrustExternal, Corpus: "much"}, Segment: "much",
			Candidates: []moothall.Candidate{{}},
		}},
		Deliberations: []moothall.Deliberation{{Persona: "p", Response: "much", Thinking: "much", Tools: []moothall.CalledTool{{Result: "much"}}}},
	}
	before, _ := json.Marshal(a)
	b := chat.Brief(a)
	if after, _ := json.Marshal(a); string(after) != string(before) {
		t.Errorf("the answer itself was changed: %s", after)
	}
	told, _ := json.Marshal(b)
	if strings.Contains(string(told), "much") || b.Question != a.Question || b.Text != a.Text || b.Flags[0] != "kept" ||
		b.Tools[0].Tool != "web_search" || b.Tools[0].Status != moothall.CallDenied || b.Recalls[0].Entry.ID != "m" ||
		b.Recalls[0].Entry.Trust != moothall.TrustExternal || b.Deliberations[0].Persona != "p" {
		t.Errorf("told %s", told)
	}
}
