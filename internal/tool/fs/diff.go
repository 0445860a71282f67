package fs

import (
	"fmt"
	"slices"
	"strings"
)

const (
	diffContext = 2
	diffLines   = 80       // shown at most
	diffCells   = 1 << 20  // of the table; larger changes are shown as one block
	diffWidth   = 200      // bytes of a line
	diffText    = 10 << 20 // larger texts are not compared
)

// diffOp is one line of a comparison.
type diffOp struct {
	kind byte // ' ', '-', '+'
	line string
}

// Diff compares two texts by lines in the unified form, cut after diffLines
// lines. Equal texts give "".
func Diff(old, new string) string {
	if old == new {
		return ""
	}
	if len(old)+len(new) > diffText {
		return "(too large to be compared)"
	}
	a, b := lines(old), lines(new)
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	var ops []diffOp
	lead := max(0, pre-diffContext)
	for _, l := range a[lead:pre] {
		ops = append(ops, diffOp{' ', l})
	}
	ops = append(ops, middle(a[pre:len(a)-post], b[pre:len(b)-post])...)
	for _, l := range a[len(a)-post:][:min(post, diffContext)] {
		ops = append(ops, diffOp{' ', l})
	}
	return render(ops, lead)
}

func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

// middle compares what is left between the common ends: by the longest
// common subsequence where that is affordable.
func middle(a, b []string) []diffOp {
	var ops []diffOp
	if len(a)*len(b) > diffCells {
		for _, l := range a {
			ops = append(ops, diffOp{'-', l})
		}
		for _, l := range b {
			ops = append(ops, diffOp{'+', l})
		}
		return ops
	}
	longest := table(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			ops = append(ops, diffOp{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			ops = append(ops, diffOp{'-', a[i]})
			i++
		default:
			ops = append(ops, diffOp{'+', b[j]})
			j++
		}
	}
	return ops
}

// table holds the length of the longest common subsequence of a[i:] and b[j:].
func table(a, b []string) [][]int32 {
	t := make([][]int32, len(a)+1)
	for i := range t {
		t[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}

// render writes hunks: runs of changes with a little around them.
func render(ops []diffOp, skipped int) string {
	var b strings.Builder
	shown, oldLine, newLine, open := 0, skipped+1, skipped+1, false
	for i, op := range ops {
		if near(ops, i) {
			if shown++; shown > diffLines {
				b.WriteString("(the rest of the changes is not shown)\n")
				return b.String()
			}
			if !open {
				fmt.Fprintf(&b, "@@ -%d +%d @@\n", oldLine, newLine)
			}
			writeOp(&b, op)
		}
		open = near(ops, i)
		if op.kind != '+' {
			oldLine++
		}
		if op.kind != '-' {
			newLine++
		}
	}
	return b.String()
}

// near reports whether a line is a change or stands beside one.
func near(ops []diffOp, i int) bool {
	for j := max(0, i-diffContext); j <= min(len(ops)-1, i+diffContext); j++ {
		if ops[j].kind != ' ' {
			return true
		}
	}
	return false
}

func writeOp(b *strings.Builder, op diffOp) {
	line, ended := strings.CutSuffix(op.line, "\n")
	if len(line) > diffWidth {
		line = line[:runeStart(line, diffWidth)] + "…"
	}
	b.WriteByte(op.kind)
	b.WriteString(line + "\n")
	if !ended && op.kind != ' ' {
		b.WriteString("\\ no line end\n")
	}
}
