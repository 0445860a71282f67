package builtin

import (
	"iter"
	"slices"

	"moothall"
	"moothall/internal/lazyregexp"
)

// restating keeps a thought that says a follow-up once more in full, "They mean
// France: What is the currency of France", from saying the question before it
// instead: that one stands there in nearly the same words, and what was said
// once is easily said again.
type restating struct {
	messages []moothall.Message
	encode   func([]int32, string) []int32
	heard    bool     // what follows is known: the first such thought needs it, most need none
	asked    []string // the content words of what the person says now
	avoid    []int32  // tokens that only words of what they said before begin with
}

// saidAlready is what speaks against a word of the question before while one of
// the present question is still to come, in the measure of logits.
const saidAlready = -6

// restated is such a thought, up to where it goes on to what is read.
var restated = lazyregexp.New(`^They mean ([^:;]+):([^;]*)$`)

// weigh changes the logits where a thought says the question in full.
func (r *restating) weigh(logits []float32, thought string) {
	m := restated.FindStringSubmatch(thought)
	if m == nil {
		return
	}
	if !r.heard {
		r.hear(contentWords(m[1]))
	}
	said := contentWords(m[2])
	if !slices.ContainsFunc(r.asked, func(w string) bool { return !has(said, w) }) {
		return
	}
	for _, id := range r.avoid {
		logits[id] += saidAlready
	}
}

// hear reads the question of now and the one before, in a thought about
// something.
func (r *restating) hear(about []string) {
	r.heard = true
	next, stop := iter.Pull(questions(r.messages))
	defer stop()
	now, _ := next()
	before, _ := next()
	r.asked = contentWords(now)
	first := func(w string) int32 { return r.encode(nil, " "+w)[0] }
	var wanted []int32
	for _, w := range slices.Concat(r.asked, about) {
		wanted = append(wanted, first(w))
	}
	for _, w := range contentWords(before) {
		if id := first(w); !slices.Contains(wanted, id) && !has(r.asked, w) && !has(about, w) {
			r.avoid = append(r.avoid, id)
		}
	}
}
