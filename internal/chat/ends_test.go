package chat_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// TestEndIsThereAtOnce looks into a conversation in the moment of its answer,
// which is not yet where it belongs.
func TestEndIsThereAtOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	synctest.Test(t, func(t *testing.T) {
		var db *store.DB
		h := open(t, file, func(o *chat.Options) { db = o.DB })
		h.model.Script(moottest.Reply{Text: "Paris."})
		for s, err := range h.Query(t.Context(), moothall.QueryRequest{Session: "s", Query: "What is the capital of France?"}) {
			if err != nil {
				t.Fatal(err)
			}
			if s.Answer == nil {
				continue
			}
			if n := waiting(t, db); n != 2 {
				t.Errorf("%d rows wait, want the question's and the answer's", n)
			}
			d, err := h.Session(t.Context(), "s")
			if err != nil || len(d.Asked) != 1 || d.Asked[0].State != "done" || len(d.Messages) != 2 {
				t.Errorf("%+v, %v", d, err)
			}
			if n := waiting(t, db); n != 0 {
				t.Errorf("%d rows wait after somebody looked", n)
			}
		}
		h.Close()
	})
}

// TestEndAfterCrash kills a hall between an answer and its way to its place:
// the next one finds it done, once, and marks nothing as cut off.
func TestEndAfterCrash(t *testing.T) {
	t.Parallel()
	var db *store.DB
	h := fresh(t, func(o *chat.Options) { db = o.DB })
	write(t, db, `INSERT INTO chat_sessions (id, created, updated) VALUES ('s', 1, 1)`,
		`INSERT INTO chat_turns (query_id, session, asked, state, began) VALUES ('q', 's', 'Where?', 'running', 1), ('r', 's', 'And?', 'running', 2)`,
		`INSERT INTO chat_messages (session, n, query, message) VALUES ('s', 1, 'q', '{"role":"user","content":"Where?"}')`,
		`INSERT INTO chat_ends (ended) VALUES ('{"answer":{"query_id":"q","session_id":"s","respondent_id":"A","answer":"Here."},"add":[{"role":"assistant","content":"Here."}],"at":3}')`,
		`INSERT INTO chat_ends (ended) VALUES ('{"answer":{"query_id":"deleted","session_id":"gone","respondent_id":"A","answer":"No."},"add":[{"role":"assistant","content":"No."}],"at":3}')`)
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := h.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 2 || len(d.Messages) != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	if q, r := d.Asked[0], d.Asked[1]; q.State != "done" || len(q.Answers) != 1 || q.Answers[0].Text != "Here." || r.State != "interrupted" {
		t.Errorf("%+v", d.Asked)
	}
	if n := waiting(t, db); n != 0 {
		t.Errorf("%d ends wait", n)
	}
}

// TestBeginningAfterCrash kills a hall between a question and its way to its
// place: the next one finds it cut off, once, and goes on with the conversation
// behind it. What is there already keeps nothing else from its place.
func TestBeginningAfterCrash(t *testing.T) {
	t.Parallel()
	var db *store.DB
	h := fresh(t, func(o *chat.Options) { db = o.DB })
	const first = `{"session_id":"s","query_id":"q","asked":"Where?","input":{"role":"user","content":"Where?"},"at":1}`
	write(t, db, `INSERT INTO chat_inbox (query_id, request, at) VALUES ('r', '{"query":"And?","session_id":"s"}', 1)`,
		`INSERT INTO chat_ends (begun, ended) VALUES ('`+first+`', '')`, `INSERT INTO chat_ends (begun, ended) VALUES ('`+first+`', '')`,
		`INSERT INTO chat_ends (ended) VALUES ('{"answer":{"query_id":"q","session_id":"s","respondent_id":"A","answer":"Here."},"add":[{"role":"assistant","content":"Here."}],"at":2}')`,
		`INSERT INTO chat_ends (begun, ended) VALUES ('{"session_id":"s","query_id":"r","asked":"And?","inbox":true,"input":{"role":"user","content":"And?"},"at":3}', '')`)
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := h.Session(t.Context(), "s")
	if err != nil || d.Title != "Where?" || len(d.Asked) != 2 || d.Asked[0].State != "done" || d.Asked[1].State != "interrupted" {
		t.Fatalf("%+v, %v", d, err)
	}
	var said []string
	for _, m := range d.Messages {
		said = append(said, m.Content)
	}
	if want := []string{"Where?", "Here.", "And?"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	if n := waiting(t, db); n != 0 || len(h.model.Requests()) != 0 {
		t.Errorf("%d rows wait, and the model was asked %d times", n, len(h.model.Requests()))
	}
}

func waiting(t *testing.T, db *store.DB) (n int) {
	t.Helper()
	if err := db.Read(t.Context(), func(tx *store.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM chat_ends`).Scan(&n)
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func write(t *testing.T, db *store.DB, list ...string) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *store.Tx) error {
		for _, s := range list {
			if _, err := tx.Exec(t.Context(), s); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// An answer to a conversation that was deleted under it has no place any more,
// and nobody is told of it: who keeps what is told could not be rid of it.
func TestDeletedConversationIsNotTold(t *testing.T) {
	t.Parallel()
	var h *hall
	h = fresh(t, func(o *chat.Options) {
		o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeCommittee: func(ctx context.Context, a chat.Asked, _ func(moothall.Step)) chat.Outcome {
			if err := h.ChangeSession(ctx, moothall.SessionChange{ID: a.Session, Delete: true}); err != nil {
				t.Error(err)
			}
			out := chat.Outcome{}
			out.Answer, out.Stop = "It is in the blue box.", moothall.StopDone
			return out
		}}
	})
	if a, _ := h.ask(t, moothall.QueryRequest{Session: "gone", Query: "Where is the key?", Mode: moothall.ModeCommittee}); a.Text != "It is in the blue box." {
		t.Errorf("who asked got %q", a.Text)
	}
	h.model.Script(moottest.Reply{Text: "Hello."})
	h.ask(t, moothall.QueryRequest{Session: "here", Query: "Hi"})
	h.Close()
	for _, e := range h.heard(t, moothall.SubjectAnswerDialog, 1) {
		if e.Session == "gone" {
			t.Errorf("told after all: %s", e.Payload)
		}
	}
	for _, e := range h.heard(t, moothall.SubjectResponseGeneration, 1) {
		if e.Session == "gone" {
			t.Errorf("told after all: %s", e.Payload)
		}
	}
}
