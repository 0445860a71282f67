package ollama

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"moothall"
)

// maxOffers is how many lists are remembered: each kind of agent has its own.
const maxOffers = 8

// offers remembers how lists of tools are written. The same few go with every
// question, and are most of a request.
type offers struct {
	mu   sync.Mutex
	kept []offer // the one used last comes first
}

// offer is a list of tools, copied, and its JSON.
type offer struct {
	tools []toolFunction
	json  []byte
}

// encode returns the JSON of a list, which nobody may write into.
func (o *offers) encode(list []moothall.ToolSpec) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.kept, func(k offer) bool { return slices.EqualFunc(k.tools, list, sameTool) })
	if i >= 0 {
		found := o.kept[i]
		copy(o.kept[1:i+1], o.kept[:i])
		o.kept[0] = found
		return found.json, nil
	}
	fresh, err := newOffer(list)
	if err != nil {
		return nil, err
	}
	o.kept = slices.Insert(o.kept[:min(len(o.kept), maxOffers-1)], 0, fresh)
	return fresh.json, nil
}

func newOffer(list []moothall.ToolSpec) (offer, error) {
	var out offer
	wire := make([]tool, 0, len(list))
	for _, t := range list {
		f := toolFunction{t.Name, t.Description, bytes.Clone(t.Parameters)}
		out.tools = append(out.tools, f)
		if len(f.Parameters) == 0 {
			f.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		wire = append(wire, tool{Type: "function", Function: f})
	}
	var err error
	out.json, err = json.Marshal(wire)
	return out, err
}

func sameTool(f toolFunction, t moothall.ToolSpec) bool {
	return f.Name == t.Name && f.Description == t.Description && bytes.Equal(f.Parameters, t.Parameters)
}
