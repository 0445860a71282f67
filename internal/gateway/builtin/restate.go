package builtin

import (
	"regexp"
	"slices"

	"moothall"
)

// restating keeps a thought that says a follow-up once more in full, "They mean
// France: What is the currency of France", from saying the question before it
// instead: that one stands there in nearly the same words, and what was said
// once is easily said again.
type restating struct {
	encode func([]int32, string) []int32
	asked  []string // the content words of what the person says now
	before []string // those of what they said before that
	about  string   // what avoid was made for
	avoid  []int32  // tokens that words of the question before begin with
}

// saidAlready is what speaks against a word of the question before while one of
// the present question is still to come, in the measure of logits.
const saidAlready = -6

func newRestating(messages []moothall.Message, encode func([]int32, string) []int32) *restating {
	r := &restating{encode: encode}
	for _, m := range slices.Backward(messages) {
		text := person(m.Content)
		if m.Role != moothall.RoleUser || text == "" {
			continue
		}
		words := contentWords(asks(text))
		if r.asked != nil {
			r.before = words
			break
		}
		r.asked = words
	}
	return r
}

// restated is such a thought, up to where it goes on to what is read.
var restated = regexp.MustCompile(`^They mean ([^:;]+):([^;]*)$`)

// weigh changes the logits where a thought says the question in full.
func (r *restating) weigh(logits []float32, thought string) {
	if len(r.asked) == 0 || len(r.before) == 0 {
		return
	}
	m := restated.FindStringSubmatch(thought)
	if m == nil {
		return
	}
	said := contentWords(m[2])
	if !slices.ContainsFunc(r.asked, func(w string) bool { return !has(said, w) }) {
		return
	}
	if r.about != m[1] {
		r.about, r.avoid = m[1], r.others(contentWords(m[1]))
	}
	for _, id := range r.avoid {
		logits[id] += saidAlready
	}
}

// others are the tokens that only words of the question before begin with.
func (r *restating) others(about []string) []int32 {
	first := func(w string) int32 { return r.encode(nil, " "+w)[0] }
	var wanted, out []int32
	for _, w := range slices.Concat(r.asked, about) {
		wanted = append(wanted, first(w))
	}
	for _, w := range r.before {
		if id := first(w); !slices.Contains(wanted, id) && !has(r.asked, w) && !has(about, w) {
			out = append(out, id)
		}
	}
	return out
}
