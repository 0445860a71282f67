package broker_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/broker"
)

// counting is a tool that counts its runs.
func counting(name moothall.ToolName, risk moothall.Risk) (moothall.Tool, *atomic.Int64) {
	var n atomic.Int64
	return tool(moothall.ToolSpec{Name: name, Risk: risk}, func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
		n.Add(1)
		return moothall.ToolResult{Status: moothall.CallOK, Text: "done"}, nil
	}), &n
}

func TestNoEffectWithoutItsRecord(t *testing.T) {
	t.Parallel()
	write, ran := counting("fs_write", moothall.RiskWrite)
	h := open(t, []moothall.Tool{write})
	a := h.spawn(moothall.SpawnRequest{})
	h.audit.Refuse(moothall.Fail(moothall.CodeExhausted, "append", "the disk is full"))
	r := request(a, "fs_write", `{}`)
	_, err := h.try(r)
	wantCode(t, err, moothall.CodeExhausted)
	_, err = h.try(request(a, "no_such_tool", `{}`))
	wantCode(t, err, moothall.CodeExhausted)
	_, err = h.chat.Spawn(t.Context(), moothall.SpawnRequest{Type: "boss"})
	wantCode(t, err, moothall.CodeExhausted)
	_, err = h.person.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{Level: "all"})
	wantCode(t, err, moothall.CodeExhausted)
	if ran.Load() != 0 {
		t.Fatal("the tool ran")
	}
	h.audit.Refuse(nil)
	if res := h.call(request(a, "fs_write", `{}`)); res.Status != moothall.CallOK || ran.Load() != 1 {
		t.Errorf("with the record back: %+v", res)
	}
	// The refused override is not in force.
	if o, err := h.person.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{}); err != nil || o.Level != "none" {
		t.Errorf("in force: %+v, %v", o, err)
	}
}

func TestNoEffectWithoutItsJournal(t *testing.T) {
	t.Parallel()
	write, ran := counting("fs_write", moothall.RiskWrite)
	h := open(t, []moothall.Tool{write})
	a := h.spawn(moothall.SpawnRequest{})
	if err := h.db.Close(); err != nil { // as a disk that is gone
		t.Fatal(err)
	}
	_, err := h.try(request(a, "fs_write", `{}`))
	wantCode(t, err, moothall.CodeUnavailable)
	if ran.Load() != 0 {
		t.Error("the tool ran")
	}
}

func TestOneEntryBeforeAndOneAfter(t *testing.T) {
	t.Parallel()
	var h *hall
	var id moothall.CallID
	var during []string
	see := tool(moothall.ToolSpec{Name: "see", Risk: moothall.RiskWrite}, func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
		during = h.statuses(id)
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "no luck"}, nil
	})
	h = open(t, []moothall.Tool{see})
	a := h.spawn(moothall.SpawnRequest{Query: "q"})
	r := request(a, "see", `{ "b":1, "a":2 }`)
	id = r.Call.ID
	h.call(r)
	if want := []string{"tool.call intent manifest/allowed"}; !slices.Equal(during, want) {
		t.Errorf("while it runs the record says %q", during)
	}
	if got, want := h.statuses(id), []string{"tool.call intent manifest/allowed", "tool.call failed manifest/allowed"}; !slices.Equal(got, want) {
		t.Errorf("the record says %q, want %q", got, want)
	}
	same := request(a, "see", `{"a":2,"b":1}`)
	h.call(same)
	var hashes []string
	for _, rec := range h.audit.Records() {
		if rec.Entry.Status == moothall.StatusIntent {
			hashes = append(hashes, string(rec.Hash))
			if rec.Entry.Agent != a.ID || rec.Entry.AgentType != "boss" || rec.Entry.Session != "s" || rec.Entry.Query != "q" ||
				!slices.Equal(rec.Entry.Lineage, a.Lineage) || rec.Caller != moothall.ToolBroker {
				t.Errorf("the entry is %+v", rec.Entry)
			}
		}
	}
	if len(hashes) != 2 || hashes[0] != hashes[1] {
		t.Error("the same arguments in another order have another hash")
	}
}

func TestAForgedLineageIsDeniedAndOnRecord(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("say", moothall.RiskNone)})
	a := h.spawn(moothall.SpawnRequest{})
	for name, s := range map[string]moothall.Scope{
		"lineage": {Lineage: moothall.Lineage{"root", a.ID}}, "session": {Session: "another"}, "longer": {Lineage: append(slices.Clone(a.Lineage), "x")},
	} {
		r := request(a, "say", `{"as":"`+name+`"}`)
		r.Scope = s
		d, err := h.chat.Validate(t.Context(), r)
		if err != nil || d.Verdict != moothall.Deny || d.Layer != "identity" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
		if res := h.call(r); res.Status != moothall.CallDenied || res.Decision.Layer != "identity" {
			t.Errorf("%s: %+v", name, res)
		}
		if got := h.statuses(r.Call.ID); len(got) != 1 || !strings.HasPrefix(got[0], "tool.call denied identity/") {
			t.Errorf("%s: the record says %q", name, got)
		}
		_, err = h.chat.Spawn(t.Context(), moothall.SpawnRequest{Scope: s, Parent: a.Handle, Type: "worker"})
		wantCode(t, err, moothall.CodeDenied)
		_, err = h.chat.Discover(t.Context(), moothall.DiscoverRequest{Scope: s, Agent: a.Handle})
		wantCode(t, err, moothall.CodeDenied)
		wantCode(t, h.chat.Finish(t.Context(), s, a.Handle), moothall.CodeDenied)
	}
	r := request(a, "say", `{}`)
	r.Scope = moothall.Scope{Session: "s", Lineage: a.Lineage}
	if res := h.call(r); res.Status != moothall.CallOK {
		t.Errorf("its own lineage: %+v", res)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	_, err := broker.Open(t.Context(), broker.Options{})
	wantCode(t, err, moothall.CodeInvalid)
}

func TestAfterClose(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("say", moothall.RiskNone)})
	a := h.spawn(moothall.SpawnRequest{})
	h.shut()
	_, err := h.try(request(a, "say", `{}`))
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = h.chat.Spawn(t.Context(), moothall.SpawnRequest{Type: "boss"})
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestWhatWasMadeIsSaidOfAToolThatIsGone: after a restart the server of a tool
// may not be back when somebody asks what became of a call.
func TestWhatWasMadeIsSaidOfAToolThatIsGone(t *testing.T) {
	t.Parallel()
	write, ran := counting("fs_write", moothall.RiskWrite)
	h := open(t, []moothall.Tool{write})
	a := h.spawn(moothall.SpawnRequest{})
	r := request(a, "fs_write", `{}`)
	h.call(r)
	h.Exchange([]moothall.ToolName{"fs_write"}, nil)
	d, err := h.chat.Validate(t.Context(), r)
	if err != nil || d.Layer != broker.LayerJournal || d.Rule != "repeated" {
		t.Errorf("the dry run says %+v, %v", d, err)
	}
	if res := h.call(r); res.Status != moothall.CallDenied || res.Decision != d || ran.Load() != 1 {
		t.Errorf("%+v, made %d times", res, ran.Load())
	}
	r.Lineage = moothall.Lineage{"somebody", "else"}
	if d, err = h.chat.Validate(t.Context(), r); err != nil || d.Layer != "identity" {
		t.Errorf("somebody else is told %+v, %v", d, err)
	}
}
