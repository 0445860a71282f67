package daemon_test

import (
	"testing"

	"moothall"
	"moothall/internal/store"
)

// TestDeletedIsNotJudged: an answer and a grade that are heard of only when
// their conversation has been deleted leave nothing with the judges.
func TestDeletedIsNotJudged(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), graded(config())
	hall := serve(t, h, c)
	client := join(t, h)
	a := asks(t, client, moothall.QueryRequest{Session: "gone", Query: "What is the capital of France?"})
	answer := told(t, client, moothall.SubjectResponseGeneration, a.Query, "A")
	grade := told(t, client, moothall.SubjectCritiqueResult, a.Query, "A")
	becomes(t, "the grade in the score", func() bool { j := judged(t, client, a.Query); return len(j) == 1 && j[0].Critique != nil })
	if err := client.ChangeSession(t.Context(), moothall.SessionChange{ID: "gone", Delete: true}); err != nil {
		t.Fatal(err)
	}
	for e, as := range map[*moothall.Event]moothall.Identity{&answer: moothall.ChatHall, &grade: moothall.Critic} {
		e.ID += "-late"
		if _, err := hall.Publish(t.Context(), as, *e); err != nil {
			t.Fatal(err)
		}
	}
	// What comes behind them has been through both judges when it is scored.
	b := asks(t, client, moothall.QueryRequest{Session: "stays", Query: "What is the capital of Spain?"})
	becomes(t, "the next grade in the score", func() bool { j := judged(t, client, b.Query); return len(j) == 1 && j[0].Critique != nil })
	alive(t, client)
	client.Close()
	stopped(t, hall)
	db, err := store.Open(t.Context(), h.Database(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"reward_rows", "reward_facts", "critic_jobs"} {
		var n int
		if err := db.Read(t.Context(), func(tx *store.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM `+table+` WHERE query = ?`, string(a.Query)).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			t.Errorf("%s has %d rows of a conversation that was deleted", table, n)
		}
	}
}
