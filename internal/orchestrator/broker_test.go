package orchestrator_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"sync"

	"moothall"
)

// ledger is a broker that keeps a journal of calls as the real one does: a
// call is entered before its effect, its outcome after, and one that is there
// is not made again.
type ledger struct {
	moothall.Broker // what is not below is not asked for

	mu      sync.Mutex
	agents  map[moothall.Handle]moothall.Agent
	calls   map[moothall.CallID]moothall.CallStatus // "" is an intent
	effects map[string]int                          // by the arguments' key
	tools   []moothall.ToolSpec
	run     map[moothall.ToolName]func(ctx context.Context, c moothall.ToolCall) moothall.ToolResult
	deny    func(moothall.SpawnRequest) error
	spawned []moothall.SpawnRequest
	begun   func(moothall.ToolCall)
	ended   func(moothall.ToolCall)
	// tick is told of every step; an error is a crash.
	tick func(step string) error
}

func newLedger() *ledger {
	l := &ledger{
		agents: map[moothall.Handle]moothall.Agent{}, calls: map[moothall.CallID]moothall.CallStatus{}, effects: map[string]int{},
		run:  map[moothall.ToolName]func(context.Context, moothall.ToolCall) moothall.ToolResult{},
		tick: func(string) error { return nil }, begun: func(moothall.ToolCall) {}, ended: func(moothall.ToolCall) {},
	}
	l.tool(moothall.ToolSpec{Name: "write", Risk: moothall.RiskWrite}, nil)
	return l
}

// tool registers one. Without a function it counts its effects by key.
func (l *ledger) tool(spec moothall.ToolSpec, run func(context.Context, moothall.ToolCall) moothall.ToolResult) {
	if spec.Parameters == nil {
		spec.Parameters = json.RawMessage(`{"type":"object","properties":{"key":{"type":"string"},"query":{"type":"string"}}}`)
	}
	l.tools = append(l.tools, spec)
	l.run[spec.Name] = run
}

func (l *ledger) Spawn(_ context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	if err := l.tick("spawn"); err != nil {
		return moothall.Agent{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spawned = append(l.spawned, r)
	if l.deny != nil {
		if err := l.deny(r); err != nil {
			return moothall.Agent{}, err
		}
	}
	a := moothall.Agent{ID: moothall.AgentID(moothall.NewID()), Type: r.Type, Handle: moothall.Handle(moothall.NewID()), Labels: r.Labels}
	if r.Parent != "" {
		p, ok := l.agents[r.Parent]
		if !ok {
			return moothall.Agent{}, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
		}
		a.Lineage = slices.Clone(p.Lineage)
		if !slices.Equal(r.Lineage, p.Lineage) {
			return moothall.Agent{}, moothall.Fail(moothall.CodeDenied, "spawn", "another lineage is claimed")
		}
	}
	a.Lineage = append(a.Lineage, a.ID)
	l.agents[a.Handle] = a
	return a, nil
}

func (l *ledger) Finish(_ context.Context, _ moothall.Scope, h moothall.Handle) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.agents, h)
	return nil
}

func (l *ledger) Discover(_ context.Context, r moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.agents[r.Agent]; !ok {
		return nil, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	return slices.Clone(l.tools), nil
}

func (l *ledger) Validate(_ context.Context, r moothall.CallRequest) (moothall.Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.decide(r), nil
}

func (l *ledger) decide(r moothall.CallRequest) moothall.Decision {
	status, there := l.calls[r.Call.ID]
	switch {
	case !there:
		return moothall.Decision{Verdict: moothall.Allow}
	case status == moothall.CallUnknown:
		return moothall.Decision{Verdict: moothall.Deny, Layer: "journal", Rule: "unknown_after_crash"}
	}
	return moothall.Decision{Verdict: moothall.Deny, Layer: "journal", Rule: "repeated"}
}

func (l *ledger) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		res, err := l.execute(ctx, r)
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		res.Call, res.Name = r.Call.ID, r.Call.Name
		yield(moothall.CallProgress{Result: &res}, nil)
	}
}

func (l *ledger) execute(ctx context.Context, r moothall.CallRequest) (moothall.ToolResult, error) {
	if err := l.tick("intent"); err != nil {
		return moothall.ToolResult{}, err
	}
	l.mu.Lock()
	if d := l.decide(r); d.Verdict != moothall.Allow {
		l.mu.Unlock()
		return moothall.ToolResult{Status: moothall.CallDenied, Decision: d, Text: d.Rule}, nil
	}
	if _, ok := l.agents[r.Agent]; !ok {
		l.mu.Unlock()
		return moothall.ToolResult{}, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	l.calls[r.Call.ID] = ""
	l.begun(r.Call)
	run := l.run[r.Call.Name]
	l.mu.Unlock()
	if err := l.tick("effect"); err != nil {
		return moothall.ToolResult{}, err
	}
	res := moothall.ToolResult{Status: moothall.CallOK, Text: "written"}
	if run != nil {
		res = run(ctx, r.Call)
	} else {
		l.count(r.Call)
	}
	if err := l.tick("outcome"); err != nil {
		return moothall.ToolResult{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[r.Call.ID] = res.Status
	l.ended(r.Call)
	return res, nil
}

func (l *ledger) count(c moothall.ToolCall) {
	var a struct{ Key string }
	_ = json.Unmarshal(c.Arguments, &a)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.effects[a.Key]++
}

// recover is what the broker does after a crash: handles are void, and calls
// that were cut off are of unknown outcome.
func (l *ledger) recover() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.agents)
	for id, s := range l.calls {
		if s == "" {
			l.calls[id] = moothall.CallUnknown
		}
	}
}

func (l *ledger) effect(key string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.effects[key]
}
