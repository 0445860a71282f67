package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/broker"
	"moothall/internal/bus"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// scriptedBroker executes everything at once and decides nothing. What the
// engine does not ask of a broker is nil.
type scriptedBroker struct {
	moothall.Broker
	ran *int
}

func (b scriptedBroker) Execute(_ context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		*b.ran++
		yield(moothall.CallProgress{Result: &moothall.ToolResult{
			Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK, Text: found,
		}}, nil)
	}
}

// newLoop is the engine behind the gateway and the Ollama provider, as the
// hall connects them: streaming, queued and accounted. The broker decides
// nothing: it is what the loop itself costs.
func newLoop(url string) (*contestant, error) {
	ran := new(int)
	return withEngine(url, ran, func(r *engine.Request) (func(context.Context) (func(), error), func(), error) {
		r.Broker, r.Handle = scriptedBroker{ran: ran}, "bench"
		return nil, func() {}, nil
	})
}

// newMoothall is the same with the real broker: an agent for each run, every
// call decided by the policy, journaled in SQLite, on the record before and
// after, and told on the bus. All of it on disk.
func newMoothall(url string) (*contestant, error) {
	ran := new(int)
	return withEngine(url, ran, func(r *engine.Request) (func(context.Context) (func(), error), func(), error) {
		b, stop, err := realBroker(ran)
		if err != nil {
			return nil, nil, err
		}
		face := b.For(moothall.ChatHall)
		r.Broker = face
		begin := func(ctx context.Context) (func(), error) {
			query := moothall.QueryID(moothall.NewID())
			a, err := face.Spawn(ctx, moothall.SpawnRequest{Scope: moothall.Scope{Session: "bench"}, Type: "bench", Query: query, Words: question})
			if err != nil {
				return nil, err
			}
			r.Handle, r.Query, r.Scope = a.Handle, query, moothall.Scope{Session: "bench", Lineage: a.Lineage}
			return func() { _ = face.Finish(ctx, r.Scope, a.Handle) }, nil
		}
		return begin, stop, nil
	})
}

// lookup is the tool, as the hall has tools.
type lookup struct{ ran *int }

func (lookup) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: toolName, Description: toolText, Parameters: json.RawMessage(toolArgs), Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true,
		Taints: moothall.Untrusted, Origin: "built-in",
	}
}

func (l lookup) Run(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
	*l.ran++
	return moothall.ToolResult{Status: moothall.CallOK, Text: found}, nil
}

// realBroker opens record, store and bus in a folder of their own.
func realBroker(ran *int) (*broker.Broker, func(), error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "agentloop")
	if err != nil {
		return nil, nil, err
	}
	record, err := audit.Open(filepath.Join(dir, "audit"), nil)
	if err != nil {
		return nil, nil, err
	}
	db, err := store.Open(ctx, filepath.Join(dir, "hall.db"), &store.Options{Migrations: []store.Set{broker.Migrations()}})
	if err != nil {
		return nil, nil, err
	}
	events, err := bus.Open(ctx, bus.Options{Dir: filepath.Join(dir, "bus")})
	if err != nil {
		return nil, nil, err
	}
	b, err := broker.Open(ctx, broker.Options{
		DB: db, Audit: record.For(moothall.ToolBroker), Tools: []moothall.Tool{lookup{ran}},
		Manifest: policy.Manifest{Types: map[moothall.AgentType]policy.Type{"bench": {Allowed: []moothall.ToolName{toolName}}}},
		Publish: func(ctx context.Context, e moothall.Event) error {
			p, err := events.As(moothall.ToolBroker)
			if err == nil {
				_, err = p.Publish(ctx, e)
			}
			return err
		},
	})
	if err != nil {
		return nil, nil, err
	}
	return b, func() {
		b.Close()
		events.Close()
		db.Close()
		record.Close()
		os.RemoveAll(dir)
	}, nil
}

// withEngine makes a contestant of the engine and whatever broker prepare
// gives it. What prepare returns begins a run and ends everything.
func withEngine(url string, ran *int, prepare func(*engine.Request) (func(context.Context) (func(), error), func(), error)) (*contestant, error) {
	provider, err := ollama.New(ollama.Options{URL: url})
	if err != nil {
		return nil, err
	}
	g, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{provider},
		Roles:     []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: provider.Name(), Model: model}},
	})
	if err != nil {
		return nil, err
	}
	request := &engine.Request{
		Model: g.For(moothall.ChatHall), Role: moothall.ModelChat, Priority: moothall.PriorityPerson, Window: 32000,
		System: system, Input: []moothall.Message{{Role: moothall.RoleUser, Content: question}},
		Tools:     []moothall.ToolSpec{lookup{}.Spec()},
		Abilities: engine.Abilities{Tools: engine.ToolsNative},
		Limits:    engine.Limits{Rounds: requests + 1},
		Meter:     new(history.Meter), Now: time.Now,
	}
	begin, stop, err := prepare(request)
	if err != nil {
		return nil, err
	}
	return &contestant{
		version: "this checkout", ran: ran,
		run: func(ctx context.Context) (string, error) {
			if begin != nil {
				end, err := begin(ctx)
				if err != nil {
					return "", err
				}
				defer end()
			}
			return runEngine(ctx, *request)
		},
		close: func() { stop(); g.Close(); provider.Close() },
	}, nil
}

// runEngine takes the answer from the deltas of the last round, as a person
// at a screen would, and checks how the run ended.
func runEngine(ctx context.Context, request engine.Request) (string, error) {
	said := ""
	for event, err := range engine.Run(ctx, request) {
		switch {
		case err != nil:
			return "", err
		case event.Kind == engine.KindDelta:
			said += event.Text
		case event.Kind == engine.KindFinal && event.Final.Err != nil:
			return "", event.Final.Err
		case event.Kind == engine.KindFinal && event.Final.Stop != moothall.StopDone:
			return "", fmt.Errorf("the run ended with %s", event.Final.Stop)
		}
	}
	return said, nil
}
