package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"moothall"
)

// history folds statements of one functional group as the service does.
func history(t *testing.T, said []Statement) []Fact {
	t.Helper()
	var facts []Fact
	for _, s := range said {
		var near []Fact
		for _, f := range facts {
			if f.span().overlaps(s.reach()) {
				near = append(near, f)
			}
		}
		carrier, changed := fold(near, s)
		if carrier.Object != s.Object || carrier.Trust != s.Trust {
			t.Fatalf("%+v is carried by %+v", s, carrier)
		}
		for _, c := range changed {
			i := slices.IndexFunc(facts, func(f Fact) bool { return f.ID == c.ID })
			if i < 0 {
				facts = append(facts, c)
				continue
			}
			if was := facts[i]; rank(was.Trust) > rank(s.Trust) {
				t.Fatalf("%+v changed the more trusted %+v", s, was)
			}
			facts[i] = c
		}
	}
	return facts
}

// randomStatements are about one subject and few objects and moments, so that
// everything meets everything.
func randomStatements(r *rand.Rand, n int) []Statement {
	trusts := []moothall.Trust{moothall.TrustExternal, moothall.TrustModel, moothall.TrustPerson}
	out := make([]Statement, n)
	for i := range out {
		s := Statement{
			ID: fmt.Sprintf("s%03d", i), Subject: "ana", Relation: "lives_in", Object: EntityID(rune('a' + r.IntN(4))),
			From: Unknown, To: Forever, Observed: Instant(r.IntN(30)), Confidence: float64(1+r.IntN(10)) / 10, Trust: trusts[r.IntN(3)],
		}
		if r.IntN(2) == 0 {
			s.From = Instant(r.IntN(30))
		}
		if r.IntN(4) == 0 {
			s.To = max(s.From, 0) + 1 + Instant(r.IntN(10))
		}
		out[i] = s
	}
	return out
}

func TestFoldKeepsItsPromises(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		said := randomStatements(r, 1+r.IntN(25))
		facts := history(t, said)
		checkKept(t, seed, said, facts)
		checkOneAtATime(t, seed, facts)
		if !slices.Equal(facts, history(t, said)) {
			t.Fatalf("seed %d: folding again gives other facts", seed)
		}
		if t.Failed() {
			return
		}
	}
}

// checkKept: whatever was said is in some fact, whatever closed it.
func checkKept(t *testing.T, seed uint64, said []Statement, facts []Fact) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range facts {
		if f.Start > f.End {
			t.Errorf("seed %d: %+v ends before it begins", seed, f)
		}
		if seen[f.ID] {
			t.Errorf("seed %d: two facts with the id %s", seed, f.ID)
		}
		seen[f.ID] = true
	}
	for _, s := range said {
		if !slices.ContainsFunc(facts, func(f Fact) bool { return f.Object == s.Object && f.Trust == s.Trust }) {
			t.Errorf("seed %d: nothing is left of %+v", seed, s)
		}
	}
}

// checkOneAtATime: of facts of equal trust, at most one holds at any moment.
func checkOneAtATime(t *testing.T, seed uint64, facts []Fact) {
	t.Helper()
	for i, a := range facts {
		for _, b := range facts[i+1:] {
			if a.Trust == b.Trust && a.span().overlaps(b.span()) {
				t.Errorf("seed %d: both hold:\n%+v\n%+v", seed, a, b)
			}
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	person, web := moothall.TrustPerson, moothall.TrustExternal
	say := func(object string, from, to, observed Instant, trust moothall.Trust) Statement {
		return Statement{Subject: "ana", Relation: "lives_in", Object: EntityID(object), From: from, To: to, Observed: observed, Trust: trust, Confidence: 1}
	}
	for name, c := range map[string]struct {
		said []Statement
		want string
	}{
		"superseded":             {[]Statement{say("p", 10, Forever, 10, person), say("l", 20, Forever, 21, person)}, "p[10,20) l[20,-)"},
		"without beginning":      {[]Statement{say("p", Unknown, Forever, 10, person), say("l", Unknown, Forever, 21, person)}, "p[10,21) l[21,-)"},
		"late arrival":           {[]Statement{say("l", 20, Forever, 20, person), say("p", 10, Forever, 10, person)}, "l[20,-) p[10,20)"},
		"said again":             {[]Statement{say("p", Unknown, Forever, 10, person), say("p", Unknown, Forever, 15, person)}, "p[10,-)"},
		"said again, longer":     {[]Statement{say("p", Unknown, Forever, 10, person), say("p", 5, Forever, 15, person)}, "p[5,-)"},
		"back again":             {[]Statement{say("p", Unknown, Forever, 10, person), say("l", Unknown, Forever, 20, person), say("p", Unknown, Forever, 30, person)}, "p[10,20) l[20,30) p[30,-)"},
		"ended":                  {[]Statement{say("p", Unknown, Forever, 10, person), say("p", Unknown, 15, 16, person)}, "p[10,15)"},
		"ended, begun unknown":   {[]Statement{say("p", Unknown, 15, 16, person)}, "p[15,15)"},
		"in between":             {[]Statement{say("p", 10, Forever, 10, person), say("g", 20, 25, 40, person)}, "p[10,20) g[20,25) p[25,-)"},
		"never so":               {[]Statement{say("p", 22, Forever, 22, person), say("l", 20, Forever, 24, person)}, "p[22,22) l[20,-)"},
		"the web against person": {[]Statement{say("p", 10, Forever, 10, person), say("l", 20, Forever, 21, web)}, "p[10,-) l[20,-)"},
		"the web agrees longer":  {[]Statement{say("p", 10, Forever, 10, person), say("l", 20, Forever, 20, person), say("p", 10, Forever, 30, web)}, "p[10,20) l[20,-) p[10,-)"},
		"person against the web": {[]Statement{say("l", 10, Forever, 10, web), say("p", 20, Forever, 21, person)}, "l[10,20) p[20,-)"},
		"older person, web":      {[]Statement{say("l", 20, Forever, 20, web), say("p", 10, Forever, 10, person)}, "l[20,-) p[10,-)"},
		"will be":                {[]Statement{say("p", 10, Forever, 10, person), say("l", 99, Forever, 21, person)}, "p[10,99) l[99,-)"},
	} {
		for i := range c.said {
			c.said[i].ID = fmt.Sprint("s", i)
		}
		got := ""
		for i, f := range history(t, c.said) {
			if i > 0 {
				got += " "
			}
			end := fmt.Sprint(int64(f.End))
			if f.End == Forever {
				end = "-"
			}
			got += fmt.Sprintf("%s[%d,%s)", f.Object, f.Start, end)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a & b", `"'<>`, "\x00\x01\uFFFE", "\xff", "]]>", "</data>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkEscaped(t, s) })
}
