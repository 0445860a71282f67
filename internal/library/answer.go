package library

import (
	"regexp"
	"slices"
)

// minSame is how near a question must come to one that an entry answers, its
// subject left aside, for that answer to be told first.
const minSame = 0.4

// minVouched is the same for a dash to stand after it, which says that this is
// the answer.
const minVouched = 0.6

// inOrder is what the order of words adds where several are near: what bronze
// is made of is not what is made of bronze.
const inOrder = 0.1

// here stands for the subject where the order of words counts.
const here = "*"

// How much a word counts when two questions are compared: in whole numbers,
// which have the same sum in any order.
const (
	weightContent = 20
	weightIdle    = 1
)

// sorts are words that say what sort of answer is wanted, and how much they
// tell. Most of them are idle when entries are looked for.
var sorts = map[string]int{
	"who": 12, "whom": 12, "whose": 12, "when": 12, "where": 12, "why": 12, "known": 12, "many": 6, "much": 6, "how": 4, "which": 4, "away": weightIdle,
}

// likewise are words that ask for the same as another.
var likewise = map[string]string{
	"famous": "known", "remembered": "known", "tall": "high", "height": "high", "big": "large", "size": "large",
	"speak": "language", "speaks": "language", "spoken": "language", "people": "population", "live": "population", "lives": "population", "lived": "population",
}

// began are questions of an entry that tell how old something is.
var began = regexp.MustCompile(`^(?i:when was|in which year was) .*\b(?:built|founded|completed|opened|made|created|erected|invented|established|born)\b`)

// find looks for the question of an entry that is nearest to another, and
// notes its answer.
func (e *Entry) find(words []string) {
	if i := e.asks(words); i >= 0 {
		e.Answer, e.Vouched, e.Asked = e.Asks[i][1], true, true
		return
	}
	if e.defined(words) {
		e.Answer, e.Vouched, e.Asked = opening(e.Text), true, true
		return
	}
	if pair(words, "how", "old") {
		if i := slices.IndexFunc(e.Asks, func(a [2]string) bool { return began.MatchString(a[0]) }); i >= 0 {
			e.Answer, e.Vouched = e.Asks[i][1], true
			return
		}
	}
	subject := termsOf(divide(subject(e.Name)))
	q := gistOf(words, subject)
	best := 0.0
	for _, a := range e.Asks {
		g := gistOf(divide(a[0]), subject)
		if q.other(g) {
			continue
		}
		same := q.likeness(g)
		near := same + inOrder*q.sequence(g)
		if same < minSame || near <= best {
			continue
		}
		best, e.Answer, e.Vouched = near, a[1], same >= minVouched
	}
}

// termsOf returns what words are compared by.
func termsOf(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if same, ok := likewise[w]; ok {
			w = same
		}
		if _, ok := sorts[w]; !ok && !idle[w] {
			w = term(w)
		}
		out = append(out, w)
	}
	return out
}

// gist is a question as it is compared.
type gist struct {
	weights map[string]int     // of its terms, without those that name the subject
	beside  map[[2]string]bool // terms that stand beside each other
}

func gistOf(words, subject []string) gist {
	g := gist{weights: map[string]int{}, beside: map[[2]string]bool{}}
	last := ""
	for _, t := range termsOf(words) {
		weight, ok := sorts[t]
		switch {
		case slices.Contains(subject, t):
			t = here
		case ok:
		case idle[t]:
			weight = weightIdle
		default:
			weight = weightContent
		}
		if t == "" || t == last {
			continue
		}
		if t != here {
			g.weights[t] = weight
		}
		if last != "" {
			g.beside[[2]string{last, t}] = true
		}
		last = t
	}
	return g
}

// likeness is the share of what two questions have that both have.
func (g gist) likeness(o gist) float64 {
	both, all := 0, 0
	for t, w := range g.weights {
		all += w
		if _, ok := o.weights[t]; ok {
			both += w
		}
	}
	for t, w := range o.weights {
		if _, ok := g.weights[t]; !ok {
			all += w
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// other reports whether another sort of answer is wanted, whatever the questions
// share: where somebody was born is not told by when.
func (g gist) other(o gist) bool {
	mine, theirs := g.sort(), o.sort()
	return mine != "" && theirs != "" && mine != theirs
}

// sort is the sort of answer that is wanted for sure.
func (g gist) sort() string {
	for _, s := range []string{"when", "where", "why"} {
		if _, ok := g.weights[s]; ok {
			return s
		}
	}
	return ""
}

// sequence is the share of the pairs of words that both questions have.
func (g gist) sequence(o gist) float64 {
	both := 0
	for p := range g.beside {
		if o.beside[p] {
			both++
		}
	}
	return float64(both) / float64(max(len(g.beside), len(o.beside), 1))
}
