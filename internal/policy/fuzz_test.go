package policy_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"moothall"
	"moothall/internal/policy"
)

// Whatever the facts are, Decide returns a well-formed decision, the same
// twice, and none that lets through what no override may.
func FuzzDecide(f *testing.F) {
	rules := defaults()
	other := policy.Compile(policy.DefaultManifest(), nil)
	agents := []policy.Authority{
		{}, chain(f, rules, policy.Generator), chain(f, rules, policy.Orchestrator, policy.Sysadmin, policy.Coder, policy.Researcher),
		chain(f, other, policy.Coder),
	}
	f.Add(uint8(1), []byte(`{"Tool":{"name":"fs_read","risk":"read","origin":"built-in"},"Name":"fs_read","Lineage":true,"Paths":[{"Argument":"path","Access":"read","Asked":"a","Inside":true}]}`))
	f.Add(uint8(2), []byte(`{"Tool":{"name":"web_fetch","risk":"send"},"Labels":"untrusted,private","Sends":[{"Argument":"url"}],"Lineage":true,"Overrides":{"level":"all"}}`))
	f.Add(uint8(3), []byte(`{"Name":"nothing","Overrides":{"level":"relax","disabled":["now"],"grants":[{"type":"coder","tool":"now"}]},"Problems":["a","b","c","d"],"Repeats":-1}`))
	f.Add(uint8(0), []byte(`{"Unattended":true,"Oversize":true,"Calls":1000000}`))
	f.Fuzz(func(t *testing.T, who uint8, data []byte) {
		var c policy.Call
		if json.Unmarshal(data, &c) != nil {
			return
		}
		c.Agent = agents[int(who)%len(agents)]
		d := rules.Decide(&c)
		wellFormed(t, d)
		if again := rules.Decide(&c); again != d {
			t.Errorf("%+v, and then %+v", d, again)
		}
		if !utf8.ValidString(d.Reason) {
			t.Errorf("reason %q is not text", d.Reason)
		}
		hard := c.Agent.Type() == "" || !bool(c.Lineage) || c.Tool == nil || c.Oversize || len(c.Problems) > 0 || c.Repeats >= 3 || c.Calls >= 200
		if hard && d.Verdict != moothall.Deny {
			t.Errorf("nothing may allow this: %+v", d)
		}
	})
}
