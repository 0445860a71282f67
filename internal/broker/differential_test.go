package broker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
	"moothall/internal/policy"
)

// firstWord keeps, for each call, the first line of the record about it.
type firstWord struct {
	mu    sync.Mutex
	lines map[moothall.CallID]string
}

func (f *firstWord) Append(_ context.Context, entries ...moothall.AuditEntry) (last uint64, err error) {
	for _, e := range entries {
		if last, err = f.note(e); err != nil {
			return 0, err
		}
	}
	return last, nil
}

func (f *firstWord) note(e moothall.AuditEntry) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	decided := e.Status == moothall.StatusIntent || e.Status == moothall.StatusAsked || e.Status == moothall.StatusDenied
	if e.Action == moothall.ActionToolCall && decided && f.lines[e.Call] == "" {
		f.lines[e.Call] = string(e.Status) + " " + e.Rule
	}
	return uint64(len(f.lines)), e.Validate()
}

// take returns a call's line and forgets it.
func (f *firstWord) take(id moothall.CallID) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer delete(f.lines, id)
	return f.lines[id]
}

// TestValidateAgreesWithExecute makes 100,000 random calls, each first dry.
func TestValidateAgreesWithExecute(t *testing.T) {
	t.Parallel()
	workers, rounds := 500, 200
	whole := !testing.Short() && !moottest.Race
	if !whole {
		workers = 25
	}
	record := &firstWord{lines: map[moothall.CallID]string{}}
	tools := append(append(append(web(), risky()[0]), files()...), tool(moothall.ToolSpec{Name: "mcp_send", Origin: "mcp:x", Risk: moothall.RiskSend}, nil),
		tool(moothall.ToolSpec{Name: "mcp_here", Origin: "mcp:y", Risk: moothall.RiskWrite}, nil))
	h := open(t, tools, func(o *broker.Options) {
		o.Audit = record
		o.Exists = func(path string) bool { return path == "/home/me/out/old" }
		o.Manifest.Limits = policy.Limits{Calls: 25, Depth: 3}
	})
	seen := make([]map[string]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		seen[w] = map[string]int{}
		wg.Go(func() {
			caller{h, record, rand.New(rand.NewPCG(uint64(w), 4)), fmt.Sprintf("session-%d", w), seen[w]}.work(t, rounds)
		})
	}
	wg.Wait()
	total := map[string]int{}
	for _, m := range seen {
		for k, n := range m {
			total[k] += n
		}
	}
	for _, rule := range []string{
		"allow manifest/allowed", "deny identity/lineage_mismatch", "deny override/disabled", "deny manifest/unknown_tool", "deny manifest/not_allowed",
		"deny paths/outside", "ask egress/outside_server", "ask labels/sends", "ask labels/changes", "ask labels/sends_private", "ask labels/tells", "ask labels/replaces", "deny arguments/schema", "deny limits/same_call",
		"deny limits/calls", "ask approval/high_risk", "deny approval/unattended", "allow override/all", "allow override/relax", "allow override/grant", "deny journal/repeated",
	} {
		if whole && total[rule] == 0 {
			t.Errorf("no call met %s: %v", rule, total)
		}
	}
	t.Log(total)
}

// caller makes random calls in a session of its own.
type caller struct {
	h      *hall
	record *firstWord
	rnd    *rand.Rand
	scope  string
	seen   map[string]int
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (c caller) work(t *testing.T, rounds int) {
	var agents []moothall.Agent
	var last moothall.CallID
	for i := range rounds {
		if len(agents) == 0 || c.rnd.IntN(12) == 0 {
			if len(agents) > 0 {
				if err := c.h.chat.Finish(context.Background(), moothall.Scope{}, agents[0].Handle); err != nil {
					t.Error(err)
				}
			}
			agents = c.family(t, i)
		}
		if c.rnd.IntN(15) == 0 {
			c.override(t, c.session(i))
		}
		r := c.random(agents, last)
		dry, err := c.h.chat.Validate(context.Background(), r)
		if err != nil {
			t.Error(err)
			return
		}
		last = r.Call.ID
		c.compare(t, r, dry)
	}
}

// session is another one every hundred calls, free of labels.
func (c caller) session(i int) moothall.SessionID {
	return moothall.SessionID(c.scope + fmt.Sprint(i/100))
}

// family spawns a root and some below it, in a new task now and then.
func (c caller) family(t *testing.T, i int) []moothall.Agent {
	r := moothall.SpawnRequest{
		Scope: moothall.Scope{Session: c.session(i)}, Type: pick[moothall.AgentType](c.rnd, "boss", "boss", "reader"),
		Query: moothall.QueryID(fmt.Sprintf("%s-%d", c.scope, i/20)), Unattended: c.rnd.IntN(4) == 0, Words: "look for known words at https://known.example/a",
	}
	root, err := c.h.chat.Spawn(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	out := []moothall.Agent{root}
	for range c.rnd.IntN(4) {
		a, err := c.h.chat.Spawn(context.Background(), moothall.SpawnRequest{Parent: pick(c.rnd, out...).Handle, Type: pick[moothall.AgentType](c.rnd, "boss", "worker")})
		if err == nil {
			out = append(out, a)
		}
	}
	return out
}

func (c caller) override(t *testing.T, session moothall.SessionID) {
	o := moothall.Overrides{Level: pick(c.rnd, "none", "none", "none", "relax", "all"), Once: c.rnd.IntN(3) == 0}
	if c.rnd.IntN(2) == 0 {
		o.Disabled = []moothall.ToolName{pick[moothall.ToolName](c.rnd, "say", "cp", "web_fetch")}
	}
	if c.rnd.IntN(2) == 0 {
		o.Grants = []moothall.ToolGrant{{Type: "reader", Tool: "say"}}
	}
	if _, err := c.h.person.Override(context.Background(), moothall.Scope{Session: session}, o); err != nil {
		t.Error(err)
	}
}

func (c caller) random(agents []moothall.Agent, last moothall.CallID) moothall.CallRequest {
	a := pick(c.rnd, agents...)
	name := pick[moothall.ToolName](c.rnd, "say", "copy", "cp", "web_search", "web_fetch", "memory_read", "memory_write", "run_shell", "mcp_send", "mcp_here", "nothing", "")
	args := pick(c.rnd, `{}`, ``, `{`, `{"query":"known words"}`, `{"query":"secret words"}`, `{"url":"https://known.example/a"}`, `{"url":"https://evil.example/?a"}`,
		`{"command":"ls"}`, `{"command":7}`, `{"path":"/home/me/a"}`, `{"path":"/etc/passwd"}`, `{"to":"/home/me/out/a"}`, `{"a":1,"a":2}`, fmt.Sprintf(`{"n":%d}`, c.rnd.IntN(1000)))
	if c.rnd.IntN(2) == 0 { // a call that makes sense
		pair := pick(c.rnd, [][2]string{
			{"run_shell", `{"command":"ls"}`}, {"copy", `{"path":"/home/me/a","to":"/home/me/out/a"}`}, {"web_search", `{"query":"known words"}`},
			{"web_fetch", `{"url":"https://known.example/a"}`}, {"memory_read", `{}`}, {"memory_write", `{}`}, {"say", `{}`},
			{"mcp_here", `{"text":"known words"}`}, {"mcp_here", `{"text":"other words"}`}, {"copy", `{"to":"/home/me/out/old"}`}, {"web_search", `{"query":"plain words"}`},
		}...)
		name, args = moothall.ToolName(pair[0]), pair[1]
	}
	r := request(a, name, args)
	if c.rnd.IntN(40) == 0 && last != "" {
		r.Call.ID = last
	}
	switch c.rnd.IntN(20) {
	case 0:
		r.Lineage = moothall.Lineage{"made up", a.ID}
	case 1:
		r.Session = "made up"
	case 2, 3, 4:
		r.Lineage = a.Lineage
	}
	r.Call.Arguments = json.RawMessage(args)
	return r
}

// compare executes what was validated. Who is asked leaves.
func (c caller) compare(t *testing.T, r moothall.CallRequest, dry moothall.Decision) {
	c.record.take(r.Call.ID) // what an earlier call of this id left
	var got moothall.Decision
	for p, err := range c.h.chat.Execute(context.Background(), r) {
		if err != nil {
			t.Error(err)
			return
		}
		if p.Result == nil {
			got.Verdict = moothall.Ask
			break
		}
		got = p.Result.Decision
	}
	status := map[moothall.Verdict]string{moothall.Allow: "intent ", moothall.Ask: "asked ", moothall.Deny: "denied "}[dry.Verdict]
	line := c.record.take(r.Call.ID)
	if dry.Verdict != moothall.Ask && got != dry || got.Verdict != dry.Verdict || line != status+dry.Layer+"/"+dry.Rule {
		t.Errorf("%s %s: dry %+v, real %+v, on record %q", r.Call.Name, r.Call.Arguments, dry, got, line)
	}
	c.seen[string(dry.Verdict)+" "+dry.Layer+"/"+dry.Rule]++
}

func TestValidateLeavesNoTrace(t *testing.T) {
	t.Parallel()
	h := open(t, append(append(web(), risky()[0]), files()...))
	a := h.spawn(moothall.SpawnRequest{})
	h.call(request(a, "web_search", `{"query":"x"}`))
	h.call(request(a, "copy", `{}`)) // these have written all when they return
	trace := func() string {
		s := fmt.Sprint(len(h.audit.Records()), h.db.Stats().Writes, h.Stats())
		for _, table := range []string{"broker_tasks", "broker_calls", "broker_approvals", "broker_sessions", "broker_agents"} {
			s += h.dump(table)
		}
		return s
	}
	before := trace()
	for _, name := range []moothall.ToolName{"say", "copy", "run_shell", "web_fetch", "nothing"} {
		for range 5 {
			h.verdict(a, name, `{"command":"ls","url":"x"}`)
		}
	}
	if after := trace(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}
