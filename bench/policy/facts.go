package policy

import (
	"fmt"
	"math/rand/v2"
)

// table is a manifest in plain words: which tools each type may call, and
// hand down.
type table struct {
	tools   []string
	types   []string
	allowed map[string]map[string]bool // by type
	ceiling map[string]map[string]bool
}

// newTable has n types and n tools; full gives everything to everyone, as the
// benchmarks need for a call that passes.
func newTable(n int, full bool, rng *rand.Rand) table {
	t := table{allowed: map[string]map[string]bool{}, ceiling: map[string]map[string]bool{}}
	for i := range n {
		t.tools = append(t.tools, fmt.Sprintf("tool_%d", i))
		t.types = append(t.types, fmt.Sprintf("type_%d", i))
	}
	for _, ty := range t.types {
		t.allowed[ty], t.ceiling[ty] = map[string]bool{}, map[string]bool{}
		for _, tool := range t.tools {
			if full || rng.IntN(4) > 0 {
				t.allowed[ty][tool], t.ceiling[ty][tool] = true, true
			} else if rng.IntN(4) > 0 {
				t.ceiling[ty][tool] = true
			}
		}
	}
	return t
}

// facts are one call.
type facts struct {
	chain      []string // types from the root to the caller
	tool       string
	risk       int // 0 none, 1 read, 2 send, 3 write, 4 high
	builtIn    bool
	sends      bool   // the tool's spec names a text that leaves the machine
	known      bool   // and that text is known to be harmless
	level      string // none, relax, all
	disabled   []string
	lineage    bool
	labels     int // 1 untrusted, 2 private
	inside     []bool
	problems   int
	repeats    int
	calls      int
	unattended bool
	approved   bool
}

// passing is a call that every layer looks at and lets pass.
func passing(t table, depth int) facts {
	return facts{
		chain: t.types[:depth+1], tool: t.tools[len(t.tools)-1], risk: 2, builtIn: true, sends: true, known: true, level: "none",
		disabled: []string{"tool_x"}, lineage: true, labels: 3, inside: []bool{true, true}, repeats: 1, calls: 17,
	}
}

// random spreads its facts so that each layer objects now and then.
func random(t table, rng *rand.Rand) facts {
	oneIn := func(n int) bool { return rng.IntN(n) == 0 }
	f := facts{
		tool: t.tools[rng.IntN(len(t.tools))], risk: rng.IntN(5), builtIn: !oneIn(4), sends: oneIn(3), known: oneIn(2),
		level: []string{"none", "none", "relax", "all"}[rng.IntN(4)], lineage: !oneIn(12), labels: rng.IntN(4),
		repeats: rng.IntN(4), calls: rng.IntN(210), unattended: oneIn(4), approved: oneIn(4),
	}
	for range 1 + rng.IntN(3) {
		f.chain = append(f.chain, t.types[rng.IntN(len(t.types))])
		f.inside = append(f.inside, !oneIn(9))
	}
	if oneIn(6) {
		f.disabled = []string{t.tools[rng.IntN(len(t.tools))]}
	}
	if oneIn(12) {
		f.problems = 1
	}
	return f
}

func (f facts) own() string { return f.chain[len(f.chain)-1] }

func (f facts) above() []string { return f.chain[:len(f.chain)-1] }

// engine decides calls that are prepared in its own form.
type engine struct {
	name string
	// prepare returns a function that decides one call again and again.
	prepare func(facts) (func() (string, error), error)
}

// engines builds all four over one table.
func engines(t table) ([]engine, error) {
	var out []engine
	for _, open := range []func(table) (engine, error){newOurs, newOPA, newCedar, newCEL} {
		e, err := open(t)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
