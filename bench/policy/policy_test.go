package policy

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Before anything is timed the engines must mean the same policy.
func TestEnginesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	reached := map[string]int{}
	for range 20 {
		all := build(t, newTable(8, false, rng))
		for range 250 {
			f := random(all.table, rng)
			want := ""
			for _, e := range all.engines {
				got := verdict(t, e, f)
				if want == "" {
					want = got
				}
				if got != want {
					t.Fatalf("%s says %s, %s says %s: %+v", all.engines[0].name, want, e.name, got, f)
				}
			}
			reached[want]++
		}
	}
	for _, v := range []string{"allow", "deny", "ask"} {
		if reached[v] < 100 {
			t.Errorf("%s only %d times: the calls are too much alike", v, reached[v])
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{8, 80, 800} {
		all := build(b, newTable(n, true, nil))
		for _, depth := range []int{0, 4} {
			allow := passing(all.table, depth)
			deny := allow
			deny.calls = 200
			for _, e := range all.engines {
				b.Run(fmt.Sprintf("allow/types=%d/depth=%d/%s", n, depth, e.name), func(b *testing.B) { measure(b, e, allow, "allow") })
				b.Run(fmt.Sprintf("deny/types=%d/depth=%d/%s", n, depth, e.name), func(b *testing.B) { measure(b, e, deny, "deny") })
			}
		}
	}
}

type built struct {
	table   table
	engines []engine
}

func build(tb testing.TB, t table) built {
	tb.Helper()
	e, err := engines(t)
	if err != nil {
		tb.Fatal(err)
	}
	return built{t, e}
}

func verdict(tb testing.TB, e engine, f facts) string {
	tb.Helper()
	decide, err := e.prepare(f)
	if err != nil {
		tb.Fatal(e.name, err)
	}
	got, err := decide()
	if err != nil {
		tb.Fatal(e.name, err)
	}
	return got
}

func measure(b *testing.B, e engine, f facts, want string) {
	decide, err := e.prepare(f)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if got, err := decide(); err != nil || got != want {
			b.Fatalf("%s, %v", got, err)
		}
	}
}
