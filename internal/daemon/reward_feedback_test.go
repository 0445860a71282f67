package daemon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest/ollamatest"
)

// rated waits until the report has a number of ratings: it is made of what
// observers heard, and each hears in its own time.
func rated(t *testing.T, c moothall.Client, want int, after string) {
	t.Helper()
	becomes(t, fmt.Sprintf("%d ratings in the report after %s", want, after), func() bool {
		r, err := c.Report(t.Context(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range r.Models {
			n += m.Ratings
		}
		return n == want
	})
}

// remembered waits until the memory has a reward for A's answer.
func remembered(t *testing.T, c moothall.Client, q moothall.QueryID, reward float64, sentiment string) {
	t.Helper()
	becomes(t, fmt.Sprintf("a reward of %v, %s", reward, sentiment), func() bool {
		n := engram(t, c, q, "A")
		return n != nil && n.Reward != nil && *n.Reward == reward && n.Sentiment == sentiment
	})
}

// rewards waits for a number of reward events about a turn and returns the
// last.
func rewards(t *testing.T, c moothall.Client, q moothall.QueryID, n int) moothall.Rewarded {
	t.Helper()
	all := hears(t, c, fmt.Sprintf("%d rewards", n), func(all []moothall.Event) bool {
		have := 0
		for _, e := range all {
			if e.Query == q {
				have++
			}
		}
		return have == n
	}, moothall.SubjectRewardEvent)
	return read[moothall.Rewarded](t, all[len(all)-1].Payload)
}

// TestFeedbackOverHTTP takes thumbs, stars, words, and takes them back: on the
// bus, in the memory and in the report.
func TestFeedbackOverHTTP(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client := join(t, h)
	a := asks(t, client, moothall.QueryRequest{Query: "What is the capital of France?"})
	for i, c := range []struct {
		body, sentiment string
		reward, stays   float64 // as told, as it stands
		words           bool
		ratings         int
	}{
		{`"thumbs":1`, "positive", 1, 1, false, 1},
		{`"stars":2`, "negative", -0.5, -0.5, false, 1},
		{`"stars":5,"comment":"better now"`, "positive", 1, 1, false, 1},
		{`"comment":"I read it again."`, "neutral", 0, 1, true, 1},
		{`"undo":true`, "neutral", 0, 0, false, 0},
		{`"thumbs":-1`, "negative", -1, -1, false, 1},
	} {
		if got := status(t, hall.URL()+"/feedback", fmt.Sprintf(`{"query_id":%q,%s}`, a.Query, c.body)); got != http.StatusNoContent {
			t.Fatalf("%s: %d", c.body, got)
		}
		w := rewards(t, client, a.Query, i+1)
		if w.Respondent != "A" || w.Sentiment != c.sentiment || (w.Reward == nil) != c.words || w.Reward != nil && *w.Reward != c.reward {
			t.Errorf("%s was told as %+v", c.body, w)
		}
		remembered(t, client, a.Query, c.stays, c.sentiment)
		rated(t, client, c.ratings, c.body)
	}
	heard := busRecord(t, client, moothall.SubjectUserFeedback)
	if len(heard) != 6 || heard[0].Sender != moothall.FrontDoor || heard[0].Session != a.Session {
		t.Errorf("user.feedback: %+v", heard)
	}
	alive(t, client)
}

// TestFeedbackRefused names what is wrong, and nothing of it is counted.
func TestFeedbackRefused(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client := join(t, h)
	a := asks(t, client, moothall.QueryRequest{Query: "What is the capital of France?"})
	for body, want := range map[string]int{
		`{"query_id":"no-such-turn","thumbs":1}`:                                          http.StatusNotFound,
		fmt.Sprintf(`{"query_id":%q}`, a.Query):                                           http.StatusBadRequest,
		fmt.Sprintf(`{"query_id":%q,"stars":6}`, a.Query):                                 http.StatusBadRequest,
		fmt.Sprintf(`{"query_id":%q,"thumbs":2}`, a.Query):                                http.StatusBadRequest,
		fmt.Sprintf(`{"query_id":%q,"thumb":1}`, a.Query):                                 http.StatusBadRequest,
		fmt.Sprintf(`{"query_id":%q,"thumbs":1,"said":true}`, a.Query):                    http.StatusBadRequest,
		fmt.Sprintf(`{"query_id":%q,"thumbs":1,"respondent_id":"C"}`, a.Query):            http.StatusNotFound,
		fmt.Sprintf(`{"query_id":%q,"comment":%q}`, a.Query, strings.Repeat("x", 10_001)): http.StatusBadRequest,
		`{"thumbs":1}`: http.StatusBadRequest,
		`[]`:           http.StatusBadRequest,
	} {
		if got := status(t, hall.URL()+"/feedback", body); got != want {
			t.Errorf("%.80s: %d, want %d", body, got, want)
		}
	}
	if n := len(busRecord(t, client, moothall.SubjectUserFeedback)); n != 0 {
		t.Errorf("%d of them were told", n)
	}
}

// TestFeedbackSaid recognises feedback in a conversation, tells the person,
// counts it, and takes it back everywhere.
func TestFeedbackSaid(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client := join(t, h)
	for i, c := range []struct {
		words, sentiment string
		thumbs           int
	}{{"perfect, thanks", "positive", 1}, {"that was wrong", "negative", -1}} {
		session := moothall.SessionID(fmt.Sprint("said-", i))
		first := asks(t, client, moothall.QueryRequest{Session: session, Query: "What is the capital of France?"})
		if first.Heard != nil {
			t.Errorf("a question was taken for feedback: %+v", first.Heard)
		}
		turn := follow(t, hall, fmt.Sprintf(`{"query":%q,"session_id":%q}`, c.words, session))
		if said := turn.next("status").Text; !strings.Contains(said, "what you think") {
			t.Errorf("the person was told: %q", said)
		}
		a := turn.next("final").Answer
		if a.Heard == nil || a.Heard.Query != first.Query || a.Heard.Thumbs != c.thumbs || !a.Heard.Said || a.Heard.Comment != c.words {
			raw, _ := json.Marshal(a.Heard)
			t.Fatalf("%s was heard as %s", c.words, raw)
		}
		w := rewards(t, client, first.Query, 1)
		if w.Reward == nil || *w.Reward != float64(c.thumbs) || !w.Feedback.Said || w.Session != session {
			t.Errorf("%s was worth %+v", c.words, w)
		}
		remembered(t, client, first.Query, float64(c.thumbs), c.sentiment)
		rated(t, client, 1, c.words)
		if got := status(t, hall.URL()+"/feedback", fmt.Sprintf(`{"query_id":%q,"undo":true}`, first.Query)); got != http.StatusNoContent {
			t.Fatalf("undo: %d", got)
		}
		rewards(t, client, first.Query, 2)
		remembered(t, client, first.Query, 0, "neutral")
		rated(t, client, 0, "undo")
		j := judged(t, client, first.Query)
		if len(j) != 1 || j[0].Reward == nil || !j[0].Reward.Feedback.Undo {
			t.Errorf("the judgement after undo: %+v", j)
		}
	}
	// Switched off, the same words are words.
	sets(t, hall, "reward", `{"conversation":"off"}`)
	asks(t, client, moothall.QueryRequest{Session: "off", Query: "What is the capital of France?"})
	if a := asks(t, client, moothall.QueryRequest{Session: "off", Query: "perfect, thanks"}); a.Heard != nil {
		t.Errorf("heard although it is switched off: %+v", a.Heard)
	}
	alive(t, client)
}

// TestFeedbackHeardByAModel: with conversation=model it is a model that tells
// feedback from questions, also where the rules would have known nothing.
func TestFeedbackHeardByAModel(t *testing.T) {
	t.Parallel()
	const words = "You are talking about another city."
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if last := c.Messages[len(c.Messages)-1].Content; strings.Contains(last, "<person>\n"+words) {
			return says(`{"verdict":"negative"}`)
		}
		return says("Lyon.")
	}})
	h, c := home(t.TempDir()), config()
	c.Models.Ollama.URL, c.Reward.Conversation = model.URL, "model"
	serve(t, h, c)
	client := join(t, h)
	first := asks(t, client, moothall.QueryRequest{Session: "s", Query: "The capital of France?"})
	second := asks(t, client, moothall.QueryRequest{Session: "s", Query: words})
	if f := second.Heard; f == nil || f.Thumbs != -1 || f.Query != first.Query {
		t.Errorf("heard %+v", f)
	}
}
