package broker_test

import (
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/broker"
)

func TestForgetWhatWasHeldAndMade(t *testing.T) {
	t.Parallel()
	h := open(t, append(files(), memo()), func(o *broker.Options) { o.Exists = func(string) bool { return false } })
	for _, session := range []moothall.SessionID{"gone", "kept"} {
		a := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: session}})
		h.call(request(a, "memo", `{}`))
		h.call(request(a, "copy", `{"to":"/home/me/out/x"}`))
		if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Forget(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"broker_held", "broker_made"} {
		if rows := h.dump(table); strings.Contains(rows, "=gone ") || !strings.Contains(rows, "=kept ") {
			t.Errorf("%s holds %q", table, rows)
		}
	}
}

func TestForgetAndPrune(t *testing.T) {
	t.Parallel()
	h := open(t, append(web(), files()...))
	a := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "gone"}, Words: "some words at x.example"})
	b := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "kept"}})
	for _, agent := range []moothall.Agent{a, b} {
		h.call(request(agent, "web_search", `{"query":"x"}`))
		h.call(request(agent, "copy", `{}`))
	}
	wantCode(t, h.Forget(t.Context(), "gone"), moothall.CodeConflict)
	if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil {
		t.Fatal(err)
	}
	if err := h.Forget(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"broker_sessions", "broker_texts", "broker_addresses", "broker_calls", "broker_agents"} {
		if rows := h.dump(table); strings.Contains(rows, "=gone ") || !strings.Contains(rows, "=kept ") {
			t.Errorf("%s holds %s", table, rows)
		}
	}
	if a := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "gone"}}); a.Labels != 0 {
		t.Errorf("a forgotten session has labels %q", a.Labels)
	}
	if n, err := h.Prune(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("%d fresh rows were removed, %v", n, err)
	}
	if n, err := h.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 2 {
		t.Errorf("%d rows were removed, %v", n, err)
	}
	if d := h.verdict(h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "kept"}}), "memory_write", `{}`); d.Verdict != moothall.Allow {
		t.Errorf("one label is none: %+v", d)
	}
}
