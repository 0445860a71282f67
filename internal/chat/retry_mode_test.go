package chat_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// TestRetryInItsMode asks turns again without a mode: they are answered in that
// of the first time, also where there was no answer that would show it.
func TestRetryInItsMode(t *testing.T) {
	t.Parallel()
	var asked []moothall.QueryRequest
	mode := func(_ context.Context, a chat.Asked, _ func(moothall.Step)) chat.Outcome {
		asked = append(asked, a.Request)
		out := chat.Outcome{}
		if out.Answer, out.Stop = "Yes.", moothall.StopDone; strings.HasPrefix(a.Request.Query, "stopped") {
			out.Answer, out.Stop = "", moothall.StopCanceled
		}
		return out
	}
	h := fresh(t, func(o *chat.Options) {
		o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeCommittee: mode, moothall.ModeTask: mode}
	})
	h.model.Script(moottest.Reply{Text: "Plain."}, moottest.Reply{Text: "Plain too."})
	again := func(r moothall.QueryRequest) moothall.QueryRequest {
		t.Helper()
		asked = nil
		if a, _ := h.ask(t, r); len(asked) != 1 {
			t.Errorf("%+v was answered with %q", r, a.Text)
			return moothall.QueryRequest{}
		}
		return asked[0]
	}
	voices := []string{"Advocate", "Skeptic"}
	for _, query := range []string{"Shall we?", "stopped at once"} {
		first, _ := h.ask(t, moothall.QueryRequest{Query: query, Mode: moothall.ModeCommittee, Personas: voices, Rounds: 3})
		if got := again(moothall.QueryRequest{Retry: first.Query}); got.Mode != moothall.ModeCommittee || !slices.Equal(got.Personas, voices) || got.Rounds != 3 {
			t.Errorf("%s: %+v", query, got)
		}
		if got := again(moothall.QueryRequest{Retry: first.Query, Personas: voices[1:]}); got.Mode != moothall.ModeCommittee || !slices.Equal(got.Personas, voices[1:]) {
			t.Errorf("%s, other voices: %+v", query, got)
		}
		if got := again(moothall.QueryRequest{Retry: first.Query, Mode: moothall.ModeTask}); got.Mode != moothall.ModeTask || len(got.Personas) != 0 {
			t.Errorf("%s, as a task: %+v", query, got)
		}
	}
	first, _ := h.ask(t, moothall.QueryRequest{Query: "Do it.", Mode: moothall.ModeTask})
	if got := again(moothall.QueryRequest{Retry: first.Query}); got.Mode != moothall.ModeTask {
		t.Errorf("%+v", got)
	}
	asked = nil
	plain, _ := h.ask(t, moothall.QueryRequest{Retry: first.Query, Mode: moothall.ModeChat})
	if again, _ := h.ask(t, moothall.QueryRequest{Retry: plain.Query}); len(asked) != 0 || again.Text != "Plain too." {
		t.Errorf("%q, %+v: a mode that is given holds", again.Text, asked)
	}
}

// TestRetryOfAnOldTurn asks turns again that were kept before their mode was:
// the answer shows it.
func TestRetryOfAnOldTurn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	old := fstest.MapFS{}
	for _, name := range []string{"0001_sessions", "0002_respondents", "0003_ends", "0004_begins", "0005_gone", "0006_replaced", "0007_deleted", "0008_successor"} {
		text, err := fs.ReadFile(chat.Migrations().Files, name+".sql")
		if err != nil {
			t.Fatal(err)
		}
		old[name+".sql"] = &fstest.MapFile{Data: text}
	}
	db, err := store.Open(t.Context(), file, &store.Options{Migrations: []store.Set{{Name: chat.Migrations().Name, Files: old}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, db, `INSERT INTO chat_sessions (id, created, updated) VALUES ('s', 1, 1), ('torn', 1, 1)`,
		`INSERT INTO chat_turns (query_id, session, asked, state, began, answer) VALUES
			('plain', 's', 'Hi', 'done', 1, '{"query_id":"plain","answer":"Hello."}'),
			('many', 's', 'Shall we?', 'done', 2, '{"query_id":"many","answer":"Yes.","deliberations":[{"persona":"Skeptic"}]}'),
			('work', 's', 'Do it.', 'done', 3, '{"query_id":"work","answer":"Done.","task_id":"t"}'),
			('torn', 'torn', 'What?', 'done', 4, '{'), ('cut', 's', 'Why?', 'interrupted', 5, NULL)`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	answered := func(by string) chat.Mode {
		return func(context.Context, chat.Asked, func(moothall.Step)) chat.Outcome {
			out := chat.Outcome{}
			out.Answer, out.Stop = by, moothall.StopDone
			return out
		}
	}
	h := open(t, file, func(o *chat.Options) {
		o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeCommittee: answered("committee"), moothall.ModeTask: answered("task")}
	})
	h.model.Script(moottest.Reply{Text: "chat"}, moottest.Reply{Text: "chat"})
	for query, want := range map[moothall.QueryID]string{"plain": "chat", "many": "committee", "work": "task", "cut": "chat"} {
		if a, _ := h.ask(t, moothall.QueryRequest{Retry: query}); a.Text != want {
			t.Errorf("%s was answered by %s, want %s", query, a.Text, want)
		}
	}
}
