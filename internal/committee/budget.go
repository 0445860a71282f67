package committee

import (
	"time"

	"moothall/internal/engine"
)

// weightOfSelf is how many runs of a persona the Self's counts for: it reads
// everybody, and may be asked again.
const weightOfSelf = 2

// left is what may still be spent. Zero means no limit, so what is spent up is
// below zero.
func (m *meeting) left() (tokens int, wall time.Duration) {
	s := m.c.opt.Settings
	if s.Tokens > 0 {
		if tokens = s.Tokens - m.out.Usage.PromptTokens - m.out.Usage.OutputTokens; tokens <= 0 {
			tokens = -1
		}
	}
	if s.Time > 0 {
		if wall = s.Time - m.c.opt.Now().Sub(m.began); wall <= 0 {
			wall = -1
		}
	}
	return tokens, wall
}

// share divides what is left among the runs to come, for one of a persona.
// open runs of this round have not begun. Runs beside one another share their
// time.
func (m *meeting) share(n, open int) engine.Limits {
	runs, slots := open, m.slots(open)
	for later := n + 1; later <= m.q.Rounds; later++ {
		k := len(m.of(later))
		runs += k
		slots += m.slots(k)
	}
	tokens, wall := m.left()
	return engine.Limits{
		Rounds: m.c.opt.Settings.ToolTurns + 1, Retries: -1,
		Tokens: part(tokens, runs+weightOfSelf), Time: part(wall, slots+weightOfSelf),
	}
}

// shareOfSelf is all that is left. The second result is false when that is
// nothing.
func (m *meeting) shareOfSelf() (engine.Limits, bool) {
	tokens, wall := m.left()
	if tokens < 0 || wall < 0 {
		return engine.Limits{}, false
	}
	return engine.Limits{Tokens: tokens, Time: wall}, true
}

// affords reports whether a round can be paid for by what is left besides the
// Self's share, judged by what runs took so far.
func (m *meeting) affords(n int) bool {
	runs := len(m.of(n))
	ran := len(m.out.Deliberations)
	tokens, wall := m.left()
	if tokens < 0 || wall < 0 {
		return false
	}
	used := m.out.Usage.PromptTokens + m.out.Usage.OutputTokens
	if tokens > 0 && tokens < used/ran*(runs+weightOfSelf) {
		return false
	}
	took := m.c.opt.Now().Sub(m.began)
	return wall == 0 || wall >= took/time.Duration(m.slots(ran))*time.Duration(m.slots(runs)+weightOfSelf)
}

// slots is how many runs stand one behind another when k are made.
func (m *meeting) slots(k int) int {
	p := m.c.opt.Settings.Parallel
	return (k + p - 1) / p
}

// part is a share of what there is, at least the smallest amount that is not
// "no limit".
func part[T int | time.Duration](all T, of int) T {
	switch {
	case all == 0:
		return 0
	case all < 0:
		return 1
	}
	return max(all/T(of), 1)
}
