package daemon_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/policy"
)

// may says, from the manifest's rows alone, whether the last of a chain may
// call a tool, and which layer objects when it may not: an agent has what its
// own row allows, as far as every row above allows it or hands it down.
func may(m policy.Manifest, chain []moothall.AgentType, tool moothall.ToolName) (bool, string) {
	if !slices.Contains(m.Types[chain[len(chain)-1]].Allowed, tool) {
		return false, policy.LayerManifest
	}
	for _, above := range chain[:len(chain)-1] {
		if row := m.Types[above]; !slices.Contains(row.Allowed, tool) && !slices.Contains(row.Delegates, tool) {
			return false, policy.LayerLineage
		}
	}
	return true, ""
}

// court is a hall's real broker, asked as the orchestrator.
type court struct {
	t     *testing.T
	s     *stage
	b     moothall.Broker
	tools []moothall.ToolSpec
}

func newCourt(t *testing.T, own policy.Manifest) (*court, policy.Manifest) {
	t.Helper()
	s := furnished(t)
	if len(own.Types) > 0 {
		lay(t, s.home.Manifest(), manifestFile(own))
	}
	s.open()
	b, err := s.hall.Broker(moothall.Orchestrator)
	if err != nil {
		t.Fatal(err)
	}
	c := &court{t: t, s: s, b: b}
	if c.tools, err = s.client.Broker().Tools(t.Context(), moothall.Scope{}); err != nil || len(c.tools) < 15 {
		t.Fatalf("%d tools, %v", len(c.tools), err)
	}
	return c, policy.DefaultManifest().Merge(own)
}

// spawn makes a chain of agents. It returns the last of them and how many of
// the chain there are: fewer when one may not be had.
func (c *court) spawn(m policy.Manifest, chain []moothall.AgentType) (moothall.Agent, int) {
	c.t.Helper()
	var a moothall.Agent
	for i, kind := range chain {
		r := moothall.SpawnRequest{Scope: moothall.Scope{Session: "court", Lineage: a.Lineage}, Parent: a.Handle, Type: kind, Unattended: true}
		next, err := c.b.Spawn(c.t.Context(), r)
		wanted := i == 0 || slices.Contains(m.Types[chain[i-1]].Spawns, kind)
		switch {
		case wanted && err != nil:
			c.t.Fatalf("%v: %s cannot be had: %v", chain, kind, err)
		case !wanted && moothall.ErrorCode(err) != moothall.CodeDenied:
			c.t.Fatalf("%v: %s was let in: %v", chain, kind, err)
		case !wanted:
			return a, i
		}
		a = next
	}
	return a, len(chain)
}

// try calls every tool there is, as the last of a chain.
func (c *court) try(m policy.Manifest, chain []moothall.AgentType, a moothall.Agent) (refused int) {
	c.t.Helper()
	var offered []moothall.ToolName
	for _, spec := range c.tools {
		ok, layer := may(m, chain, spec.Name)
		if ok {
			offered = append(offered, spec.Name)
		}
		for _, name := range append([]moothall.ToolName{spec.Name}, spec.Aliases...) {
			r := moothall.CallRequest{
				Scope: moothall.Scope{Session: "court", Lineage: a.Lineage}, Agent: a.Handle,
				Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: name, Arguments: json.RawMessage(`{}`)},
			}
			d, err := c.b.Validate(c.t.Context(), r)
			if err != nil {
				c.t.Fatal(err)
			}
			objected := d.Layer == policy.LayerManifest || d.Layer == policy.LayerLineage
			if ok == (objected && d.Verdict == moothall.Deny) || !ok && d.Layer != layer {
				c.t.Errorf("%v %s: %+v, want %v %s", chain, name, d, ok, layer)
			}
			if !ok && name == spec.Name {
				refused++
				c.refused(r, layer)
			}
		}
	}
	c.discovered(chain, a, offered)
	return refused
}

// refused makes the call for real: nothing runs.
func (c *court) refused(r moothall.CallRequest, layer string) {
	c.t.Helper()
	for p, err := range c.b.Execute(c.t.Context(), r) {
		if err != nil || p.Result == nil || p.Result.Status != moothall.CallDenied || !strings.Contains(p.Result.Text, layer) {
			c.t.Errorf("%s: %+v, %v", r.Call.Name, p.Result, err)
		}
	}
}

// discovered wants an agent to be offered what it may call, and no more.
func (c *court) discovered(chain []moothall.AgentType, a moothall.Agent, want []moothall.ToolName) {
	c.t.Helper()
	specs, err := c.b.Discover(c.t.Context(), moothall.DiscoverRequest{
		Scope: moothall.Scope{Session: "court", Lineage: a.Lineage}, Agent: a.Handle, Task: "anything", Window: 1 << 20,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	var got []moothall.ToolName
	for _, s := range specs {
		got = append(got, s.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.t.Errorf("%v is offered %v, want %v", chain, got, want)
	}
}

// TestLineage goes through every pair of types in the manifest, alone and
// under the orchestrator, and through the longest chain that it allows.
func TestLineage(t *testing.T) {
	t.Parallel()
	c, m := newCourt(t, policy.Manifest{})
	kinds := slices.Sorted(maps.Keys(m.Types))
	chains := [][]moothall.AgentType{{"orchestrator", "sysadmin", "coder", "researcher"}}
	for _, above := range kinds {
		chains = append(chains, []moothall.AgentType{above})
		for _, below := range kinds {
			chains = append(chains, []moothall.AgentType{above, below}, []moothall.AgentType{"orchestrator", above, below})
		}
	}
	whole, refused := 0, 0
	for _, chain := range chains {
		if a, n := c.spawn(m, chain); n == len(chain) {
			whole++
			refused += c.try(m, chain, a)
		}
	}
	t.Logf("%d chains, %d of them to be had, %d calls refused", len(chains), whole, refused)
	if whole < 15 || refused < 100 {
		t.Errorf("%d chains, %d refusals: this did not test much", whole, refused)
	}
	c.recorded(refused)
}

// recorded wants every refusal on record, by its layer, and no call to have
// been made.
func (c *court) recorded(want int) {
	c.t.Helper()
	got := 0
	for e, err := range daemon.ShowAudit(c.t.Context(), c.s.home, daemon.AuditFilter{Action: moothall.ActionToolCall}, false) {
		if err != nil {
			c.t.Fatal(err)
		}
		if e.Status != moothall.StatusDenied || e.Rule != "manifest/not_allowed" && e.Rule != "lineage/ancestor" || len(e.Lineage) == 0 {
			c.t.Errorf("on record: %+v", e)
		}
		got++
	}
	if got != want {
		c.t.Errorf("%d refusals on record, want %d", got, want)
	}
}

// TestLineageOfOwnTypes: a person's own manifest with children that are wider
// than their parents.
func TestLineageOfOwnTypes(t *testing.T) {
	t.Parallel()
	wide := []moothall.ToolName{"fs_read", "fs_write", "run_code", "run_shell", "web_search", "memory_write", "now"}
	home := map[moothall.ToolName][]string{"fs_read": {"~/"}, "fs_write": {"~/"}}
	own := map[moothall.AgentType]policy.Type{
		"narrow": {Allowed: []moothall.ToolName{"now"}, Spawns: []moothall.AgentType{"wide"}},
		"widest": {Allowed: wide, Spawns: []moothall.AgentType{"narrow", "wide", "keeper"}, Paths: home},
		"wide":   {Allowed: wide, Paths: home},
		"lender": {Delegates: []moothall.ToolName{"fs_read", "now"}, Spawns: []moothall.AgentType{"wide", "narrow", "keeper"}},
		"keeper": {
			Allowed: []moothall.ToolName{"fs_read", "fs_write"}, Spawns: []moothall.AgentType{"wide"},
			Paths: map[moothall.ToolName][]string{"fs_read": {"~/projects/"}, "fs_write": {"~/projects/"}},
		},
	}
	c, m := newCourt(t, policy.Manifest{Types: own})
	refused := 0
	for _, chain := range [][]moothall.AgentType{
		{"narrow", "wide"}, {"widest", "wide"}, {"widest", "narrow", "wide"}, {"lender", "wide"}, {"lender", "narrow", "wide"},
		{"lender", "keeper", "wide"}, {"keeper", "wide"}, {"widest", "keeper", "wide"},
	} {
		a, n := c.spawn(m, chain)
		if n != len(chain) {
			t.Fatalf("%v: only %d", chain, n)
		}
		refused += c.try(m, chain, a)
	}
	c.recorded(refused)
	// Folders narrow in the same way.
	a, _ := c.spawn(m, []moothall.AgentType{"keeper", "wide"})
	for path, inside := range map[string]bool{"projects/a.txt": true, "a.txt": false} {
		args, err := json.Marshal(map[string]string{"path": filepath.Join(c.s.user, path), "content": "x"})
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.b.Validate(t.Context(), moothall.CallRequest{
			Scope: moothall.Scope{Session: "court", Lineage: a.Lineage}, Agent: a.Handle, Call: moothall.ToolCall{ID: "w", Name: "fs_write", Arguments: args},
		})
		if err != nil || (d.Verdict == moothall.Allow) != inside || !inside && d.Layer != policy.LayerPaths {
			t.Errorf("%s: %+v, %v", path, d, err)
		}
	}
	// Who claims to be another is refused whatever it may do.
	d, err := c.b.Validate(t.Context(), moothall.CallRequest{
		Scope: moothall.Scope{Session: "court", Lineage: moothall.Lineage{a.ID}}, Agent: a.Handle, Call: moothall.ToolCall{ID: "f", Name: "fs_read", Arguments: json.RawMessage(`{}`)},
	})
	if err != nil || d.Verdict != moothall.Deny || d.Rule != "lineage_mismatch" {
		t.Errorf("a forged lineage: %+v, %v", d, err)
	}
}
