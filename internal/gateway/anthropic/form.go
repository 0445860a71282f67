package anthropic

import (
	"cmp"
	"encoding/json"

	"moothall"
	"moothall/internal/gateway/wire"
)

// The features that some models turn down.
var (
	adaptive       = wire.Feature{Name: "adaptive thinking", Marks: []string{"adaptive"}}
	budget         = wire.Feature{Name: "thinking budget", Marks: []string{"thinking"}}
	outputFormat   = wire.Feature{Name: "output format", Marks: []string{"output_config", "output_format", "output format", "structured output", "schema"}}
	room           = wire.Feature{Name: "room for thoughts", Marks: []string{"number of output tokens"}}
	ownTemperature = wire.Feature{Name: "temperature", Marks: []string{"temperature"}}
)

// effort is a feature per level: a model may know some of them.
func effort(level string) wire.Feature {
	return wire.Feature{Name: "effort " + level, Marks: []string{"effort"}}
}

// form is how a request is put to one model: what of the wish can be had.
type form struct {
	model      string
	kept       *wire.Keep
	adaptive   bool
	effort     string
	budget     int  // of thoughts; 0 for none
	room       int  // for thoughts, beside the answer
	format     bool // the schema goes into output_config
	answerTool bool // the schema goes into a tool
	warm       bool // the temperature is sent
	used       []wire.Feature
}

// newForm decides the form for a model that is known to turn down some
// features.
func newForm(r moothall.GenerateRequest, refused wire.Refused, kept *wire.Keep) form {
	f := form{model: r.Model, kept: kept}
	use := func(feature wire.Feature, wanted bool) bool {
		if wanted = wanted && !refused[feature.Name]; wanted {
			f.used = append(f.used, feature)
		}
		return wanted
	}
	if len(r.Schema) > 0 {
		f.format = use(outputFormat, true)
		f.answerTool = !f.format
	}
	// A model cannot think and be forced to use a tool.
	think := r.Think != "" && r.Think != "off" && !f.answerTool
	f.adaptive = use(adaptive, think)
	if f.adaptive && r.Think != "on" && use(effort(r.Think), true) {
		f.effort = r.Think
	}
	if think && !f.adaptive && f.signed(r.Messages) && use(budget, true) {
		f.budget = budgetOf(r.Think)
	}
	if (f.adaptive || f.budget > 0) && use(room, true) {
		f.room = budgetOf(r.Think)
	}
	f.warm = f.budget == 0 && !f.adaptive && use(ownTemperature, r.Temperature != nil)
	return f
}

// minBudget is the least that the wire takes.
const minBudget = 1024

// budgetOf is the tokens that older models may think for.
func budgetOf(think string) int {
	return cmp.Or(map[string]int{"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 24576, "max": 32768}[think], 8192)
}

// signed reports whether thinking may be asked for by budget: while calls of
// the last turn are being answered, their signed thoughts must be there.
func (f form) signed(messages []moothall.Message) bool {
	for i := len(messages) - 1; i >= 0; i-- {
		switch m := messages[i]; {
		case m.Role == moothall.RoleUser:
			return true
		case len(m.ToolCalls) > 0 && f.kept.Get(f.model, m.ToolCalls[0]) == nil:
			return false
		}
	}
	return true
}

// request writes the body of the request.
func (f form) request(r moothall.GenerateRequest, maxTokens int) (*messagesRequest, error) {
	system, rest := wire.System(r.Messages)
	turns, err := f.turns(rest)
	if err != nil {
		return nil, err
	}
	out := &messagesRequest{
		Model: r.Model, System: system, Messages: turns, Stop: r.Stop, Stream: !r.Whole,
		MaxTokens: cmp.Or(r.MaxTokens, maxTokens) + f.room,
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool{string(t.Name), t.Description, wire.Parameters(t)})
	}
	if f.warm {
		out.Temperature = r.Temperature
	}
	if len(r.Tools) == 0 {
		out.declare(rest)
	}
	f.think(out)
	f.shape(out, r.Schema)
	return out, nil
}

// declare names the tools of the history when none is on offer any more: the
// wire wants to know tools that were used.
func (m *messagesRequest) declare(messages []moothall.Message) {
	seen := map[moothall.ToolName]bool{}
	for _, msg := range messages {
		for _, c := range msg.ToolCalls {
			if !seen[c.Name] {
				seen[c.Name] = true
				m.Tools = append(m.Tools, tool{Name: string(c.Name), InputSchema: wire.Parameters(moothall.ToolSpec{})})
			}
		}
	}
	if len(m.Tools) > 0 {
		m.Choice = &toolChoice{Type: "none"}
	}
}

func (f form) think(out *messagesRequest) {
	switch {
	case f.adaptive:
		out.Thinking = &thinking{Type: "adaptive", Display: "summarized"}
	case f.budget > 0:
		n := f.budget
		if f.room == 0 { // the thoughts share the answer's limit
			n = min(n, out.MaxTokens/2)
		}
		if n >= minBudget {
			out.Thinking = &thinking{Type: "enabled", Budget: n}
		}
	}
	if f.effort != "" {
		out.Output = &outputConfig{Effort: f.effort}
	}
}

func (f form) shape(out *messagesRequest, schema json.RawMessage) {
	switch {
	case f.format:
		if out.Output == nil {
			out.Output = &outputConfig{}
		}
		out.Output.Format = &format{"json_schema", wire.Closed(schema)}
	case f.answerTool:
		offered := len(out.Tools) > 0 && out.Choice == nil // those of the history are named, and not to be called
		out.Tools = append(out.Tools, tool{answerTool, "Gives the final answer. Use no text besides.", schema})
		out.Choice = &toolChoice{Type: "tool", Name: answerTool}
		if offered {
			out.Choice = &toolChoice{Type: "any"}
		}
	}
}
