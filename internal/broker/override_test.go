package broker_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
)

func (h *hall) override(o moothall.Overrides) moothall.Overrides {
	h.t.Helper()
	got, err := h.person.Override(h.t.Context(), moothall.Scope{Session: "s"}, o)
	if err != nil {
		h.t.Fatal(err)
	}
	return got
}

func TestOverridesOfOneMessage(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	standing := h.override(moothall.Overrides{Level: "none", Disabled: []moothall.ToolName{"say"}})
	if !slices.Equal(standing.Disabled, []moothall.ToolName{"say"}) {
		t.Errorf("in force is %+v", standing)
	}
	if once := h.override(moothall.Overrides{Level: "all", Once: true}); once.Level != "all" || !slices.Contains(once.Disabled, "say") {
		t.Errorf("for the next message %+v", once)
	}
	before := h.spawn(moothall.SpawnRequest{Query: "one"})
	again := h.spawn(moothall.SpawnRequest{Query: "one"}) // a second respondent
	child := h.spawn(moothall.SpawnRequest{Parent: before.Handle, Type: "worker"})
	for name, a := range map[string]moothall.Agent{"the message": before, "again": again, "a child": child} {
		if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Allow {
			t.Errorf("%s: %+v", name, d)
		}
		if d := h.verdict(a, "say", `{}`); d.Rule != "disabled" {
			t.Errorf("%s: what is off for the session came on: %+v", name, d)
		}
	}
	h.shut()
	h = reopen(t, h, risky())
	resumed := h.spawn(moothall.SpawnRequest{Query: "one"})
	if d := h.verdict(resumed, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Allow {
		t.Errorf("the same message after a restart: %+v", d)
	}
	next := h.spawn(moothall.SpawnRequest{Query: "two"})
	for name, a := range map[string]moothall.Agent{"the next message": next, "the old one": resumed, "a new agent of it": h.spawn(moothall.SpawnRequest{Query: "one"})} {
		if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Ask {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if o := h.override(moothall.Overrides{}); o.Level != "none" || !slices.Equal(o.Disabled, []moothall.ToolName{"say"}) {
		t.Errorf("the question changed something: %+v", o)
	}
}

// TestOverridesOfAQuery are for that one, whoever comes first, until they are
// taken back.
func TestOverridesOfAQuery(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	all := moothall.Overrides{Level: "all", Once: true}
	check := func(what string, a moothall.Agent, want moothall.Verdict) {
		t.Helper()
		if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != want {
			t.Errorf("%s: %+v", what, d)
		}
	}
	mine := all
	mine.Query = "mine"
	if o := h.override(mine); o.Level != "all" {
		t.Errorf("in force for it is %+v", o)
	}
	if o := h.override(moothall.Overrides{}); o.Level != "none" {
		t.Errorf("in force for the next is %+v", o)
	}
	a := h.spawn(moothall.SpawnRequest{Query: "mine"})
	check("the query", a, moothall.Allow)
	h.override(all) // for the next: what is for the query has ended, and ends no other
	h.override(moothall.Overrides{Once: true, Query: "mine"})
	check("the next", h.spawn(moothall.SpawnRequest{Query: "next"}), moothall.Allow)
	h.override(mine)
	check("the query again", a, moothall.Allow)
	h.override(moothall.Overrides{Once: true, Query: "mine"})
	check("taken back", a, moothall.Ask)
	check("a new agent of it", h.spawn(moothall.SpawnRequest{Query: "mine"}), moothall.Ask)
	h.override(mine)
	check("another that comes first", h.spawn(moothall.SpawnRequest{Query: "other"}), moothall.Ask)
}

// What comes beside the conversation is no message: it neither has nor uses up
// what is for one.
func TestOverridesWaitForAMessage(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	h.override(moothall.Overrides{Level: "all", Once: true})
	aside := func() {
		t.Helper()
		if d := h.verdict(h.spawn(moothall.SpawnRequest{Query: moothall.QueryID(moothall.NewID()), Aside: true}), "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Ask {
			t.Errorf("beside the conversation: %+v", d)
		}
	}
	aside()
	if o := h.override(moothall.Overrides{}); o.Level != "all" {
		t.Errorf("for the next message is left %+v", o)
	}
	a := h.spawn(moothall.SpawnRequest{Query: "one"})
	aside()
	if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Allow {
		t.Errorf("the message: %+v", d)
	}
}

func TestOverridesEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, risky())
		defer h.shut()
		a := h.spawn(moothall.SpawnRequest{})
		h.override(moothall.Overrides{Level: "relax", Lasts: time.Minute})
		if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Allow || d.Rule != "relax" {
			t.Errorf("at first: %+v", d)
		}
		time.Sleep(time.Minute) // the bubble's clock
		if d := h.verdict(a, "run_shell", `{"command":"ls"}`); d.Verdict != moothall.Ask {
			t.Errorf("a minute later: %+v", d)
		}
	})
}

func TestGrantsComeAndGo(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("first", moothall.RiskNone), echo("second", moothall.RiskNone)})
	a := h.spawn(moothall.SpawnRequest{Type: "reader"})
	if d := h.verdict(a, "second", `{}`); d.Verdict != moothall.Deny {
		t.Errorf("without: %+v", d)
	}
	h.override(moothall.Overrides{Grants: []moothall.ToolGrant{{Type: "reader", Tool: "second"}}})
	if d := h.verdict(a, "second", `{}`); d.Verdict != moothall.Allow || d.Rule != "grant" {
		t.Errorf("with: %+v", d)
	}
	if got := h.spawn(moothall.SpawnRequest{Type: "reader"}).Tools; !slices.Equal(got, []moothall.ToolName{"first", "second"}) {
		t.Errorf("the effective set is %v", got)
	}
	h.override(moothall.Overrides{Level: "none"})
	if d := h.verdict(a, "second", `{}`); d.Verdict != moothall.Deny {
		t.Errorf("taken back: %+v", d)
	}
}

func TestOverridesRefused(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	_, err := h.person.Override(t.Context(), moothall.Scope{}, moothall.Overrides{Level: "all"})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = h.person.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{Lasts: -1})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = h.person.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{Level: "all", Query: "q"})
	wantCode(t, err, moothall.CodeInvalid)
}
