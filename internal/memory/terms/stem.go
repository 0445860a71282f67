package terms

import "strings"

// stem takes an English ending off by Porter's algorithm of 1980. Words of
// other letters than a to z stay as they are.
func stem(w string) string {
	if len(w) < 3 || len(w) > 64 || strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return w
	}
	w = plural(w)
	w = past(w)
	if root, ok := strings.CutSuffix(w, "y"); ok && hasVowel(root) {
		w = root + "i"
	}
	w = replace(w, step2, func(root string) bool { return measure(root) > 0 })
	w = replace(w, step3, func(root string) bool { return measure(root) > 0 })
	w = replace(w, step4, func(root string) bool { return measure(root) > 1 })
	return tidy(w)
}

func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

func past(w string) string {
	if root, ok := strings.CutSuffix(w, "eed"); ok {
		if measure(root) > 0 {
			return root + "ee"
		}
		return w
	}
	for _, ending := range []string{"ed", "ing"} {
		if root, ok := strings.CutSuffix(w, ending); ok {
			if hasVowel(root) {
				return mend(root)
			}
			return w
		}
	}
	return w
}

// mend gives a root back what its ending had taken.
func mend(w string) string {
	switch {
	case strings.HasSuffix(w, "at"), strings.HasSuffix(w, "bl"), strings.HasSuffix(w, "iz"):
		return w + "e"
	case double(w) && !strings.ContainsRune("lsz", rune(w[len(w)-1])):
		return w[:len(w)-1]
	case measure(w) == 1 && short(w):
		return w + "e"
	}
	return w
}

// tidy takes off a last e and one of two l.
func tidy(w string) string {
	if root, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(root); m > 1 || m == 1 && !short(root) {
			w = root
		}
	}
	if strings.HasSuffix(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}

// The rules of the later steps: an ending and what stands in its place. The
// longer of two endings comes first.
var (
	step2 = pairs(`ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e ousli ous ization ize
		ation ate ator ate alism al iveness ive fulness ful ousness ous aliti al iviti ive biliti ble logi log`)
	step3 = pairs(`icate ic ative - alize al iciti ic ical ic ful - ness -`)
	step4 = pairs(`al - ance - ence - er - ic - able - ible - ant - ement - ment - ent - ion - ou - ism - ate - iti - ous - ive - ize -`)
)

func pairs(text string) (out [][2]string) {
	list := strings.Fields(text)
	for i := 0; i < len(list); i += 2 {
		out = append(out, [2]string{list[i], strings.Trim(list[i+1], "-")})
	}
	return out
}

// replace applies the first rule whose ending is there, if its root will do.
func replace(w string, rules [][2]string, will func(root string) bool) string {
	for _, r := range rules {
		root, ok := strings.CutSuffix(w, r[0])
		if !ok {
			continue
		}
		if !will(root) || r[0] == "ion" && !strings.HasSuffix(root, "s") && !strings.HasSuffix(root, "t") {
			return w
		}
		return root + r[1]
	}
	return w
}

// consonant reports whether the letter at i is one; y is after a vowel.
func consonant(w string, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts how often a consonant follows a vowel.
func measure(w string) (m int) {
	for i := 1; i < len(w); i++ {
		if consonant(w, i) && !consonant(w, i-1) {
			m++
		}
	}
	return m
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func double(w string) bool {
	n := len(w)
	return n > 1 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// short reports consonant, vowel, consonant at the end, the last not w, x, y.
func short(w string) bool {
	n := len(w)
	return n > 2 && consonant(w, n-1) && !consonant(w, n-2) && consonant(w, n-3) && !strings.ContainsRune("wxy", rune(w[n-1]))
}
