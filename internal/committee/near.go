package committee

import "strings"

// nearest returns the candidate that a word was probably meant to be, or "".
func nearest(word string, candidates []string) string {
	const longest = 60 // a longer word is no slip, and the comparison is quadratic
	if word == "" || len(word) > longest {
		return ""
	}
	best, least := "", len(word)
	for _, c := range candidates {
		d := edits([]rune(strings.ToLower(word)), []rune(strings.ToLower(c)))
		if d <= (max(len(word), len(c))+2)/3 && d < least {
			best, least = c, d
		}
	}
	return best
}

// edits counts the letters to insert, delete or replace to turn a into b.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
