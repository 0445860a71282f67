package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
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

// newMoothall is the engine behind the gateway and the Ollama provider, as
// the hall connects them: streaming, queued and accounted.
func newMoothall(url string) (*contestant, error) {
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
	ran := new(int)
	request := engine.Request{
		Model: g.For(moothall.ChatHall), Broker: scriptedBroker{ran: ran}, Handle: "bench",
		Role: moothall.ModelChat, Priority: moothall.PriorityPerson, Window: 32000,
		System: system, Input: []moothall.Message{{Role: moothall.RoleUser, Content: question}},
		Tools: []moothall.ToolSpec{{
			Name: toolName, Description: toolText, Parameters: json.RawMessage(toolArgs), Risk: moothall.RiskRead, ReadOnly: true,
		}},
		Abilities: engine.Abilities{Tools: engine.ToolsNative},
		Limits:    engine.Limits{Rounds: requests + 1},
		Meter:     new(history.Meter), Now: time.Now,
	}
	return &contestant{
		version: "this checkout", ran: ran,
		run:   func(ctx context.Context) (string, error) { return runEngine(ctx, request) },
		close: func() { g.Close(); provider.Close() },
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
