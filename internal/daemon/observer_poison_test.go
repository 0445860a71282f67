package daemon_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/bus"
)

// TestPoisonedEvents: what nobody can make sense of is laid aside by each who
// tried, with the reason, and what comes behind it flows for all of them.
func TestPoisonedEvents(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, graded(shadowed(config())))
	client := join(t, h)
	var causes []moothall.EventID
	poison := func(as moothall.Identity, s moothall.Subject, payload any) {
		e := publishes(t, hall, as, s, payload, func(e *moothall.Event) { e.Query = "poisoned" })
		causes = append(causes, e.ID)
	}
	poison(moothall.ChatHall, moothall.SubjectResponseGeneration, "rubbish")
	poison(moothall.FrontDoor, moothall.SubjectUserFeedback, map[string]any{"query_id": 7})
	poison(moothall.Critic, moothall.SubjectCritiqueResult, []int{1, 2, 3})
	poison(moothall.Critic, moothall.SubjectPairwiseResult, map[string]any{"outcome": 1})
	poison(moothall.Person, moothall.SubjectQueryReceived, []string{"no", "question"})
	want := map[string]int{ // how many of the five each has to give up
		"critic-grading": 1, "reward-scoring": 4, "memory-ingest": 5, "chat-questions": 1, "chat-shadow": 1,
	}
	letters := hears(t, client, "the dead letters", func(all []moothall.Event) bool { return len(all) == 12 }, moothall.SubjectDeadLetter)
	got := map[string]int{}
	for _, e := range letters {
		l := read[bus.DeadLetter](t, e.Payload)
		got[l.Observer]++
		if l.Reason == "" || l.Tries != 1 || l.Seq == 0 || len(l.Envelope) == 0 || !slices.Contains(causes, moothall.EventID(e.Correlation)) || e.Query != "poisoned" {
			t.Errorf("a letter without its reason or its cause: %+v", l)
		}
		if !strings.Contains(l.Reason, "payload") {
			t.Errorf("the reason does not name the payload: %s", l.Reason)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("given up by %v, want %v", got, want)
	}
	a := asks(t, client, moothall.QueryRequest{Query: "What is the capital of France?"})
	told(t, client, moothall.SubjectResponseGeneration, a.Query, "B")
	told(t, client, moothall.SubjectCritiqueResult, a.Query, "A")
	told(t, client, moothall.SubjectPairwiseResult, a.Query, "")
	if code := status(t, hall.URL()+"/feedback", `{"query_id":"`+string(a.Query)+`","thumbs":1}`); code != 204 {
		t.Fatal(code)
	}
	remembered(t, client, a.Query, 1, "positive")
	if n := len(busRecord(t, client, moothall.SubjectDeadLetter)); n != 12 {
		t.Errorf("%d dead letters in the end", n)
	}
	if j := judged(t, client, "poisoned"); len(j) != 0 {
		t.Errorf("rubbish was scored: %+v", j)
	}
	// Who may not speak so cannot poison anybody.
	if _, err := hall.Publish(t.Context(), moothall.Person, poisonOf(t)); moothall.ErrorCode(err) != moothall.CodeDenied {
		t.Errorf("the person published as the critic: %v", err)
	}
}

func poisonOf(t *testing.T) moothall.Event {
	t.Helper()
	e, err := moothall.NewEvent(moothall.SubjectCritiqueResult, "rubbish")
	if err != nil {
		t.Fatal(err)
	}
	return e
}
