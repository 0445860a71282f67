package broker_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/broker"
)

// slowRecord has entries durable when let.
type slowRecord struct {
	moothall.Audit
	durable func(moothall.AuditEntry) error
}

func (r slowRecord) Enqueue(ctx context.Context, entries ...moothall.AuditEntry) (uint64, func() error, error) {
	return 0, func() error {
		if err := r.durable(entries[len(entries)-1]); err != nil {
			return err
		}
		_, err := r.Append(ctx, entries...)
		return err
	}, nil
}

type early interface {
	SpawnEarly(context.Context, moothall.SpawnRequest, bool) (moothall.Agent, error)
}

// TestEarlyAgentActsWhenItIsOnRecord gives an agent out before its entry is
// durable, and lets nothing happen until then.
func TestEarlyAgentActsWhenItIsOnRecord(t *testing.T) {
	t.Parallel()
	for _, refusal := range []error{nil, moothall.Fail(moothall.CodeExhausted, "append", "the disk is full")} {
		write, ran := counting("fs_write", moothall.RiskWrite)
		synctest.Test(t, func(t *testing.T) {
			let := make(chan struct{})
			h := open(t, []moothall.Tool{write}, func(o *broker.Options) {
				o.Audit = slowRecord{o.Audit, func(moothall.AuditEntry) error { <-let; return refusal }}
			})
			a, err := h.chat.(early).SpawnEarly(t.Context(), moothall.SpawnRequest{Scope: moothall.Scope{Session: "s"}, Type: "boss"}, true)
			if err != nil || a.Handle == "" {
				t.Fatalf("%+v, %v", a, err)
			}
			if specs, err := h.chat.Discover(t.Context(), moothall.DiscoverRequest{Agent: a.Handle}); err != nil || len(specs) != 1 {
				t.Errorf("%d tools, %v", len(specs), err)
			}
			called, spawned := make(chan error, 1), make(chan error, 1)
			go func() { _, err := h.try(request(a, "fs_write", `{}`)); called <- err }()
			go func() {
				_, err := h.chat.Spawn(t.Context(), moothall.SpawnRequest{Parent: a.Handle, Type: "worker"})
				spawned <- err
			}()
			synctest.Wait()
			if ran.Load() != 0 || len(called)+len(spawned) != 0 {
				t.Error("the agent acted before it was on record")
			}
			close(let)
			callErr, spawnErr := <-called, <-spawned
			if moothall.ErrorCode(callErr) != moothall.ErrorCode(refusal) || moothall.ErrorCode(spawnErr) != moothall.ErrorCode(refusal) {
				t.Errorf("call %v, child %v, want %v", callErr, spawnErr, refusal)
			}
			if did := ran.Load() == 1; did != (refusal == nil) {
				t.Errorf("ran %d times", ran.Load())
			}
			if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil || h.Stats().Agents != 0 {
				t.Errorf("%v, %d agents are left", err, h.Stats().Agents)
			}
			h.shut()
			want := map[bool]int{true: 2, false: 0}[refusal == nil]
			if n := len(h.events.of(moothall.SubjectAgentSpawned)); n != want {
				t.Errorf("%d agents were told of, want %d", n, want)
			}
		})
	}
}

// TestIdleAgentIsOnRecord ends an agent that did nothing, and lets one do
// nothing for a while: both are on record, with their rows, and are told of in
// order.
func TestIdleAgentIsOnRecord(t *testing.T) {
	t.Parallel()
	write, _ := counting("fs_write", moothall.RiskWrite)
	synctest.Test(t, func(t *testing.T) {
		h := open(t, []moothall.Tool{write})
		spawn := func() moothall.Agent {
			a, err := h.chat.(early).SpawnEarly(t.Context(), moothall.SpawnRequest{Scope: moothall.Scope{Session: "s"}, Type: "boss", Query: "q"}, true)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		ended := spawn()
		if err := h.chat.Finish(t.Context(), moothall.Scope{}, ended.Handle); err != nil {
			t.Fatal(err)
		}
		if r := h.audit.Records(); len(r) != 1 || r[0].Entry.Action != moothall.ActionSpawn || r[0].Entry.Agent != ended.ID {
			t.Errorf("on record when it ended: %+v", r)
		}
		idle := spawn()
		time.Sleep(time.Second) // of a clock that does not wait
		if r := h.audit.Records(); len(r) != 2 || r[1].Entry.Agent != idle.ID {
			t.Errorf("on record after a while: %+v", r)
		}
		h.shut()
		if n := len(h.events.of(moothall.SubjectAgentSpawned)); n != 2 {
			t.Errorf("%d agents were told of, want 2", n)
		}
		var order []moothall.Subject
		for _, e := range h.events.list {
			if e.Correlation == string(ended.ID) {
				order = append(order, e.Subject)
			}
		}
		if want := []moothall.Subject{moothall.SubjectAgentSpawned, moothall.SubjectAgentFinished}; !slices.Equal(order, want) {
			t.Errorf("told %v, want %v", order, want)
		}
	})
}

// TestForgetWaitsForWhatIsOnItsWay forgets a session whose last agent ended
// before it was on record, and looks for what that left behind. Whoever came
// meanwhile knew all that it had brought.
func TestForgetWaitsForWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	write, _ := counting("fs_write", moothall.RiskWrite)
	synctest.Test(t, func(t *testing.T) {
		h := open(t, []moothall.Tool{write})
		scope := moothall.Scope{Session: "s"}
		spawn := func(fresh bool, labels moothall.Label) moothall.Agent {
			a, err := h.chat.(early).SpawnEarly(t.Context(), moothall.SpawnRequest{Scope: scope, Type: "boss", Query: "q", Labels: labels, Words: "see x.example"}, fresh)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil {
				t.Fatal(err)
			}
			return a
		}
		spawn(true, moothall.Private)
		if next := spawn(false, 0); next.Labels != moothall.Private {
			t.Errorf("the next agent has labels %q", next.Labels)
		}
		if err := h.Forget(t.Context(), scope.Session); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // of a clock that does not wait
		for _, table := range []string{"broker_sessions", "broker_texts", "broker_addresses", "broker_agents"} {
			if rows := h.dump(table); rows != "" {
				t.Errorf("%s holds %q", table, rows)
			}
		}
		h.shut()
	})
}
