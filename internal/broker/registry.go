package broker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/broker/firewall"
	"moothall/internal/policy"
)

// entry is one registered tool.
type entry struct {
	tool moothall.Tool
	spec moothall.ToolSpec // a copy of ours: a tool cannot change its rules later
	// shown is a copy of spec for those who ask what there is. They share
	// it, and must not write into it; what decides about calls is spec.
	shown moothall.ToolSpec

	spelling map[string]string // of its arguments

	// definition says which tool it is of those that had the name; "" for the
	// hall's own, which are one.
	definition string
}

// catalog is what is registered at one moment, and the rules for it. It
// never changes; a registration makes a new one.
type catalog struct {
	manifest policy.Manifest
	rules    *policy.Rules
	limits   policy.Limits
	tools    map[moothall.ToolName]*entry // by name
	names    map[moothall.ToolName]*entry // by name and alias
}

func newCatalog(m policy.Manifest, tools []moothall.Tool) (*catalog, error) {
	c := &catalog{manifest: m, tools: map[moothall.ToolName]*entry{}}
	for _, t := range tools {
		if err := c.add(t); err != nil {
			return nil, err
		}
	}
	return c.compile(), nil
}

// add checks a tool and enters it.
func (c *catalog) add(t moothall.Tool) error {
	spec := t.Spec()
	const op = "register tool"
	switch {
	case !moothall.ValidToken(string(spec.Name)):
		return moothall.Fail(moothall.CodeInvalid, op, "a tool's name is of letters, digits, '-' and '_'")
	case len(spec.Parameters) > 0 && !json.Valid(spec.Parameters):
		return moothall.Fail(moothall.CodeInvalid, op, "the schema of "+string(spec.Name)+" is not JSON")
	}
	for _, name := range append([]moothall.ToolName{spec.Name}, spec.Aliases...) {
		if had := c.holder(name); had != nil {
			return &moothall.Error{
				Code: moothall.CodeConflict, Op: op, Remedy: "rename one of the two",
				Message: "the name " + string(name) + " of a tool from " + spec.Origin + " is taken by one from " + had.spec.Origin,
			}
		}
	}
	spec = own(spec)
	c.tools[spec.Name] = &entry{tool: t, spec: spec, shown: clone(spec), spelling: spelling(spec), definition: definition(t, spec)}
	return nil
}

// holder returns the tool that has a name or alias.
func (c *catalog) holder(name moothall.ToolName) *entry {
	for _, e := range c.tools {
		if e.spec.Name == name || slices.Contains(e.spec.Aliases, name) {
			return e
		}
	}
	return nil
}

// clone copies a spec whole.
func clone(s moothall.ToolSpec) moothall.ToolSpec {
	s.Aliases, s.Parameters, s.Secrets = slices.Clone(s.Aliases), slices.Clone(s.Parameters), slices.Clone(s.Secrets)
	s.Paths, s.Sends = slices.Clone(s.Paths), slices.Clone(s.Sends)
	return s
}

// own copies a spec and cleans the words of one that comes from outside:
// they go into every prompt.
func own(s moothall.ToolSpec) moothall.ToolSpec {
	s = clone(s)
	if len(s.Parameters) == 0 {
		s.Parameters = json.RawMessage(`{"type":"object"}`)
	}
	if !builtIn(s) {
		s.Description, _ = firewall.Clean(s.Description)
		s.Parameters = cleanSchema(s.Parameters)
	}
	return s
}

// definition names what a tool of outside says of itself, and where it comes
// from.
func definition(t moothall.Tool, s moothall.ToolSpec) string {
	if builtIn(s) {
		return ""
	}
	said, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain words always marshal, and the schema is JSON
	}
	if d, ok := t.(moothall.Defined); ok {
		said = append(said, d.Definition()...)
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:])
}

// builtIn reports whether a tool is the hall's own.
func builtIn(s moothall.ToolSpec) bool { return s.Origin == "built-in" }

func (c *catalog) compile() *catalog {
	c.names = make(map[moothall.ToolName]*entry, len(c.tools))
	for name, e := range c.tools {
		c.names[name] = e
		for _, alias := range e.spec.Aliases {
			c.names[alias] = e
		}
	}
	c.rules = policy.Compile(c.manifest, c.specs())
	c.limits = c.rules.Limits()
	return c
}

// specs lists what is registered, by name.
func (c *catalog) specs() []moothall.ToolSpec {
	out := make([]moothall.ToolSpec, 0, len(c.tools))
	for _, e := range c.tools {
		out = append(out, e.spec)
	}
	slices.SortFunc(out, func(a, b moothall.ToolSpec) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Exchange takes tools away and adds others at run time, in one step, so that one
// which is among both is there at every moment. Agents that live already can use
// what has come at once where the manifest lets them; calls of what has gone go
// on. A name that is not there is passed over. It returns the tools that could not
// be added, and why: CodeConflict when the name or an alias is taken, since a tool
// of outside can never stand in for another.
func (b *Broker) Exchange(gone []moothall.ToolName, come []moothall.Tool) map[moothall.ToolName]error {
	b.registering.Lock()
	defer b.registering.Unlock()
	was := b.catalog.Load()
	next := &catalog{manifest: was.manifest, tools: maps.Clone(was.tools)}
	for _, name := range gone {
		delete(next.tools, name)
	}
	refused := map[moothall.ToolName]error{}
	for _, t := range come {
		if err := next.add(t); err != nil {
			refused[t.Spec().Name] = err
		}
	}
	b.catalog.Store(next.compile())
	return refused
}

// Tools lists every registered tool, for people.
func (f face) Tools(ctx context.Context, _ moothall.Scope) ([]moothall.ToolSpec, error) {
	if err := f.among(mayList, "list tools"); err != nil {
		return nil, err
	}
	specs := f.b.catalog.Load().specs()
	for i := range specs {
		specs[i] = clone(specs[i])
	}
	return specs, ctx.Err()
}

// onBus reports whether a tool lives on the bus: its request event is the
// call itself, which the tool makes.
func onBus(s moothall.ToolSpec) bool { return strings.HasPrefix(s.Origin, "bus:") }
