package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/policy"
)

// trees says how many spawn trees to grow: a million, or a tenth where a
// million would take minutes.
func trees() int {
	if testing.Short() || moottest.Race {
		return 100_000
	}
	return 1_000_000
}

var someFolders = []string{"/", "/a", "/a/b", "/a/b/c", "/ab", "/b", "/b/x", "/b/y"}

// randomManifest has up to six types over ten tools.
func randomManifest(rng *rand.Rand) policy.Manifest {
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{}, Limits: policy.Limits{Depth: rng.IntN(6)}}
	pick := func(one func(i int)) {
		for i := range 10 {
			if rng.IntN(2) == 0 {
				one(i)
			}
		}
	}
	for i := range 2 + rng.IntN(5) {
		t := policy.Type{Paths: map[moothall.ToolName][]string{}}
		pick(func(i int) { t.Allowed = append(t.Allowed, toolName(i)) })
		pick(func(i int) { t.Delegates = append(t.Delegates, toolName(i)) })
		pick(func(i int) { t.Spawns = append(t.Spawns, typeName(i%6)) })
		for _, key := range []moothall.ToolName{policy.ReadPaths, policy.WritePaths, toolName(0)} {
			if rng.IntN(3) > 0 {
				list := []string{}
				for range rng.IntN(4) {
					list = append(list, someFolders[rng.IntN(len(someFolders))])
				}
				t.Paths[key] = list
			}
		}
		m.Types[typeName(i)] = t
	}
	return m
}

func toolName(i int) moothall.ToolName { return moothall.ToolName(fmt.Sprintf("t%d", i)) }

func typeName(i int) moothall.AgentType { return moothall.AgentType(fmt.Sprintf("y%d", i)) }

func TestNoChildHasMoreThanItsAncestors(t *testing.T) {
	t.Parallel()
	const perManifest = 500
	rng := rand.New(rand.NewPCG(4, 2))
	grown, spawned := 0, 0
	for grown < trees() {
		m := randomManifest(rng)
		r := policy.Compile(m, nil)
		types := sorted(m.Types)
		for range perManifest {
			spawned += growTree(t, r, rng, types)
			grown++
		}
		if t.Failed() {
			t.Fatalf("after %d trees; manifest %+v", grown, m)
		}
	}
	t.Logf("%d trees, %d agents", grown, spawned)
	if spawned < grown {
		t.Error("the trees have hardly any branches: nothing was tested")
	}
}

// growTree makes a root and tries six spawns, each below a random agent of
// the tree, and compares every new agent with all above it.
func growTree(t *testing.T, r *policy.Rules, rng *rand.Rand, types []moothall.AgentType) (spawned int) {
	var agents [7]policy.Authority
	var parents [7]int
	agents[0], _ = r.Root(types[rng.IntN(len(types))])
	parents[0] = -1
	n := 1
	for range 6 {
		up := rng.IntN(n)
		o := moothall.Overrides{Level: []string{"none", "relax", "all"}[rng.IntN(3)]}
		child, d := r.Spawn(agents[up], types[rng.IntN(len(types))], n, o)
		if d.Verdict != moothall.Allow {
			continue
		}
		agents[n], parents[n] = child, up
		if child.Depth() > r.Limits().Depth || child.Depth() != agents[up].Depth()+1 {
			t.Errorf("depth %d below %d, limit %d", child.Depth(), agents[up].Depth(), r.Limits().Depth)
		}
		if !child.CallableWithin(child) {
			t.Error("may call more than its own ceiling")
		}
		for above := up; above >= 0; above = parents[above] {
			if !child.CeilingWithin(agents[above]) || !child.CallableWithin(agents[above]) {
				t.Errorf("%v has more than %v", child.Chain(), agents[above].Chain())
			}
			nested(t, child, agents[above])
		}
		n++
	}
	return n - 1
}

// nested holds folders to those of an ancestor that has any of its own. An
// ancestor without folders may lack the list, which is no limit, or have an
// empty one, which the comparison with the plain judge looks at.
func nested(t *testing.T, child, above policy.Authority) {
	for slot := range child.Slots() {
		limit := above.List(slot)
		for _, f := range child.List(slot) {
			if len(limit) > 0 && !slices.ContainsFunc(limit, func(l string) bool { return policy.Inside(f, l) }) {
				t.Errorf("%v reaches %s, outside %v of %v", child.Chain(), f, limit, above.Chain())
			}
		}
	}
}
