package wire

import (
	"cmp"
	"encoding/json"
	"sync"

	"moothall"
)

// Keep holds, for calls that were made lately, what a service wants to see
// again when the conversation goes on: signed thoughts, which are opaque and
// have no place in the vocabulary. It is bounded, lives in memory alone, and
// forgets the oldest first; a provider must get along when it has forgotten.
// The zero value is ready.
type Keep struct {
	mu    sync.Mutex
	held  map[kept]json.RawMessage
	order []kept
	bytes int
}

// kept names what is held. What one model has signed is nothing to another.
type kept struct {
	model string
	call  moothall.CallID
}

// keptOf names a call by the id that it came with.
func keptOf(model string, call moothall.ToolCall) kept {
	return kept{model, cmp.Or(call.Origin, call.ID)}
}

const (
	maxKept      = 4096
	maxKeptBytes = 16 << 20
)

// Put holds a value for a model's call.
func (k *Keep) Put(model string, call moothall.ToolCall, value json.RawMessage) {
	id := keptOf(model, call)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(value) > maxKeptBytes {
		return
	}
	if k.held == nil {
		k.held = map[kept]json.RawMessage{}
	}
	if old, ok := k.held[id]; ok {
		k.bytes -= len(old)
	} else {
		k.order = append(k.order, id)
	}
	k.held[id] = value
	k.bytes += len(value)
	for len(k.order) > maxKept || k.bytes > maxKeptBytes {
		k.bytes -= len(k.held[k.order[0]])
		delete(k.held, k.order[0])
		k.order = k.order[1:]
	}
}

// Get returns what is held for a model's call, nil for nothing.
func (k *Keep) Get(model string, call moothall.ToolCall) json.RawMessage {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held[keptOf(model, call)]
}
