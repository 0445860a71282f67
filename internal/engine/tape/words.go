package tape

import (
	"fmt"
	"strings"

	"moothall/internal/engine/history"
)

const (
	maxWords = 1200 // of the part that differs, on either side, for a comparison
	around   = 3    // words shown around a change
	maxShown = 600  // bytes of a comparison
	maxShort = 120  // bytes of a value in a sentence
)

// short is a value on one line.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxShort {
		return s
	}
	return history.Clip(s, maxShort) + "…"
}

// words shows how one text became another: what went in [-brackets-], what
// came in {+braces+}, a few words around, dots for the rest.
func words(a, b string) string {
	switch {
	case strings.TrimSpace(a) == "":
		return "nothing became \"" + short(b) + "\""
	case strings.TrimSpace(b) == "":
		return "\"" + short(a) + "\" became nothing"
	}
	x, y := strings.Fields(a), strings.Fields(b)
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	mx, my := x[head:len(x)-tail], y[head:len(y)-tail]
	switch {
	case len(mx) == 0 && len(my) == 0:
		return "the spaces between words differ"
	case len(mx) > maxWords || len(my) > maxWords:
		return fmt.Sprintf("%s became %s", count(len(mx), "word"), count(len(my), "word"))
	}
	edits := append(kept(x[:head]), changes(mx, my)...)
	return render(append(edits, kept(x[len(x)-tail:])...))
}

// edit is a word that stayed, went or came.
type edit struct {
	word string
	kind byte // ' ', '-', '+'
}

func kept(list []string) []edit {
	out := make([]edit, len(list))
	for i, w := range list {
		out[i] = edit{w, ' '}
	}
	return out
}

// changes finds the longest words in common, by the table of lengths.
func changes(a, b []string) []edit {
	width := len(b) + 1
	table := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{a[i], ' '})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && table[(i+1)*width+j] >= table[i*width+j+1]:
			out = append(out, edit{a[i], '-'})
			i++
		default:
			out = append(out, edit{b[j], '+'})
			j++
		}
	}
	return out
}

// render writes edits with their surroundings.
func render(edits []edit) string {
	near := make([]bool, len(edits))
	for i := range edits {
		if edits[i].kind == ' ' {
			continue
		}
		for k := max(0, i-around); k <= min(len(edits)-1, i+around); k++ {
			near[k] = true
		}
	}
	var out []string
	for i := 0; i < len(edits); {
		if !near[i] {
			if len(out) == 0 || out[len(out)-1] != "…" {
				out = append(out, "…")
			}
			i++
			continue
		}
		j := i
		for j < len(edits) && edits[j].kind == edits[i].kind && near[j] {
			j++
		}
		out = append(out, bracket(edits[i:j]))
		i = j
	}
	text := strings.Join(out, " ")
	if len(text) > maxShown {
		text = history.Clip(text, maxShown) + "…"
	}
	return text
}

func bracket(edits []edit) string {
	list := make([]string, len(edits))
	for i, e := range edits {
		list[i] = e.word
	}
	text := strings.Join(list, " ")
	switch edits[0].kind {
	case '-':
		return "[-" + text + "-]"
	case '+':
		return "{+" + text + "+}"
	}
	return text
}
