package conf

import "strings"

// nearest returns the candidate closest to word, or "" where none is close
// enough to be a slip of the hand: about one wrong letter in three. Letter
// case, and - for _, do not count.
func nearest(word string, candidates []string) string {
	const longest = 80 // a longer word is no slip, and the comparison is quadratic
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", -1
	for _, c := range candidates {
		limit := (max(len(word), len(c)) + 2) / 3
		d := distance(fold(word), fold(c))
		if d <= limit && d < len(c) && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	return best
}

func fold(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "-", "_")
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to turn a into b, no letter being changed twice.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, row := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		next := make([]int, len(y)+1)
		next[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(y)]
}
