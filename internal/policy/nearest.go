package policy

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// didYouMean names the nearest of the known words, when one is near.
func didYouMean[S ~string](word S, known iter.Seq[S]) string {
	type near struct {
		word S
		far  int
	}
	var all []near
	for k := range known {
		if far := distance(string(word), string(k)); far <= max(2, len(word)/3) {
			all = append(all, near{k, far})
		}
	}
	if len(all) == 0 {
		return "correct the name or take it out"
	}
	best := slices.MinFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.word, b.word))
	})
	return fmt.Sprintf("did you mean %q?", best.word)
}

// distance counts the letters to change, add or take away to make b of a.
func distance(a, b string) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		left := i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			above[j] = left
			left = min(change, above[j+1]+1, left+1)
		}
		above[len(b)] = left
	}
	return above[len(b)]
}
