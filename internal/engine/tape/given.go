package tape

import (
	"encoding/json"
	"slices"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
)

// Given is the data of a request, and which functions it came with.
type Given struct {
	Scope       moothall.Scope     `json:"scope"`
	Query       moothall.QueryID   `json:"query_id,omitempty"`
	Run         moothall.RunID     `json:"run_id"`
	Role        moothall.ModelRole `json:"role,omitempty"`
	Complexity  string             `json:"complexity,omitempty"`
	Provider    string             `json:"provider,omitempty"`
	ModelName   string             `json:"model,omitempty"`
	Priority    moothall.Priority  `json:"priority,omitempty"`
	Think       string             `json:"think,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	Seed        *int64             `json:"seed,omitempty"`
	MaxTokens   int                `json:"max_tokens,omitempty"`
	Window      int                `json:"window,omitempty"`
	System      string             `json:"system,omitempty"`
	History     []Message          `json:"history,omitempty"`
	Input       []Message          `json:"input,omitempty"`
	Tail        string             `json:"tail,omitempty"`
	Tools       []Spec             `json:"tools,omitempty"`
	Abilities   engine.Abilities   `json:"abilities"`
	Limits      engine.Limits      `json:"limits"`
	Schema      string             `json:"schema,omitempty"`
	Hedge       moothall.ToolName  `json:"hedge,omitempty"`
	// Ratio is what the meter knew of the model: bytes a token, 0 for nothing.
	Ratio float64 `json:"ratio,omitempty"`

	Broker   bool `json:"broker,omitempty"`
	Check    bool `json:"check,omitempty"`
	Retrieve bool `json:"retrieve,omitempty"`
	Recalls  bool `json:"recalls,omitempty"`
}

// Message is a message whose calls keep the bytes of their arguments.
type Message struct {
	moothall.Message
	Calls []Call `json:"calls,omitempty"`
}

// Spec is a tool's description with the bytes of its schema.
type Spec struct {
	moothall.ToolSpec
	Bytes string `json:"bytes,omitempty"`
}

func modelKey(r *engine.Request) string { return r.Provider + "/" + r.ModelName }

// givenOf reads a request that is complete.
func givenOf(r *engine.Request) Given {
	return Given{
		Scope: r.Scope, Query: r.Query, Run: r.Run, Role: r.Role, Complexity: r.Complexity, Provider: r.Provider, ModelName: r.ModelName,
		Priority: r.Priority, Think: r.Think, Temperature: r.Temperature, Seed: r.Seed, MaxTokens: r.MaxTokens, Window: r.Window,
		System: r.System, History: messagesOf(r.History), Input: messagesOf(r.Input), Tail: r.Tail, Tools: specsOf(r.Tools),
		Abilities: r.Abilities, Limits: r.Limits, Schema: string(r.Schema), Hedge: r.Hedge, Ratio: r.Meter.Ratio(modelKey(r)),
		Broker: r.Broker != nil, Check: r.Check != nil, Retrieve: r.Retrieve != nil, Recalls: r.Recalls != nil,
	}
}

// request is the request again, without what a replay puts in.
func (g *Given) request() engine.Request {
	r := engine.Request{
		Scope: g.Scope, Query: g.Query, Run: g.Run, Role: g.Role, Complexity: g.Complexity, Provider: g.Provider, ModelName: g.ModelName,
		Priority: g.Priority, Think: g.Think, Temperature: g.Temperature, Seed: g.Seed, MaxTokens: g.MaxTokens, Window: g.Window,
		System: g.System, History: messages(g.History), Input: messages(g.Input), Tail: g.Tail, Tools: specs(g.Tools),
		Abilities: g.Abilities, Limits: g.Limits, Hedge: g.Hedge,
	}
	if g.Schema != "" {
		r.Schema = json.RawMessage(g.Schema)
	}
	r.Meter = history.MeterAt(modelKey(&r), g.Ratio)
	return r
}

func messagesOf(list []moothall.Message) []Message {
	var out []Message
	for _, m := range list {
		kept := Message{Message: m, Calls: callsOf(m.ToolCalls)}
		kept.ToolCalls = nil
		out = append(out, kept)
	}
	return out
}

func messages(list []Message) []moothall.Message {
	var out []moothall.Message
	for i := range list {
		m := list[i].Message
		m.ToolCalls = calls(list[i].Calls)
		out = append(out, m)
	}
	return out
}

func callsOf(list []moothall.ToolCall) []Call {
	var out []Call
	for _, c := range list {
		out = append(out, Call{ID: c.ID, Name: c.Name, Args: string(c.Arguments), Origin: c.Origin})
	}
	return out
}

func calls(list []Call) []moothall.ToolCall {
	var out []moothall.ToolCall
	for _, c := range list {
		out = append(out, moothall.ToolCall{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(c.Args), Origin: c.Origin})
	}
	return out
}

func specsOf(list []moothall.ToolSpec) []Spec {
	out := slices.Grow([]Spec(nil), len(list))
	for _, s := range list {
		kept := Spec{ToolSpec: s, Bytes: string(s.Parameters)}
		kept.Parameters = nil
		out = append(out, kept)
	}
	return out
}

func specs(list []Spec) []moothall.ToolSpec {
	var out []moothall.ToolSpec
	for i := range list {
		s := list[i].ToolSpec
		s.Parameters = json.RawMessage(list[i].Bytes)
		out = append(out, s)
	}
	return out
}

// size is about how many bytes the parts of a request have that can be large.
func size(r *engine.Request) int {
	n := len(r.System) + len(r.Tail) + len(r.Schema)
	for _, list := range [][]moothall.Message{r.History, r.Input} {
		for i := range list {
			m := &list[i]
			n += len(m.Content) + len(m.Thinking) + 64
			for _, c := range m.ToolCalls {
				n += len(c.Arguments)
			}
			for _, b := range m.Images {
				n += len(b) * 4 / 3
			}
		}
	}
	for i := range r.Tools {
		n += len(r.Tools[i].Parameters) + len(r.Tools[i].Description)
	}
	return n
}
