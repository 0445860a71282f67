package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/engine/toolcall"
)

// offer is the tools that may be called.
type offer struct {
	tools []moothall.ToolSpec
	size  int // bytes in a prompt
}

func newOffer(tools []moothall.ToolSpec, lines bool) offer {
	o := offer{tools: tools}
	for i := range tools {
		o.size += offerSize(&tools[i], lines)
	}
	return o
}

// find returns the tool of a name or an alias, or nil. A name goes before
// anybody's alias.
func (o offer) find(name moothall.ToolName) *moothall.ToolSpec {
	for i := range o.tools {
		if o.tools[i].Name == name {
			return &o.tools[i]
		}
	}
	for i := range o.tools {
		if slices.Contains(o.tools[i].Aliases, name) {
			return &o.tools[i]
		}
	}
	return nil
}

// names lists the tools for the model, in order.
func (o offer) names() string {
	names := make([]string, len(o.tools))
	for i := range o.tools {
		names[i] = string(o.tools[i].Name)
	}
	return strings.Join(names, ", ")
}

// offerSize is about what one definition takes in a prompt, in bytes. Where it
// is a line, the names of arguments are all that stays of their schema.
func offerSize(t *moothall.ToolSpec, line bool) int {
	size := len(t.Name) + len(t.Description) + 32
	if !line {
		return size + len(t.Parameters)
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.Parameters, &schema) != nil {
		return size + len(t.Parameters)
	}
	const kind = 12 // ", : string?"
	for name := range schema.Properties {
		size += len(name) + kind
	}
	return size
}

// OfferOf says what a request offers: nothing to a model that can call no
// tools.
func OfferOf(r Request) moothall.Offered {
	var out moothall.Offered
	if r.Abilities.Tools == ToolsNone {
		return out
	}
	for i := range r.Tools {
		out.Tools = append(out.Tools, r.Tools[i].Name)
		out.Bytes += offerSize(&r.Tools[i], r.Abilities.Lines)
	}
	return out
}

// unknown tells a model that a tool does not exist.
func (o offer) unknown(name string) string {
	return fmt.Sprintf("[no such tool] There is no tool %q. The tools on offer are: %s.", name, o.names())
}

// maxOrigin bounds what is kept of a server's id, in bytes.
const maxOrigin = 256

// layerNative is the layer of calls that came in the field for them.
const layerNative = "native"

// wish is a call as the model wants it.
type wish struct {
	name      moothall.ToolName // the tool's own name where it is on offer
	arguments []byte
	origin    moothall.CallID // the server's
	layer     string
	spec      *moothall.ToolSpec // nil: not on offer
	problem   string             // why it cannot be made, for the model
}

// wishes gathers the calls of a reply. Calls in the field for them go before
// calls in the text, which then are an echo.
func wishes(native []moothall.ToolCall, res *toolcall.Result, o offer) []wish {
	var out []wish
	for _, c := range native {
		w := wish{name: c.Name, arguments: c.Arguments, layer: layerNative, spec: o.find(c.Name)}
		if len(c.ID) <= maxOrigin {
			w.origin = c.ID
		}
		switch {
		case w.spec != nil:
			w.name = w.spec.Name
		case !plainName(string(c.Name)):
			w.name, w.problem = "unnamed", o.unknown(string(c.Name))
		default:
			w.problem = o.unknown(string(c.Name))
		}
		out = append(out, w)
	}
	if len(native) > 0 {
		return out
	}
	for _, c := range res.Calls {
		if spec := o.find(c.Name); spec != nil {
			out = append(out, wish{name: spec.Name, arguments: c.Arguments, layer: res.Layer, spec: spec})
		}
	}
	for _, p := range res.Problems {
		if plainName(p.Name) {
			out = append(out, wish{name: moothall.ToolName(p.Name), arguments: []byte(p.Raw), layer: res.Layer, problem: p.Text})
		}
	}
	return out
}

// prose is how much text around something like a call makes it an example.
const prose = 400

// settleProblems decides about calls of tools that are not on offer. They are
// part of the content, since they may be meant as words: beside much text and
// no real call they are. Otherwise they are calls gone wrong, and no words.
func settleProblems(res *toolcall.Result, called bool) {
	rest := res.Content
	for _, p := range res.Problems {
		rest = strings.Replace(rest, p.Raw, "", 1)
	}
	rest = strings.TrimSpace(rest)
	if len(rest) <= prose || called || len(res.Calls) > 0 {
		res.Content = rest
		return
	}
	res.Problems = slices.DeleteFunc(res.Problems, func(p toolcall.Problem) bool { return strings.Contains(res.Content, p.Raw) })
}

// nameless returns the problems of calls that name no tool, so that no result
// can stand for them.
func nameless(problems []toolcall.Problem) (text, raw string) {
	for _, p := range problems {
		if !plainName(p.Name) {
			text, raw = joined(text, p.Text), joined(raw, p.Raw)
		}
	}
	return text, raw
}

// plainName reports whether a name can stand in a history: servers refuse
// messages with odd ones.
func plainName(s string) bool { return moothall.ValidToken(strings.ReplaceAll(s, ".", "_")) }
