package moottest

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"moothall"
)

// AgentRules says what a type of agent may do at a [FakeBroker].
type AgentRules struct {
	Tools  []moothall.ToolName
	Spawns []moothall.AgentType
}

// maxDepth is how deep a fake broker lets agents nest.
const maxDepth = 8

// FakeBroker enforces a table of agent types. A tool that writes or worse is
// asked about, unless the session's overrides say all.
type FakeBroker struct {
	mu        sync.Mutex
	tools     map[moothall.ToolName]moothall.Tool
	rules     map[moothall.AgentType]AgentRules
	agents    map[moothall.Handle]*fakeAgent
	approvals []*fakeApproval
	overrides map[moothall.SessionID]moothall.Overrides
	keys      map[string]fakeKey
}

type fakeAgent struct {
	moothall.Agent
	unattended bool
}

type fakeApproval struct {
	moothall.Approval
	decided chan struct{} // closed once answered
}

type fakeKey struct {
	ref   moothall.SecretRef
	value []byte
}

// NewBroker returns a broker with the given tools and no agent types.
func NewBroker(tools ...moothall.Tool) *FakeBroker {
	b := &FakeBroker{
		tools: map[moothall.ToolName]moothall.Tool{}, rules: map[moothall.AgentType]AgentRules{},
		agents: map[moothall.Handle]*fakeAgent{}, overrides: map[moothall.SessionID]moothall.Overrides{}, keys: map[string]fakeKey{},
	}
	for _, t := range tools {
		b.tools[t.Spec().Name] = t
	}
	return b
}

// Allow sets the rules of an agent type.
func (b *FakeBroker) Allow(t moothall.AgentType, r AgentRules) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules[t] = r
}

// Bind gives a provider a key.
func (b *FakeBroker) Bind(provider string, ref moothall.SecretRef, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keys[provider] = fakeKey{ref, []byte(value)}
}

// For returns the broker as one caller sees it.
func (b *FakeBroker) For(id moothall.Identity) moothall.Broker { return brokerFace{b, id} }

type brokerFace struct {
	*FakeBroker
	caller moothall.Identity
}

var _ moothall.Broker = brokerFace{}

// mayRoot are the rooms that start agents for a person.
func mayRoot(id moothall.Identity) bool {
	return slices.Contains([]moothall.Identity{
		moothall.ChatHall, moothall.CommitteeTable, moothall.Orchestrator, moothall.Critic, moothall.FrontDoor, moothall.Hall, moothall.Person,
	}, id)
}

func (f brokerFace) Spawn(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Agent{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	rules, known := f.rules[r.Type]
	a := &fakeAgent{unattended: r.Unattended}
	switch {
	case !known:
		return a.Agent, moothall.Fail(moothall.CodeNotFound, "spawn", "there is no agent type "+string(r.Type))
	case r.Parent == "" && !mayRoot(f.caller):
		return a.Agent, moothall.Fail(moothall.CodeDenied, "spawn", "only the front rooms start agents")
	case r.Parent != "":
		parent, err := f.agent(r.Parent)
		if err != nil {
			return a.Agent, err
		}
		if !slices.Contains(f.rules[parent.Type].Spawns, r.Type) || len(parent.Lineage) >= maxDepth {
			return a.Agent, moothall.Fail(moothall.CodeDenied, "spawn", "the parent may not spawn "+string(r.Type))
		}
		a.Lineage, a.Labels = slices.Clone(parent.Lineage), parent.Labels
		a.unattended = a.unattended || parent.unattended
	}
	a.ID, a.Type, a.Handle = moothall.AgentID(moothall.NewID()), r.Type, moothall.Handle(moothall.NewID())
	a.Lineage, a.Tools = append(a.Lineage, a.ID), slices.Clone(rules.Tools)
	f.agents[a.Handle] = a
	out := a.Agent
	out.Lineage, out.Tools = slices.Clone(a.Lineage), slices.Clone(a.Tools)
	return out, nil
}

// agent resolves a handle; the lock is held.
func (b *FakeBroker) agent(h moothall.Handle) (*fakeAgent, error) {
	a, ok := b.agents[h]
	if !ok {
		return nil, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	return a, nil
}

func (f brokerFace) Finish(ctx context.Context, _ moothall.Scope, h moothall.Handle) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.agent(h); err != nil {
		return err
	}
	delete(f.agents, h)
	return nil
}

func (f brokerFace) Discover(ctx context.Context, r moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a, err := f.agent(r.Agent)
	if err != nil {
		return nil, err
	}
	limit := r.Limit
	if limit <= 0 {
		limit = 4
	}
	var out []moothall.ToolSpec
	for _, name := range a.Tools {
		if t, ok := f.tools[name]; ok && len(out) < limit {
			out = append(out, t.Spec())
		}
	}
	return out, nil
}

func (f brokerFace) Tools(ctx context.Context, _ moothall.Scope) ([]moothall.ToolSpec, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []moothall.ToolSpec
	for _, t := range f.tools {
		out = append(out, t.Spec())
	}
	slices.SortFunc(out, func(a, b moothall.ToolSpec) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return out, ctx.Err()
}

func (f brokerFace) Override(ctx context.Context, s moothall.Scope, o moothall.Overrides) (moothall.Overrides, error) {
	if err := ctx.Err(); err != nil {
		return o, err
	}
	if !slices.Contains([]string{"", "none", "relax", "all"}, o.Level) {
		return o, moothall.Fail(moothall.CodeInvalid, "override", "the level is none, relax or all")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if o.Level != "" || o.Once || o.Lasts != 0 || len(o.Disabled)+len(o.Grants) > 0 {
		f.overrides[s.Session] = o
	}
	o = f.overrides[s.Session]
	o.Level = cmp.Or(o.Level, "none")
	o.Disabled, o.Grants = slices.Clone(o.Disabled), slices.Clone(o.Grants)
	return o, nil
}

func (f brokerFace) ProviderKey(ctx context.Context, r moothall.KeyRequest) (moothall.Secret, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Secret{}, err
	}
	if f.caller != moothall.ModelGateway {
		return moothall.Secret{}, moothall.Fail(moothall.CodeDenied, "provider key", "only the gateway may ask")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	k, ok := f.keys[r.Provider]
	if !ok {
		return moothall.Secret{}, moothall.Fail(moothall.CodeNotFound, "provider key", "no key is bound to "+r.Provider)
	}
	if k.ref != r.Ref {
		return moothall.Secret{}, moothall.Fail(moothall.CodeDenied, "provider key", "another secret is bound to "+r.Provider)
	}
	return moothall.NewSecret(bytes.Clone(k.value)), nil
}
