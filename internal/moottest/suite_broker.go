package moottest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
)

// BrokerFixture is what [TestBroker] needs.
type BrokerFixture struct {
	Broker  moothall.Broker // as a front room has it
	Person  moothall.Broker // as the person has it
	Gateway moothall.Broker // as the gateway has it

	Type  moothall.AgentType // may use Allowed and Asked, not Denied, and spawn Child
	Child moothall.AgentType // may spawn nothing

	Allowed moothall.ToolName // a tool that answers with its arguments, {"say":TEXT}
	Asked   moothall.ToolName // the same, but the person is asked first
	Denied  moothall.ToolName // registered

	Provider string // a model provider
	Ref      moothall.SecretRef
	Key      string // what Ref, which is bound to Provider, stands for
}

// TestBroker checks a broker.
func TestBroker(t *testing.T, open func(t *testing.T) BrokerFixture) {
	suite(t, open, map[string]func(*testing.T, BrokerFixture){
		"spawning":             brokerSpawn,
		"finished handles":     brokerFinish,
		"discovery":            brokerDiscover,
		"allowed calls":        brokerAllowed,
		"denied calls":         brokerDenied,
		"approved calls":       brokerApproved,
		"refused by person":    brokerRefused,
		"unattended runs":      brokerUnattended,
		"giving up an answer":  brokerGiveUp,
		"switched off":         brokerOverride,
		"provider keys":        brokerKeys,
		"concurrent calls":     brokerConcurrent,
		"large arguments":      brokerLarge,
		"buffers are not kept": brokerBuffers,
		"canceled caller":      brokerCanceled,
	})
}

// unclaimed is a scope before there is an agent.
func unclaimed() moothall.Scope { return moothall.Scope{Session: scope().Session} }

// claim is the scope of an agent: a broker may check what is claimed.
func claim(a moothall.Agent) moothall.Scope {
	return moothall.Scope{Session: scope().Session, Lineage: a.Lineage}
}

func (f BrokerFixture) spawn(t *testing.T) moothall.Agent {
	t.Helper()
	a, err := f.Broker.Spawn(t.Context(), moothall.SpawnRequest{Scope: unclaimed(), Type: f.Type, Query: "q-1"})
	wantCode(t, err, "")
	return a
}

func sayCall(a moothall.Agent, tool moothall.ToolName, say string) moothall.CallRequest {
	args, err := json.Marshal(map[string]string{"say": say})
	if err != nil {
		panic(err) // a string always marshals
	}
	return moothall.CallRequest{
		Scope: claim(a), Agent: a.Handle, Query: "q-1", Run: "r-1",
		Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: tool, Arguments: args},
	}
}

// execute makes a call and returns its result.
func (f BrokerFixture) execute(t *testing.T, r moothall.CallRequest) moothall.ToolResult {
	t.Helper()
	steps := must(t, f.Broker.Execute(t.Context(), r))
	if len(steps) == 0 || steps[len(steps)-1].Result == nil {
		t.Fatalf("the call ended without a result: %v", steps)
	}
	return *steps[len(steps)-1].Result
}

func brokerSpawn(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	if a.Handle == "" || a.ID == "" || a.Type != f.Type || len(a.Lineage) == 0 || a.Lineage[len(a.Lineage)-1] != a.ID {
		t.Fatalf("spawned %+v", a)
	}
	if !slices.Contains(a.Tools, f.Allowed) || slices.Contains(a.Tools, f.Denied) {
		t.Errorf("the effective tools are %v", a.Tools)
	}
	c, err := f.Broker.Spawn(t.Context(), moothall.SpawnRequest{Scope: claim(a), Parent: a.Handle, Type: f.Child})
	wantCode(t, err, "")
	if len(c.Lineage) != len(a.Lineage)+1 || !slices.Equal(c.Lineage[:len(a.Lineage)], a.Lineage) || c.Handle == a.Handle {
		t.Errorf("the child is %+v", c)
	}
	_, err = f.Broker.Spawn(t.Context(), moothall.SpawnRequest{Parent: c.Handle, Type: f.Type})
	wantCode(t, err, moothall.CodeDenied)
	_, err = f.Broker.Spawn(t.Context(), moothall.SpawnRequest{Parent: "made up", Type: f.Child})
	wantCode(t, err, moothall.CodeDenied)
	_, err = f.Gateway.Spawn(t.Context(), moothall.SpawnRequest{Type: f.Type})
	wantCode(t, err, moothall.CodeDenied)
}

func brokerFinish(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	wantCode(t, f.Broker.Finish(t.Context(), claim(a), a.Handle), "")
	_, err := f.Broker.Validate(t.Context(), sayCall(a, f.Allowed, "x"))
	wantCode(t, err, moothall.CodeDenied)
	wantQuiet(t, f.Broker.Execute(t.Context(), sayCall(a, f.Allowed, "x")), moothall.CodeDenied)
}

func brokerDiscover(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	specs, err := f.Broker.Discover(t.Context(), moothall.DiscoverRequest{Scope: claim(a), Agent: a.Handle, Task: "say something", Window: 1 << 20})
	wantCode(t, err, "")
	if !slices.ContainsFunc(specs, func(s moothall.ToolSpec) bool { return s.Name == f.Allowed }) {
		t.Errorf("%s is not discovered", f.Allowed)
	}
	for _, s := range specs {
		if !slices.Contains(a.Tools, s.Name) || !json.Valid(s.Parameters) {
			t.Errorf("discovered %+v, which the agent may not use or which has no schema", s)
		}
	}
	all, err := f.Person.Tools(t.Context(), scope())
	wantCode(t, err, "")
	if !slices.ContainsFunc(all, func(s moothall.ToolSpec) bool { return s.Name == f.Denied }) {
		t.Error("the list for people lacks a registered tool")
	}
}

func brokerAllowed(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	r := sayCall(a, f.Allowed, "hello there")
	d, err := f.Broker.Validate(t.Context(), r)
	wantCode(t, err, "")
	if d.Verdict != moothall.Allow || d.Rule == "" {
		t.Errorf("the decision is %+v", d)
	}
	res := f.execute(t, r)
	if res.Status != moothall.CallOK || res.Call != r.Call.ID || res.Name != f.Allowed || !strings.Contains(res.Text, "hello there") {
		t.Errorf("the result is %+v", res)
	}
}

func brokerDenied(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	for _, tool := range []moothall.ToolName{f.Denied, "no_such_tool"} {
		d, err := f.Broker.Validate(t.Context(), sayCall(a, tool, "x"))
		wantCode(t, err, "")
		if d.Verdict != moothall.Deny || d.Reason == "" {
			t.Errorf("%s: the decision is %+v", tool, d)
		}
		res := f.execute(t, sayCall(a, tool, "x"))
		if res.Status != moothall.CallDenied || res.Text == "" {
			t.Errorf("%s: the result is %+v", tool, res)
		}
	}
}

// answer executes a call that the person is asked about and answers it once
// the question is there.
func (f BrokerFixture) answer(t *testing.T, d moothall.ApprovalDecision) moothall.ToolResult {
	t.Helper()
	a := f.spawn(t)
	var res moothall.ToolResult
	asked := false
	for p, err := range f.Broker.Execute(t.Context(), sayCall(a, f.Asked, "as asked")) {
		wantCode(t, err, "")
		if p.Result != nil {
			res = *p.Result
			continue
		}
		if asked {
			continue
		}
		open, err := f.Person.Approvals(t.Context(), scope(), false)
		wantCode(t, err, "")
		if len(open) == 0 {
			continue // a note of something else
		}
		asked = true
		if open[0].Tool != f.Asked || open[0].Agent != a.ID || !bytes.Contains(open[0].Arguments, []byte("as asked")) {
			t.Errorf("the question is %+v", open[0])
		}
		d.ID = open[0].ID
		got, err := f.Person.Decide(t.Context(), d)
		wantCode(t, err, "")
		if got.Answer != d.Answer || got.Answered.IsZero() {
			t.Errorf("the question as answered is %+v", got)
		}
		_, err = f.Person.Decide(t.Context(), d)
		wantCode(t, err, moothall.CodeConflict)
	}
	if !asked {
		t.Fatal("nobody was asked")
	}
	return res
}

func brokerApproved(t *testing.T, f BrokerFixture) {
	res := f.answer(t, moothall.ApprovalDecision{Answer: moothall.ApproveOnce, Arguments: json.RawMessage(`{"say":"as corrected"}`)})
	if res.Status != moothall.CallOK || !strings.Contains(res.Text, "as corrected") {
		t.Errorf("the result is %+v", res)
	}
	open, err := f.Person.Approvals(t.Context(), moothall.Scope{}, false)
	wantCode(t, err, "")
	all, err := f.Person.Approvals(t.Context(), moothall.Scope{}, true)
	wantCode(t, err, "")
	if len(open) != 0 || len(all) == 0 {
		t.Errorf("%d open and %d recent questions after the answer", len(open), len(all))
	}
	_, err = f.Person.Decide(t.Context(), moothall.ApprovalDecision{ID: "no-such-question", Answer: moothall.ApproveOnce})
	wantCode(t, err, moothall.CodeNotFound)
}

func brokerRefused(t *testing.T, f BrokerFixture) {
	if res := f.answer(t, moothall.ApprovalDecision{Answer: moothall.ApproveDenied}); res.Status != moothall.CallDenied {
		t.Errorf("the result is %+v", res)
	}
}

func brokerUnattended(t *testing.T, f BrokerFixture) {
	a, err := f.Broker.Spawn(t.Context(), moothall.SpawnRequest{Scope: unclaimed(), Type: f.Type, Unattended: true})
	wantCode(t, err, "")
	if res := f.execute(t, sayCall(a, f.Asked, "x")); res.Status != moothall.CallDenied {
		t.Errorf("the result is %+v", res)
	}
}

func brokerGiveUp(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failed error
	for p, err := range f.Broker.Execute(ctx, sayCall(a, f.Asked, "x")) {
		if p.Result != nil {
			t.Fatalf("a result without an answer: %+v", p.Result)
		}
		failed = err
		cancel()
	}
	wantCode(t, failed, moothall.CodeCanceled)
	if res := f.execute(t, sayCall(a, f.Allowed, "y")); res.Status != moothall.CallOK {
		t.Errorf("after giving up, another call gives %+v", res)
	}
}

func brokerOverride(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	o, err := f.Person.Override(t.Context(), scope(), moothall.Overrides{})
	wantCode(t, err, "")
	if o.Level != "none" || len(o.Disabled) > 0 {
		t.Errorf("before anything is switched, in force is %+v", o)
	}
	o, err = f.Person.Override(t.Context(), scope(), moothall.Overrides{Level: "none", Disabled: []moothall.ToolName{f.Allowed}})
	wantCode(t, err, "")
	if !slices.Contains(o.Disabled, f.Allowed) {
		t.Errorf("in force is %+v", o)
	}
	if o, err = f.Person.Override(t.Context(), scope(), moothall.Overrides{}); err != nil || !slices.Contains(o.Disabled, f.Allowed) {
		t.Errorf("who asks is told %+v, %v", o, err)
	}
	if res := f.execute(t, sayCall(a, f.Allowed, "x")); res.Status != moothall.CallDenied {
		t.Errorf("a tool that is switched off gives %+v", res)
	}
	_, err = f.Person.Override(t.Context(), scope(), moothall.Overrides{Level: "no such level"})
	wantCode(t, err, moothall.CodeInvalid)
}

func brokerKeys(t *testing.T, f BrokerFixture) {
	r := moothall.KeyRequest{Scope: scope(), Provider: f.Provider, Ref: f.Ref}
	s, err := f.Gateway.ProviderKey(t.Context(), r)
	wantCode(t, err, "")
	if string(s.Reveal()) != f.Key {
		t.Error("the key is not the one bound")
	}
	for name, b := range map[string]moothall.Broker{"person": f.Person, "front room": f.Broker} {
		if s, err := b.ProviderKey(t.Context(), r); moothall.ErrorCode(err) != moothall.CodeDenied || len(s.Reveal()) > 0 {
			t.Errorf("%s: got %v, want code denied and no key", name, err)
		}
	}
	r.Ref += "-other"
	_, err = f.Gateway.ProviderKey(t.Context(), r)
	wantCode(t, err, moothall.CodeDenied)
}

func brokerConcurrent(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			say := strings.Repeat(string(rune('a'+i)), 20)
			steps, err := collect(f.Broker.Execute(t.Context(), sayCall(a, f.Allowed, say)))
			if err != nil || len(steps) == 0 || steps[len(steps)-1].Result == nil || !strings.Contains(steps[len(steps)-1].Result.Text, say) {
				t.Errorf("call %d: %v, error %v", i, steps, err)
			}
		})
	}
	wg.Wait()
}

// brokerLarge allows the text for the model to be cut, with a word about it.
func brokerLarge(t *testing.T, f BrokerFixture) {
	say := strings.Repeat("long ", 50_000)
	res := f.execute(t, sayCall(f.spawn(t), f.Allowed, say))
	if res.Status != moothall.CallOK && res.Status != moothall.CallFailed {
		t.Errorf("the status is %s", res.Status)
	}
	if res.Status == moothall.CallOK && res.Cut == "" && !strings.Contains(res.Text, say) {
		t.Error("the text was cut without a word")
	}
}

func brokerBuffers(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	own := slices.Clone(a.Lineage)
	a.Lineage[0], a.Tools[0] = "changed", "changed"
	a.Lineage = own
	r := sayCall(a, f.Allowed, "first")
	first := f.execute(t, r)
	copy(r.Call.Arguments, bytes.Repeat([]byte(" "), len(r.Call.Arguments)))
	if !strings.Contains(first.Text, "first") {
		t.Errorf("the result changed with the arguments: %q", first.Text)
	}
	if res := f.execute(t, sayCall(a, f.Allowed, "second")); res.Status != moothall.CallOK {
		t.Errorf("changing an agent's copy changed the broker's: %+v", res)
	}
}

func brokerCanceled(t *testing.T, f BrokerFixture) {
	a := f.spawn(t)
	_, err := f.Broker.Spawn(canceled(t), moothall.SpawnRequest{Type: f.Type})
	wantCode(t, err, moothall.CodeCanceled)
	wantQuiet(t, f.Broker.Execute(canceled(t), sayCall(a, f.Allowed, "x")), moothall.CodeCanceled)
}
