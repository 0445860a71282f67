package chat_test

import (
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// TestInboxForgetsTheStopped takes back a question from the bus that waits, by
// hand, for another's sake, and with its conversation: the next start does not
// answer it.
func TestInboxForgetsTheStopped(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *hall){
		"stopped": func(t *testing.T, h *hall) {
			if err := h.Stop(t.Context(), "bus-1"); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, h *hall) {
			h.model.Script(moottest.Reply{Text: "Third."})
			h.ask(t, moothall.QueryRequest{Session: "s", Query: "third", Replace: true})
		},
		"deleted": func(t *testing.T, h *hall) {
			if err := h.ChangeSession(t.Context(), moothall.SessionChange{ID: "s", Delete: true}); err != nil {
				t.Fatal(err)
			}
			if err := h.Clear(t.Context(), "s"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "db")
			h := open(t, file)
			h.model.Script(moottest.Reply{Text: "hm", Hang: true})
			go func() {
				for range h.Query(t.Context(), moothall.QueryRequest{Session: "s", Query: "first"}) {
				}
			}()
			h.heard(t, moothall.SubjectResponseDelta, 1)
			if err := h.Receive(t.Context(), question(t, "bus-1", map[string]string{"query": "second", "session_id": "s"})); err != nil {
				t.Fatal(err)
			}
			until(t, "the question waits", func() bool {
				d, err := h.Session(t.Context(), "s")
				return err == nil && len(d.Queue) == 1
			})
			end(t, h)
			h.Close()

			h = open(t, file)
			if err := h.db.Read(t.Context(), func(tx *store.Tx) error {
				var n int
				err := tx.QueryRow(t.Context(), `SELECT count(*) FROM chat_inbox`).Scan(&n)
				if n != 0 {
					t.Error("the next start would answer it")
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}
