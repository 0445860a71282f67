package firewall

import "slices"

// Clean returns text as a person would see it, with nothing left that a
// tokenizer, a chat template, a terminal or the envelope of [Wrap] takes for
// its own. What it repaired is named in mended, sorted, nil when nothing was.
// Clean(Clean(x)) is Clean(x).
func Clean(text string) (clean string, mended []string) {
	var m mendings
	clean = defuse(strip(text, &m), &m)
	slices.Sort(m)
	return clean, m
}
