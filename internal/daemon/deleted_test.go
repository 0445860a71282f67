package daemon_test

import (
	"errors"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
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
	for table, key := range map[string]string{"reward_rows": string(a.Query), "reward_facts": string(a.Query), "critic_jobs": string(a.Query), "chat_deleted": "gone"} {
		column, n := "query", 0
		if table == "chat_deleted" {
			column = "session"
		}
		if err := db.Read(t.Context(), func(tx *store.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM `+table+` WHERE `+column+` = ?`, key).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			t.Errorf("%s has %d rows of a conversation that was deleted", table, n)
		}
	}
}

// TestDeletionIsFinished: a hall that ended between the chat's part of a deletion
// and that of the others finishes it when it is up again.
func TestDeletionIsFinished(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), graded(config())
	hall := serve(t, h, c)
	client := join(t, h)
	for _, session := range []moothall.SessionID{"gone", "stays", "again"} {
		a := asks(t, client, moothall.QueryRequest{Session: session, Query: "What is the capital of France?"})
		becomes(t, "the grade in the score", func() bool { j := judged(t, client, a.Query); return len(j) == 1 && j[0].Critique != nil })
	}
	client.Close()
	stopped(t, hall)
	rows := func(session string) (n int) {
		t.Helper()
		db, err := store.Open(t.Context(), h.Database(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, q := range []string{`SELECT count(*) FROM broker_sessions WHERE id = ?`, `SELECT count(*) FROM reward_rows WHERE session = ?`, `SELECT count(*) FROM chat_deleted WHERE session = ?`} {
			var some int
			if err := db.Read(t.Context(), func(tx *store.Tx) error { return tx.QueryRow(t.Context(), q, session).Scan(&some) }); err != nil {
				t.Fatal(err)
			}
			n += some
		}
		return n
	}
	db, err := store.Open(t.Context(), h.Database(), nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *store.Tx) error {
		for _, q := range []string{`DELETE FROM chat_sessions WHERE id = 'gone'`, `INSERT INTO chat_deleted VALUES ('gone'), ('again')`} {
			if _, err := tx.Exec(t.Context(), q); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if rows("gone") < 2 {
		t.Fatal("nothing was kept of it, so nothing can be seen to go")
	}
	kept, again := rows("stays"), rows("again")
	stopped(t, serve(t, h, c))
	if n := rows("gone"); n != 0 {
		t.Errorf("%d rows of a conversation that was deleted", n)
	}
	if rows("stays") != kept || rows("again") != again {
		t.Errorf("%d of %d, and %d of %d rows of others", rows("stays"), kept, rows("again"), again)
	}
}

// TestDeletedWhileAnswered: a conversation that is deleted while its question is
// answered is gone with what the broker keeps of it, and nothing more is asked
// for it.
func TestDeletedWhileAnswered(t *testing.T) {
	t.Parallel()
	for name, first := range map[string][]ollamatest.Reply{"at once": nil, "after a tool": {calls("calculate", `{"expression":"6*7"}`)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{})
			h := home(t.TempDir())
			hall, model := scripted(t, h, config())
			model.Script(append(first, ollamatest.Reply{Text: "It is 42.", Wait: make(chan struct{}), Seen: func() { close(begun) }})...)
			client := join(t, h)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for range client.Query(t.Context(), moothall.QueryRequest{Session: "gone", Query: "How much is 6*7, for the boat at boat.example?"}) {
				}
			}()
			<-begun
			becomes(t, "the question in its conversation", func() bool { _, err := client.Session(t.Context(), "gone"); return err == nil })
			if err := client.ChangeSession(t.Context(), moothall.SessionChange{ID: "gone", Delete: true}); err != nil {
				t.Fatal(err)
			}
			<-ended
			client.Close()
			stopped(t, hall)
			wantGone(t, h, "gone")
		})
	}
}

// TestDeletedWhileShadowed: so is one that respondent B answers just then.
func TestDeletedWhileShadowed(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) }) // a person's call may take its place, and it begins again
	model := ollamatest.New(t, ollamatest.Options{
		Models: []ollamatest.Model{
			{Name: "a:1b", Family: "f", Window: 8192, Capabilities: []string{"completion", "tools"}},
			{Name: "b:1b", Family: "f", Window: 8192, Capabilities: []string{"completion", "tools"}},
		},
		Respond: func(c ollamatest.Chat) ollamatest.Reply {
			if c.Model == "b:1b" {
				return ollamatest.Reply{Text: "Late.", Wait: make(chan struct{}), Seen: begin}
			}
			return says("Paris.")
		},
	})
	h, c := home(t.TempDir()), config()
	c.Models.Ollama.URL, c.Critic.Enabled = model.URL, false
	c.Models.Roles = []daemon.RoleConfig{{Role: "chat", Provider: "ollama", Model: "a:1b"}}
	hall := serve(t, h, c)
	sets(t, hall, "respondent_b", `{"enabled":true,"provider":"ollama","model":"b:1b"}`)
	client := join(t, h)
	asks(t, client, moothall.QueryRequest{Session: "gone", Query: "The capital of France, on france.example?"})
	<-begun
	if err := client.ChangeSession(t.Context(), moothall.SessionChange{ID: "gone", Delete: true}); err != nil {
		t.Fatal(err)
	}
	client.Close()
	stopped(t, hall)
	wantGone(t, h, "gone")
}

// wantGone looks for what is left of a conversation in the home of a hall that has stopped.
func wantGone(t *testing.T, h daemon.Home, id moothall.SessionID) {
	t.Helper()
	db, err := store.Open(t.Context(), h.Database(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"broker_texts", "broker_addresses", "broker_calls", "broker_agents", "chat_messages", "chat_turns"} {
		var n int
		if err := db.Read(t.Context(), func(tx *store.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM `+table+` WHERE session = ?`, string(id)).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			t.Errorf("%s has %d rows of a conversation that was deleted", table, n)
		}
	}
}
