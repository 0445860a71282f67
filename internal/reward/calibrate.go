package reward

import (
	"cmp"
	"math"
	"slices"

	"moothall"
)

const (
	far       = 2  // grades apart: a disagreement worth looking at
	maxDiffer = 10 // of them are named on either side
)

// calibration compares the critic's grades with a person's.
type calibration struct {
	moothall.Calibration
	harsh, kind []differs
}

// differs is an answer on which the two are far apart.
type differs struct {
	query string
	by    int // critic minus person
	at    int64
}

// add counts one answer.
func (c *calibration) add(r row) {
	if r.grade != notGraded {
		c.Attempts++
	}
	if r.grade == 0 {
		c.Unknown++
	}
	if r.grade < 1 || r.person == 0 {
		return
	}
	c.Both++
	c.Table[r.person-1][r.grade-1]++
	switch d := r.grade - r.person; {
	case d <= -far:
		c.harsh = append(c.harsh, differs{r.query, d, r.at})
	case d >= far:
		c.kind = append(c.kind, differs{r.query, d, r.at})
	}
}

// compared counts the comparison of a turn, which stands in each of its rows.
func (c *calibration) compared(turn []row) {
	has := func(results ...int) bool {
		return slices.ContainsFunc(turn, func(r row) bool { return slices.Contains(results, r.result) })
	}
	switch {
	case has(won, lost):
		c.Attempts++
		c.Pairs++
	case has(tied):
		c.Attempts++
		c.Pairs++
		c.Tied++
	case has(unclear):
		c.Attempts++
		c.Unknown++
	}
}

func (c *calibration) report() moothall.Calibration {
	out := c.Calibration
	agree, bias := 0, 0
	for p, line := range c.Table {
		for g, n := range line {
			if side(p) == side(g) {
				agree += n
			}
			bias += n * (g - p)
		}
	}
	out.Agree, out.Bias = mean(float64(agree), c.Both), mean(float64(bias), c.Both)
	out.Correlation = spearman(c.Table)
	out.Harsh, out.Kind = worst(c.harsh), worst(c.kind)
	return out
}

// side is on which side of the middle a grade lies; grades are counted from 0.
func side(grade int) int { return cmp.Compare(grade, 2) }

// worst names the answers on which critic and person are furthest apart, the
// newest first where they are equally far.
func worst(all []differs) []moothall.QueryID {
	abs := func(d differs) int { return max(d.by, -d.by) }
	slices.SortFunc(all, func(a, b differs) int {
		return cmp.Or(cmp.Compare(abs(b), abs(a)), cmp.Compare(b.at, a.at), cmp.Compare(a.query, b.query))
	})
	var out []moothall.QueryID
	for _, d := range all {
		if id := moothall.QueryID(d.query); len(out) < maxDiffer && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// spearman is the rank correlation of the two sides of a table of counts,
// where equal grades share the mean of their ranks. It is 0 when one side has
// only one grade.
func spearman(table [5][5]int) float64 {
	var people, critics [5]int
	n := 0
	for p, line := range table {
		for g, count := range line {
			people[p] += count
			critics[g] += count
			n += count
		}
	}
	x, y := ranks(people), ranks(critics)
	middle := float64(n+1) / 2
	var xy, xx, yy float64
	for p, line := range table {
		for g, count := range line {
			dx, dy := x[p]-middle, y[g]-middle
			xy += float64(count) * dx * dy
			xx += float64(count) * dx * dx
			yy += float64(count) * dy * dy
		}
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks gives each grade the mean of the ranks that its answers take.
func ranks(counts [5]int) (out [5]float64) {
	before := 0
	for i, n := range counts {
		out[i] = float64(before) + float64(n+1)/2
		before += n
	}
	return out
}
