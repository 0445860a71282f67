package chat_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
)

// TestOverride switches what is wanted for a question before it is answered,
// for that one, and back when it has been; not back while a task of it goes on.
func TestOverride(t *testing.T) {
	t.Parallel()
	var did []string
	ends := chat.Outcome{}
	mode := func(context.Context, chat.Asked, func(moothall.Step)) chat.Outcome {
		did = append(did, "answered")
		return ends
	}
	h := fresh(t, func(o *chat.Options) {
		o.Modes = map[moothall.QueryMode]chat.Mode{moothall.ModeTask: mode}
		o.Override = func(_ context.Context, s moothall.Scope, v moothall.Overrides) (moothall.Overrides, error) {
			if s.Session == "" || v.Query == "" || !v.Once {
				t.Errorf("%+v for %+v", v, s)
			}
			did = append(did, fmt.Sprintf("%q", v.Level))
			if v.Level == "bad" {
				return v, moothall.Fail(moothall.CodeInvalid, "override", "no such level")
			}
			return v, nil
		}
	})
	for _, c := range []struct {
		level   string
		ongoing bool
		want    []string
	}{
		{"relax", false, []string{`"relax"`, "answered", `""`}},
		{"relax", true, []string{`"relax"`, "answered"}},
		{"", false, []string{`"none"`, "answered", `""`}},
	} {
		did, ends = nil, chat.Outcome{Task: "t", Ongoing: c.ongoing}
		ends.Answer, ends.Stop = "Yes.", moothall.StopDone
		h.ask(t, moothall.QueryRequest{Query: "Well?", Mode: moothall.ModeTask, Override: &moothall.Overrides{Level: c.level}})
		if !slices.Equal(did, c.want) {
			t.Errorf("%+v: %v", c, did)
		}
	}
	did = nil
	for _, err := range h.Query(t.Context(), moothall.QueryRequest{Session: "bad", Query: "Well?", Mode: moothall.ModeTask, Override: &moothall.Overrides{Level: "bad"}}) {
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("what cannot be switched: %v", err)
		}
	}
	if _, err := h.Session(t.Context(), "bad"); moothall.ErrorCode(err) != moothall.CodeNotFound || !slices.Equal(did, []string{`"bad"`}) {
		t.Errorf("there is a turn of it: %v, %v", did, err)
	}
}

// TestOverrideNobodyMakes is refused, not answered without.
func TestOverrideNobodyMakes(t *testing.T) {
	t.Parallel()
	h := fresh(t)
	h.model.Script(moottest.Reply{Text: "Yes."})
	for _, err := range h.Query(t.Context(), moothall.QueryRequest{Query: "Well?", Override: &moothall.Overrides{Level: "relax"}}) {
		if moothall.ErrorCode(err) != moothall.CodeNotConfigured {
			t.Errorf("%v", err)
		}
	}
}
