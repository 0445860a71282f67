package broker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/schema"
	"moothall/internal/store"
)

// call is one wish to use a tool and everything that is known about it.
type call struct {
	agent *agent
	req   moothall.CallRequest // arguments are a copy of ours
	rules *policy.Rules
	entry *entry // nil: no such tool
	facts policy.Call

	args   []byte // canonical; what the tool gets
	params []byte // what the record hashes
	hash   callHash
	window int
	before journaled // what the journal has under this id

	reads, writes []string
	fresh         []string                         // paths to write where nothing was
	earlier       []look                           // what lay in each folder to write before it ran, if somebody looked
	paths         map[moothall.PathAccess][]string // that the arguments name and that lie inside, absolute
}

// name is the tool's own name, or what was asked for.
func (c *call) name() moothall.ToolName {
	if c.entry == nil {
		return c.req.Call.Name
	}
	return c.entry.spec.Name
}

// examine gathers the facts of a call. It changes nothing: Validate and
// Execute both begin here, and so decide alike.
func (b *Broker) examine(ctx context.Context, a *agent, r moothall.CallRequest) (*call, error) {
	cat := b.catalog.Load()
	c := &call{agent: a, req: r, rules: cat.rules, entry: cat.names[r.Call.Name], window: cat.limits.RepeatWindow}
	c.req.Call.Arguments = bytes.Clone(r.Call.Arguments)
	c.facts = policy.Call{
		Agent: cat.rules.Rebase(a.authority), Name: r.Call.Name, Overrides: a.session.overrides(a.message, b.opt.Now()),
		Labels: a.touched(), Unattended: a.unattended, Lineage: policy.LineageFact(a.claims(r.Scope)),
	}
	if c.entry != nil {
		c.facts.Tool = &c.entry.spec
		c.facts.Labels = a.sees(c.entry.spec)
		c.facts.SessionApproved = a.session.consented(c.entry, a.kind)
		c.reads, c.writes = cat.rules.Roots(c.facts.Agent, &c.entry.spec, c.facts.Overrides)
	}
	b.read(c)
	if c.entry != nil && harmless(c.entry.spec) {
		return c, nil // it may be made twice
	}
	var err error
	c.before, err = b.journaled(ctx, a.session.id, r.Call.ID)
	return c, err
}

// read gathers the facts that lie in the arguments.
func (b *Broker) read(c *call) {
	raw := c.req.Call.Arguments
	c.facts.Oversize, c.facts.Problems, c.facts.Paths, c.facts.Sends = len(raw) > maxArguments, nil, nil, nil
	c.facts.Told = false
	c.args, c.fresh, c.paths = nil, nil, map[moothall.PathAccess][]string{}
	if c.facts.Oversize { // not parsed, and not copied into the record's way
		sum := sha256.Sum256(raw)
		c.params, c.hash = sum[:], hashCall(c.name(), sum[:])
		return
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	c.params = raw
	if err := strict(raw); err != nil {
		c.facts.Problems, c.hash = []string{err.Error()}, hashCall(c.name(), raw)
		return
	}
	canonical, err := schema.Canonical(raw)
	if err != nil {
		c.facts.Problems, c.hash = []string{"the arguments are not JSON"}, hashCall(c.name(), raw)
		return
	}
	var problems []string
	if c.entry != nil {
		canonical, problems = schema.Fit(c.entry.spec.Parameters, canonical)
	}
	c.args, c.params, c.hash = canonical, canonical, hashCall(c.name(), canonical)
	if c.entry == nil {
		return
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(canonical, &fields); err != nil {
		c.facts.Problems = []string{"the arguments are not a JSON object"}
		return
	}
	c.facts.Problems = append(misspelt(c.entry.spelling, fields), schema.FromValue(problems)...)
	b.paths(c, fields)
	b.sends(c, fields)
	c.facts.Told = builtIn(c.entry.spec) || c.told(fields)
}

// spelling lists the names of a tool's arguments by their folded form.
func spelling(spec moothall.ToolSpec) map[string]string {
	known := make(map[string]string)
	var shape struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(spec.Parameters, &shape) == nil {
		for name := range shape.Properties {
			known[fold(name)] = name
		}
	}
	for _, name := range spec.Sends {
		known[fold(name)] = name
	}
	for _, p := range spec.Paths {
		known[fold(p.Name)] = p.Name
	}
	return known
}

// misspelt finds keys that differ from a known one by the size of letters
// alone: a tool might take them for it, after the policy has not.
func misspelt(known map[string]string, fields map[string]json.RawMessage) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if want, ok := known[fold(name)]; ok && want != name {
			out = append(out, "the argument "+want+" must be written so")
		}
	}
	return out
}

// paths asks where the paths among the arguments lead.
func (b *Broker) paths(c *call, fields map[string]json.RawMessage) {
	for _, p := range c.entry.spec.Paths {
		raw, there := fields[p.Name]
		if !there || string(raw) == "null" {
			continue
		}
		roots := c.writes // an access that is not plainly reading counts as writing
		if p.Access == moothall.PathRead {
			roots = c.reads
		}
		list, ok := texts(raw)
		if !ok {
			c.facts.Paths = append(c.facts.Paths, policy.PathFact{Argument: p.Name, Access: p.Access})
		}
		for _, path := range list {
			fact := policy.PathFact{Argument: p.Name, Access: p.Access, Asked: path}
			if len(roots) > 0 {
				var at string
				if at, fact.Inside = b.opt.Inside(p.Access, c.reads, c.writes, path); fact.Inside {
					c.paths[p.Access] = append(c.paths[p.Access], at)
					fact.Free = p.Access != moothall.PathRead && b.free(c, path, at)
				}
			}
			c.facts.Paths = append(c.facts.Paths, fact)
		}
	}
}

// sends asks whether what leaves the machine is known to be harmless. To a
// server of somebody else's goes every argument, named in the definition or not.
func (b *Broker) sends(c *call, fields map[string]json.RawMessage) {
	for _, name := range c.entry.spec.Sends {
		raw, there := fields[name]
		if !there || string(raw) == "null" {
			continue
		}
		list, ok := texts(raw)
		fact := policy.SendFact{Argument: name, Known: ok && len(list) > 0, Plain: ok && b.finds(c.entry.spec)}
		for _, text := range list {
			fact.Known = fact.Known && c.agent.session.known.knows(text)
			if fact.Plain {
				fact.Doubt = c.agent.session.plainDoubt(text)
				fact.Plain = fact.Doubt == ""
			}
		}
		c.facts.Sends = append(c.facts.Sends, fact)
	}
	if c.entry.spec.Risk != moothall.RiskSend || builtIn(c.entry.spec) {
		return // the hall's own tools send what they name
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(c.entry.spec.Sends, name) && !c.toldOne(name, fields[name]) {
			c.facts.Sends = append(c.facts.Sends, policy.SendFact{Argument: name})
		}
	}
}

// texts reads a text or a list of texts.
func texts(raw json.RawMessage) ([]string, bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, true
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list, true
	}
	return nil, false
}

// decide judges a call. With count it also takes its place in the task's
// counters, in the same moment: of many calls at once, as many pass as may.
func (b *Broker) decide(c *call, count bool) moothall.Decision {
	t := c.agent.task
	t.mu.Lock()
	c.facts.Repeats, c.facts.Calls = t.repeats(c.hash, c.window), t.calls
	if count {
		t.count(c.hash, c.window)
	}
	t.mu.Unlock()
	return c.judge()
}

// judge is the policy's word, and the journal's about a call that it has:
// whoever asks what became of one must not be told of a tool that is not back
// yet, or of a limit. Only who is not the agent is told nothing.
func (c *call) judge() moothall.Decision {
	d := c.rules.Decide(&c.facts)
	if refusal, refused := c.before.refuses(); refused && d.Layer != policy.LayerIdentity {
		return refusal
	}
	return d
}

// Validate says what Execute would decide.
func (f face) Validate(ctx context.Context, r moothall.CallRequest) (moothall.Decision, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Decision{}, err
	}
	a, err := f.b.find(r.Agent)
	if err != nil {
		return moothall.Decision{}, err
	}
	c, err := f.b.examine(ctx, a, r)
	if err != nil {
		return moothall.Decision{}, err
	}
	return f.b.decide(c, false), nil
}

// journaled is what the journal has under a call's id.
type journaled struct {
	status     string // empty: nothing
	idempotent bool
}

const statusIntent = "intent"

func (b *Broker) journaled(ctx context.Context, session string, id moothall.CallID) (journaled, error) {
	var j journaled
	if id == "" {
		return j, nil
	}
	err := b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT status, idempotent FROM broker_calls WHERE session = ? AND id = ?`, session, string(id)).
			Scan(&j.status, &j.idempotent)
	})
	if noRow(err) {
		err = nil
	}
	return j, err
}

// LayerJournal denies what has been done already.
const LayerJournal = "journal"

// refuses says why a call with this past must not run.
func (j journaled) refuses() (moothall.Decision, bool) {
	d := moothall.Decision{Verdict: moothall.Deny, Layer: LayerJournal, Allows: "a new call with an id of its own"}
	switch {
	case j.status == "" || j.status == string(moothall.CallUnknown) && j.idempotent:
		return moothall.Decision{}, false
	case j.status == string(moothall.CallUnknown):
		d.Rule = "unknown_after_crash"
		d.Reason = "This call was cut off by a crash. It may have had its effect, and it is not one that can be repeated safely: look first."
	default: // made or being made: the end of a call that only read may not be written yet
		d.Rule, d.Reason = "repeated", "This call has been made already, or is being made; it is not made twice."
	}
	return d, true
}
