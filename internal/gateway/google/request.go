package google

import (
	"encoding/json"
	"strings"

	"moothall"
	"moothall/internal/gateway/wire"
)

// generateRequest is the body of a request, as much of it as is used.
type generateRequest struct {
	Contents []content        `json:"contents"`
	System   *content         `json:"systemInstruction,omitempty"`
	Tools    []toolSet        `json:"tools,omitempty"`
	Config   generationConfig `json:"generationConfig"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

// part is one part of a content; one of its fields but the last two is set.
type part struct {
	Text      string            `json:"text,omitempty"`
	Blob      *blob             `json:"inlineData,omitempty"`
	Call      *functionCall     `json:"functionCall,omitempty"`
	Response  *functionResponse `json:"functionResponse,omitempty"`
	Thought   bool              `json:"thought,omitempty"`
	Signature string            `json:"thoughtSignature,omitempty"`
}

type blob struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"` // encoding/json writes base64
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name"`
	Response map[string]any `json:"response"`
}

type toolSet struct {
	Functions []function `json:"functionDeclarations"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

type generationConfig struct {
	Temperature *float64        `json:"temperature,omitempty"`
	Seed        *int64          `json:"seed,omitempty"`
	MaxTokens   int             `json:"maxOutputTokens,omitempty"`
	Stop        []string        `json:"stopSequences,omitempty"`
	MIMEType    string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseJsonSchema,omitempty"`
	Thinking    *thinkingConfig `json:"thinkingConfig,omitempty"`
}

type thinkingConfig struct {
	Include bool   `json:"includeThoughts,omitempty"`
	Level   string `json:"thinkingLevel,omitempty"`
	Budget  *int   `json:"thinkingBudget,omitempty"`
}

// The features that some models turn down.
var (
	thinkingLevel  = wire.Feature{Name: "thinking level", Marks: []string{"thinking level", "thinking_level", "thinkinglevel"}}
	thinkingBudget = wire.Feature{Name: "thinking budget", Marks: []string{"budget"}}
	noBudget       = wire.Feature{Name: "no thinking budget", Marks: []string{"budget", "thinking"}}
	leastLevel     = wire.Feature{Name: "least thinking level", Marks: []string{"level", "thinking"}}
	thoughts       = wire.Feature{Name: "thinking", Marks: []string{"thinking", "thoughts"}}
	unsignedCalls  = wire.Feature{Name: "unsigned calls", Marks: []string{"thought_signature", "thoughtsignature", "thought signature"}}
	ownSeed        = wire.Feature{Name: "seed", Marks: []string{"seed"}}
)

// noSignature is what the service documents for calls that it did not sign.
const noSignature = "skip_thought_signature_validator"

// form is how a request is put to one model.
type form struct {
	model   string
	refused wire.Refused
	kept    *wire.Keep
	used    []wire.Feature
}

func (f *form) use(feature wire.Feature, wanted bool) bool {
	if wanted = wanted && !f.refused[feature.Name]; wanted {
		f.used = append(f.used, feature)
	}
	return wanted
}

// request writes the body of the request.
func (f *form) request(r moothall.GenerateRequest) (*generateRequest, error) {
	system, rest := wire.System(r.Messages)
	contents, err := f.contents(rest)
	if err != nil {
		return nil, err
	}
	out := &generateRequest{Contents: contents, Config: generationConfig{
		Temperature: r.Temperature, MaxTokens: r.MaxTokens, Stop: r.Stop, Thinking: f.thinking(r.Think),
	}}
	if f.use(ownSeed, r.Seed != nil) {
		out.Config.Seed = r.Seed
	}
	if system != "" {
		out.System = &content{Parts: []part{{Text: system}}}
	}
	if len(r.Schema) > 0 {
		out.Config.MIMEType, out.Config.Schema = "application/json", r.Schema
	}
	var functions []function
	for _, t := range r.Tools {
		functions = append(functions, function{string(t.Name), t.Description, t.Parameters})
	}
	if len(functions) > 0 {
		out.Tools = []toolSet{{functions}}
	}
	return out, nil
}

// thinking asks for thoughts in the newest way that the model takes. The more
// particular feature stands before the general one, to be blamed first.
func (f *form) thinking(think string) *thinkingConfig {
	switch {
	case think == "off":
		return f.still()
	case think == "" || f.refused[thoughts.Name]:
		return nil
	}
	out := &thinkingConfig{Include: true}
	if think != "on" && f.use(thinkingLevel, true) {
		out.Level = think
	} else if think != "on" && f.use(thinkingBudget, true) {
		budget := budgetOf(think)
		out.Budget = &budget
	}
	f.use(thoughts, true)
	return out
}

// still asks for as little thinking as the model can do with.
func (f *form) still() *thinkingConfig {
	none := 0
	switch {
	case f.use(noBudget, true):
		return &thinkingConfig{Budget: &none}
	case f.use(leastLevel, true):
		return &thinkingConfig{Level: "minimal"}
	}
	return nil
}

// budgetOf is the tokens that a level stands for where there are no levels;
// -1 leaves it to the model.
func budgetOf(think string) int {
	switch think {
	case "minimal", "low":
		return 1024
	case "medium":
		return 8192
	case "high", "xhigh", "max":
		return 24576
	}
	return -1
}

// contents writes the conversation. The wire knows two roles: results of
// calls are the user's, and belong into one content with their neighbours.
func (f *form) contents(messages []moothall.Message) ([]content, error) {
	var out []content
	for _, m := range messages {
		role := "user"
		if m.Role == moothall.RoleAssistant {
			role = "model"
		}
		parts, err := f.parts(m)
		if err != nil {
			return nil, err
		}
		if len(parts) == 0 {
			continue // the wire refuses a content without parts
		}
		if len(out) == 0 || out[len(out)-1].Role != role {
			out = append(out, content{Role: role})
		}
		last := &out[len(out)-1]
		last.Parts = append(last.Parts, parts...)
	}
	return out, nil
}

// parts writes one message.
func (f *form) parts(m moothall.Message) ([]part, error) {
	var out []part
	if m.Role == moothall.RoleTool {
		response := map[string]any{"output": m.Content}
		out = append(out, part{Response: &functionResponse{serverID(m.CallID), string(m.ToolName), response}})
	} else if strings.TrimSpace(m.Content) != "" {
		out = append(out, part{Text: m.Content})
	}
	for _, image := range m.Images {
		kind, err := wire.ImageType(image)
		if err != nil {
			return nil, err
		}
		out = append(out, part{Blob: &blob{kind, image}})
	}
	for i, c := range m.ToolCalls {
		call := &functionCall{serverID(c.ID), string(c.Name), wire.Object(c.Arguments)}
		out = append(out, part{Call: call, Signature: f.signature(c, i == 0)})
	}
	return out, nil
}

// signature is what came with a call. Of calls made at once only the first
// has one.
func (f *form) signature(c moothall.ToolCall, first bool) string {
	var kept string
	if json.Unmarshal(f.kept.Get(f.model, c), &kept) == nil && kept != "" {
		return kept
	}
	if first && !f.use(unsignedCalls, true) {
		return noSignature
	}
	return ""
}

// serverID is the id of a call for the wire: one that the service did not
// make itself is left out, since names and order tie results to calls there.
func serverID(id moothall.CallID) string {
	if strings.HasPrefix(string(id), madePrefix) {
		return ""
	}
	return string(id)
}
