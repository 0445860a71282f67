package broker_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/policy"
)

func limits(l policy.Limits) change {
	return func(o *broker.Options) { o.Manifest.Limits = l }
}

func TestTheSameCallAgainAndAgain(t *testing.T) {
	t.Parallel()
	tools := []moothall.Tool{echo("say", moothall.RiskNone)}
	h := open(t, tools)
	root := h.spawn(moothall.SpawnRequest{Query: "q"})
	for i, args := range []string{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ` {"a": 1, "b": 2} `} {
		if res := h.call(request(root, "say", args)); res.Status != moothall.CallOK {
			t.Fatalf("call %d: %+v", i, res)
		}
	}
	h.shut()
	h = reopen(t, h, tools)
	root = h.spawn(moothall.SpawnRequest{Query: "q"})
	child := h.spawn(moothall.SpawnRequest{Parent: root.Handle, Task: "another", Query: "another"})
	for name, a := range map[string]moothall.Agent{"the root": root, "a child": child} {
		if d := h.verdict(a, "say", `{"a":1,"b":2}`); d.Rule != "same_call" {
			t.Errorf("%s, after a restart: %+v", name, d)
		}
	}
	if d := h.verdict(root, "say", `{"a":1}`); d.Verdict != moothall.Allow {
		t.Errorf("another call: %+v", d)
	}
	if d := h.verdict(h.spawn(moothall.SpawnRequest{Query: "q2"}), "say", `{"a":1,"b":2}`); d.Verdict != moothall.Allow {
		t.Errorf("another task: %+v", d)
	}
	for i := range 20 { // push it out of the window
		h.call(request(root, "say", fmt.Sprintf(`{"i":%d}`, i)))
	}
	if d := h.verdict(root, "say", `{"a":1,"b":2}`); d.Verdict != moothall.Allow {
		t.Errorf("after the window: %+v", d)
	}
}

func TestCallsOfATaskAreCountedAtOnce(t *testing.T) {
	t.Parallel()
	tools := []moothall.Tool{echo("say", moothall.RiskNone)}
	h := open(t, tools, limits(policy.Limits{Calls: 10}))
	a := h.spawn(moothall.SpawnRequest{Task: "t"})
	var ok, denied atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			res, err := h.try(request(a, "say", fmt.Sprintf(`{"i":%d}`, i)))
			switch {
			case err != nil:
				t.Error(err)
			case res.Status == moothall.CallOK:
				ok.Add(1)
			case res.Decision.Rule == "calls":
				denied.Add(1)
			}
		})
	}
	wg.Wait()
	if ok.Load() != 10 || denied.Load() != 30 {
		t.Errorf("%d ran and %d were denied", ok.Load(), denied.Load())
	}
	h.shut()
	h = reopen(t, h, tools, limits(policy.Limits{Calls: 10}))
	if d := h.verdict(h.spawn(moothall.SpawnRequest{Task: "t"}), "say", `{}`); d.Rule != "calls" {
		t.Errorf("after a restart: %+v", d)
	}
}

func TestASpawnBombStops(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("say", moothall.RiskNone)}, limits(policy.Limits{Spawns: 50}))
	root := h.spawn(moothall.SpawnRequest{Task: "t"})
	var mu sync.Mutex
	spawned := []moothall.Agent{root}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 50 {
				mu.Lock()
				parent := spawned[i%len(spawned)]
				mu.Unlock()
				a, err := h.chat.Spawn(context.Background(), moothall.SpawnRequest{Parent: parent.Handle, Type: "boss"})
				if err != nil {
					if moothall.ErrorCode(err) != moothall.CodeDenied {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				spawned = append(spawned, a)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(spawned) != 51 {
		t.Errorf("%d agents were spawned below the root", len(spawned)-1)
	}
	for _, a := range spawned {
		if len(a.Lineage) > 5 {
			t.Errorf("an agent is %d deep", len(a.Lineage))
		}
	}
	h.shut()
	h = reopen(t, h, []moothall.Tool{echo("say", moothall.RiskNone)}, limits(policy.Limits{Spawns: 50}))
	_, err := h.chat.Spawn(t.Context(), moothall.SpawnRequest{Parent: h.spawn(moothall.SpawnRequest{Task: "t"}).Handle, Type: "boss"})
	wantCode(t, err, moothall.CodeDenied)
}

func TestFinishingEndsAllBelow(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("say", moothall.RiskNone)})
	root := h.spawn(moothall.SpawnRequest{})
	child := h.spawn(moothall.SpawnRequest{Parent: root.Handle})
	grandchild := h.spawn(moothall.SpawnRequest{Parent: child.Handle, Type: "worker"})
	if err := h.chat.Finish(t.Context(), moothall.Scope{}, child.Handle); err != nil {
		t.Fatal(err)
	}
	for _, a := range []moothall.Agent{child, grandchild} {
		_, err := h.try(request(a, "say", `{}`))
		wantCode(t, err, moothall.CodeDenied)
	}
	if res := h.call(request(root, "say", `{}`)); res.Status != moothall.CallOK {
		t.Errorf("the parent: %+v", res)
	}
	if n := h.Stats().Agents; n != 1 {
		t.Errorf("%d agents live", n)
	}
	h.shut()
	if got := h.events.of(moothall.SubjectAgentFinished); len(got) != 2 || got[0].Correlation != string(grandchild.ID) {
		t.Errorf("the events are %+v", got)
	}
}
