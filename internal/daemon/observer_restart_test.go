package daemon_test

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/store"
)

// TestObserversCatchUp stops a hall while its judges and its second respondent
// are stuck and its memory may be behind. After the next start every answer is
// judged, compared, scored and remembered, once each.
func TestObserversCatchUp(t *testing.T) {
	t.Parallel()
	var well atomic.Bool
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if asker(c) != fromA && !well.Load() {
			return ollamatest.Reply{Hang: true}
		}
		return opinionated(c)
	}})
	c := graded(shadowed(config()))
	c.Models.Ollama.URL, c.Critic.Wait = model.URL, conf.Duration(time.Hour)
	h := home(t.TempDir())
	hall := serve(t, h, c)
	client := join(t, h)
	names := map[moothall.QueryID]string{}
	for i := range 10 {
		name := fmt.Sprint("person", i)
		a := asks(t, client, moothall.QueryRequest{Session: "s", Query: "I am " + name})
		names[a.Query] = name
	}
	client.Close()
	stopped(t, hall)
	well.Store(true)
	serve(t, h, c)
	client = join(t, h)
	checkVerdicts(t, client, names)
	checkRows(t, client, names)
	alive(t, client)
}

// TestBusThrownAway: the bus is not the record. An answer that nobody heard of
// is told after the next start, under the id that it would have had, and those
// who had heard of it do nothing twice.
func TestBusThrownAway(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), graded(config())
	hall := serve(t, h, c)
	client := join(t, h)
	a := asks(t, client, moothall.QueryRequest{Session: "s", Query: "What is the capital of France?"})
	was := told(t, client, moothall.SubjectResponseGeneration, a.Query, "A")
	told(t, client, moothall.SubjectCritiqueResult, a.Query, "A")
	becomes(t, "the grade in the memory", func() bool { n := engram(t, client, a.Query, "A"); return n != nil && n.Score != nil })
	becomes(t, "the grade in the score", func() bool { j := judged(t, client, a.Query); return len(j) == 1 && j[0].Critique != nil })
	client.Close()
	stopped(t, hall)
	if err := os.RemoveAll(h.Bus()); err != nil {
		t.Fatal(err)
	}
	untold(t, h.Database(), a.Query)
	serve(t, h, c)
	client = join(t, h)
	if is := told(t, client, moothall.SubjectResponseGeneration, a.Query, "A"); is.ID != was.ID {
		t.Errorf("it was told as %s, and then as %s", was.ID, is.ID)
	}
	told(t, client, moothall.SubjectAnswerDialog, a.Query, "A")
	// What comes behind it has been through all observers when it is judged.
	b := asks(t, client, moothall.QueryRequest{Session: "s", Query: "What is the capital of Spain?"})
	told(t, client, moothall.SubjectCritiqueResult, b.Query, "A")
	becomes(t, "the next answer in the memory", func() bool { return engram(t, client, b.Query, "A") != nil })
	if n := engramsOf(t, client)[string(a.Query)+" A"]; n != 1 {
		t.Errorf("%d engrams", n)
	}
	if j := judged(t, client, a.Query); len(j) != 1 || j[0].Critique == nil {
		t.Errorf("the score: %+v", j)
	}
	for _, e := range busRecord(t, client, moothall.SubjectCritiqueResult) {
		if e.Query == a.Query {
			t.Errorf("it was graded twice: %s", e.Payload)
		}
	}
	alive(t, client)
}

// untold makes a turn one whose answer was kept and not told.
func untold(t *testing.T, file string, q moothall.QueryID) {
	t.Helper()
	db, err := store.Open(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE chat_turns SET told = 0 WHERE query_id = ?`, string(q))
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
