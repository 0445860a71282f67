package policy

import (
	_ "embed"
	"fmt"

	"github.com/cedar-policy/cedar-go"
)

//go:embed policy.cedar
var cedarText []byte

// newCedar turns the table round: each tool knows the types that have it,
// since Cedar compares sets and does not go through a chain.
func newCedar(t table) (engine, error) {
	policies, err := cedar.NewPolicySetFromBytes("policy.cedar", cedarText)
	if err != nil {
		return engine{}, err
	}
	asks := map[cedar.PolicyID]bool{}
	for id, p := range policies.All() {
		asks[id] = p.Annotations()["verdict"] == "ask"
	}
	entities := cedar.EntityMap{}
	for _, tool := range t.tools {
		uid := cedar.NewEntityUID("Tool", cedar.String(tool))
		entities[uid] = cedar.Entity{UID: uid, Attributes: cedar.NewRecord(cedar.RecordMap{
			"allowed": having(t.types, t.allowed, tool), "ceiling": having(t.types, t.ceiling, tool),
		})}
	}
	return engine{"cedar", func(f facts) (func() (string, error), error) {
		req := cedarRequest(f)
		return func() (string, error) {
			ok, why := cedar.Authorize(policies, entities, req)
			if len(why.Errors) > 0 {
				return "", fmt.Errorf("policy: %v", why.Errors)
			}
			if ok == cedar.Allow {
				return "allow", nil
			}
			for _, r := range why.Reasons {
				if !asks[r.PolicyID] || f.unattended {
					return "deny", nil
				}
			}
			return "ask", nil
		}, nil
	}}, nil
}

func having(types []string, table map[string]map[string]bool, tool string) cedar.Set {
	var out []cedar.Value
	for _, t := range types {
		if table[t][tool] {
			out = append(out, cedar.NewEntityUID("Type", cedar.String(t)))
		}
	}
	return cedar.NewSet(out...)
}

func cedarRequest(f facts) cedar.Request {
	uids := func(kind cedar.EntityType, names []string) cedar.Set {
		var out []cedar.Value
		for _, n := range names {
			out = append(out, cedar.NewEntityUID(kind, cedar.String(n)))
		}
		return cedar.NewSet(out...)
	}
	var inside []cedar.Value
	for _, in := range f.inside {
		inside = append(inside, cedar.Boolean(in))
	}
	return cedar.Request{
		Principal: cedar.NewEntityUID("Type", cedar.String(f.own())), Action: cedar.NewEntityUID("Action", "call"),
		Resource: cedar.NewEntityUID("Tool", cedar.String(f.tool)),
		Context: cedar.NewRecord(cedar.RecordMap{
			"above": uids("Type", f.above()), "disabled": uids("Tool", f.disabled), "inside": cedar.NewSet(inside...),
			"risk": cedar.Long(f.risk), "labels": cedar.Long(f.labels), "problems": cedar.Long(f.problems),
			"repeats": cedar.Long(f.repeats), "calls": cedar.Long(f.calls), "level": cedar.String(f.level),
			"builtin": cedar.Boolean(f.builtIn), "sends": cedar.Boolean(f.sends), "known": cedar.Boolean(f.sends && f.known),
			"lineage": cedar.Boolean(f.lineage), "approved": cedar.Boolean(f.approved),
		}),
	}
}
