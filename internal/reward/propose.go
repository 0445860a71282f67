package reward

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"moothall"
)

// model is who competes: a model in a role, as whichever respondent.
type model struct {
	role           moothall.ModelRole
	provider, name string
}

// match is one model against another; the smaller name stands first.
type match struct{ a, b model }

// record is how matches of two models ended.
type record struct{ a, b, ties int }

func (s *sum) modelOf(source int64) model {
	t := s.sources[source]
	return model{t.Role, t.Provider, t.Model}
}

// meet counts a comparison of two answers. Who lost beside another loser was
// not compared with it.
func (s *sum) meet(x, y row) {
	a, b := s.modelOf(x.source), s.modelOf(y.source)
	if a == b || a.role != b.role {
		return
	}
	if compareModels(a, b) > 0 {
		a, b, x, y = b, a, y, x
	}
	var add record
	switch {
	case x.result == won:
		add.a++
	case y.result == won:
		add.b++
	case x.result == tied:
		add.ties++
	default:
		return
	}
	m := match{a, b}
	if s.matches[m] == nil {
		s.matches[m] = new(record)
	}
	r := s.matches[m]
	r.a, r.b, r.ties = r.a+add.a, r.b+add.b, r.ties+add.ties
}

func compareModels(a, b model) int {
	return cmp.Or(cmp.Compare(a.role, b.role), cmp.Compare(a.provider, b.provider), cmp.Compare(a.name, b.name))
}

// against returns wins, losses and ties of one model with another.
func (s *sum) against(a, b model) (wins, losses, ties int) {
	if r := s.matches[match{a, b}]; r != nil {
		return r.a, r.b, r.ties
	}
	if r := s.matches[match{b, a}]; r != nil {
		return r.b, r.a, r.ties
	}
	return 0, 0, 0
}

// whole sums a model's scores over its respondents.
func (s *sum) whole() map[model]*tally {
	out := map[model]*tally{}
	for id, t := range s.sources {
		m := s.modelOf(id)
		if out[m] == nil {
			out[m] = new(tally)
		}
		w := out[m]
		w.Answers, w.Failed = w.Answers+t.Answers, w.Failed+t.Failed
		w.graded, w.points = w.graded+t.graded, w.points+t.points
		w.took = append(w.took, t.took...)
	}
	return out
}

// bound returns which role of the gateway gives the answers of a role of the
// report. A committee's answer is of several models and proposes nothing.
func bound(r moothall.ModelRole) moothall.ModelRole {
	if r == roleTask {
		return moothall.ModelOrchestrator
	}
	return r
}

// inUse finds the model of a role; without one of its own a role is done by
// the one for chat.
func inUse(bindings []moothall.ModelBinding, role moothall.ModelRole) (moothall.ModelBinding, bool) {
	for _, r := range []moothall.ModelRole{role, moothall.ModelChat} {
		for _, b := range bindings {
			if b.Role == r && b.Complexity == "" {
				return b, true
			}
		}
	}
	return moothall.ModelBinding{}, false
}

// propose returns the best model for each role whose model is beaten.
func propose(s *sum, bindings []moothall.ModelBinding, set Settings) []moothall.Proposal {
	out := []moothall.Proposal{}
	whole := s.whole()
	roles := map[moothall.ModelRole]bool{}
	for m := range whole {
		roles[m.role] = true
	}
	for _, role := range slices.Sorted(maps.Keys(roles)) {
		used, ok := inUse(bindings, bound(role))
		if !ok || role == roleCommittee {
			continue
		}
		now := model{role, used.Provider, used.Model}
		if p, ok := better(s, whole, now, set); ok {
			out = append(out, p)
		}
	}
	return out
}

// better finds the model that most surely beats the one in use.
func better(s *sum, whole map[model]*tally, now model, set Settings) (moothall.Proposal, bool) {
	var best model
	most := 0.5 + set.Margin
	for _, m := range slices.SortedFunc(maps.Keys(whole), compareModels) {
		if m.role != now.role || m == now || !plain(m.provider) || !plain(m.name) {
			continue
		}
		wins, losses, _ := s.against(m, now)
		if low := wilson(wins, wins+losses); wins+losses >= set.Pairs && low > most && !worse(whole[m], whole[now], set.Pairs) {
			best, most = m, low
		}
	}
	if best == (model{}) {
		return moothall.Proposal{}, false
	}
	b := moothall.ModelBinding{Role: bound(now.role), Provider: best.provider, Model: best.name}
	return moothall.Proposal{
		Binding: b, Instead: now.provider + "/" + now.name, Because: because(s, whole, best, now),
		Command: fmt.Sprintf("moothall model use %s --role %s", quote(b.Provider+"/"+b.Model), b.Role),
	}, true
}

// worse reports whether what was not compared speaks against a model: lower
// grades, or clearly more failures. now may be unknown to the report.
func worse(m, now *tally, enough int) bool {
	if now == nil {
		return false
	}
	if m.graded >= enough && now.graded >= enough && mean(float64(m.points), m.graded) < mean(float64(now.points), now.graded) {
		return true
	}
	return mean(float64(m.Failed), m.Answers) > mean(float64(now.Failed), now.Answers)+0.05
}

// because says what the proposal stands on.
func because(s *sum, whole map[model]*tally, best, now model) string {
	wins, losses, ties := s.against(best, now)
	n := wins + losses
	out := fmt.Sprintf("%s won %d of %d decided comparisons with %s (%d more were ties), which is at least %.0f %% with 95 %% confidence",
		best.name, wins, n, now.name, ties, math.Floor(100*wilson(wins, n)))
	a, b := whole[best], whole[now]
	if b == nil {
		return out
	}
	if a.graded > 0 && b.graded > 0 {
		out += fmt.Sprintf("; its mean grade is %.2f over %d answers against %.2f over %d",
			mean(float64(a.points), a.graded), a.graded, mean(float64(b.points), b.graded), b.graded)
	}
	if x, y := median(a.took), median(b.took); x > 0 && y > 0 {
		out += fmt.Sprintf("; an answer takes %s against %s", x.Round(time.Millisecond), y.Round(time.Millisecond))
	}
	return out
}

// wilson is the lower end of the Wilson score interval of 95 % for a share of
// wins among n.
func wilson(wins, n int) float64 {
	if n == 0 {
		return 0
	}
	const z = 1.959964
	p, m := float64(wins)/float64(n), float64(n)
	return (p + z*z/(2*m) - z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))) / (1 + z*z/m)
}

// plain reports whether a name can stand in a command that a person is asked
// to type. Names come from events: one that plays tricks is not proposed.
func plain(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == '\'' })
}

// quote protects a word from the shell where it has to be.
func quote(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@+", r)
	}
	if strings.ContainsFunc(word, func(r rune) bool { return !safe(r) }) {
		return "'" + word + "'"
	}
	return word
}
