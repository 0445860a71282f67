package builtin

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// kinship is what a tool gains, in the measure of logits, for a word of the wish
// that is in its line and not in those of half of the others, and again for each
// halving.
const kinship = 2

// unsaid is what a tool loses that cannot be called without a number, where the
// person said none: of 4,138 wanted calls one was such, and one in fifty of the
// tools beside them.
const unsaid = -6

// someTool is the probability of all first words of tools together, from which
// on a thought is taken to name one. Where it does not they have hardly any.
const someTool = 0.1

// wish weighs the offered tools by the words that they share with what a person
// asks for. The network reads a tool's line and knows what it means where
// training had the words; of a tool for sport, or church, or bees it often does
// not, and takes a neighbour. That the person said "humid" and one tool takes a
// "humidity" is plain to see all the same.
//
// It is heard where a thought names a tool, after words that lead to one or an
// arrow, and only between tools: whether one is named at all is the network's
// affair.
//
// Who wants two things in one message names one after the other, so the first
// tool of such a thought is weighed by the earlier words and the second by the
// later ones.
type wish struct {
	choice
	lines  []tokens // what a thought says of each tool
	names  []tokens
	whole  []float64 // the tools' scores by all words
	first  []float64 // by those for the first of two things
	second []float64
	counts []float64 // of the three, those that count for what is being written
	said   []int     // tools of the line that was written last
}

// naming are the words that lead to a tool's line; see train/gen. After another
// colon a thought quotes a text, or says how a sum goes.
var naming = lazyregexp.New(`(?:They want this|What fits|This is a wish for|One does it|First I must find it|The same again, with another [^:]+|(?:First|Then)(?: ".*")?):$`)

// newWish is nil where the person's words can say nothing: no choice, or a tool
// was called for them already.
func newWish(r moothall.GenerateRequest, encode func([]int32, string) []int32) *wish {
	if len(r.Tools) < 2 || len(r.Messages) == 0 || r.Messages[len(r.Messages)-1].Role != moothall.RoleUser {
		return nil
	}
	w := &wish{}
	asked := question(r.Messages)
	w.whole, w.first, w.second = scores(contentWords(asked), r.Tools)
	if !constrain.Says(asked) {
		for i, t := range r.Tools {
			if needsNumber(t) && !wasCalled(r.Messages, t.Name) { // what was called may be called again with the same number
				w.whole[i], w.first[i], w.second[i] = unsaid, unsaid, unsaid
			}
		}
	}
	if !slices.ContainsFunc(w.whole, func(s float64) bool { return s != 0 }) {
		return nil
	}
	w.counts = w.whole
	for _, t := range r.Tools {
		w.lines = append(w.lines, encode(nil, " "+oneLine(t.Description)))
		w.names = append(w.names, encode(nil, " "+string(t.Name)))
	}
	return w
}

// needsNumber reports whether a tool cannot be called without a number.
func needsNumber(t moothall.ToolSpec) bool {
	return slices.ContainsFunc(argumentsOf(t), func(a argument) bool { return a.number && a.required })
}

// wasCalled reports whether a conversation has a call of a tool.
func wasCalled(messages []moothall.Message, name moothall.ToolName) bool {
	return slices.ContainsFunc(messages, func(m moothall.Message) bool {
		return slices.ContainsFunc(m.ToolCalls, func(c moothall.ToolCall) bool { return c.Name == name })
	})
}

// follow takes note of a token that a thought has got.
func (w *wish) follow(id int32, thought string) {
	if w == nil {
		return
	}
	if w.list != nil {
		w.said = w.narrow(id)
	}
	switch {
	case w.list != nil:
	case strings.HasSuffix(thought, "->"):
		w.name(w.names, w.said)
	case strings.HasSuffix(thought, ":") && naming.MatchString(thought):
		w.counts = w.of(thought)
		w.name(w.lines, nil)
	}
}

// name expects one of the tools to be written, or of those that were said.
func (w *wish) name(list []tokens, said []int) {
	if said == nil {
		for i := range list {
			said = append(said, i)
		}
	}
	w.begin(list, w.counts, said)
	w.said = nil
}

// of are the scores for the tool that a thought is about to name. Of two things
// it says "First: …" or "First "the person's words": …", and so with Then.
func (w *wish) of(thought string) []float64 {
	first, second := strings.LastIndex(thought, " First"), strings.LastIndex(thought, " Then")
	switch {
	case first < 0:
		return w.whole
	case second < first:
		return w.first
	}
	return w.second
}

// weigh changes the logits where a thought is about to name a tool.
func (w *wish) weigh(logits []float32, piece func(int32) []byte) {
	if w != nil && w.list != nil {
		w.choice.weigh(logits, piece, someTool)
	}
}

// scores says of each tool how many of the words asked its line has, the rarer
// among the tools the more: of all words, and of the earlier and the later ones,
// where a word counts from twice to not at all by its place.
func scores(asked []string, tools []moothall.ToolSpec) (whole, first, second []float64) {
	lines := make([][]string, len(tools))
	for i, t := range tools {
		lines[i] = lineWords(t)
	}
	whole, first, second = make([]float64, len(tools)), make([]float64, len(tools)), make([]float64, len(tools))
	with := map[string][]int{} // by word, the tools that have it
	for k, word := range asked {
		in, again := with[word]
		if !again {
			in = having(lines, word)
			with[word] = in
		}
		late := 2 * float64(k) / float64(max(1, len(asked)-1))
		rare := math.Log2(float64(len(tools)) / float64(len(in)))
		for _, i := range in {
			if !again { // as a whole, a word says no more when it is said twice
				whole[i] += kinship * rare
			}
			first[i] += kinship * (2 - late) * rare
			second[i] += kinship * late * rare
		}
	}
	return whole, first, second
}

// having are the lines that have a word in any form.
func having(lines [][]string, word string) []int {
	var out []int
	for i, line := range lines {
		if spokenOf(line, []string{word}) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// meant are the tools that a thought points to, each with an arrow before its
// name.
func meant(thought string, tools []moothall.ToolSpec) []moothall.ToolSpec {
	var out []moothall.ToolSpec
	for _, t := range tools {
		_, after, found := strings.Cut(thought, "-> "+string(t.Name))
		if next, _ := utf8.DecodeRuneInString(after); found && !(unicode.IsLetter(next) || unicode.IsDigit(next) || next == '_' || next == '-') {
			out = append(out, t)
		}
	}
	return out
}
