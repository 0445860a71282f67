package builtin

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// Weights in the measure of logits.
const (
	// kinship is what a tool gains for a word of the wish that is in its line and
	// not in those of half of the others, and again for each halving.
	kinship = 2
	// tied is what goes on with the line of a tool that was begun, where any
	// other word would be of no tool.
	tied = 30
)

// someTool is the probability of all first words of tools together, from which
// on a thought is taken to name one. Where it does not they have hardly any.
const someTool = 0.1

// wish weighs the offered tools by the words that they share with what a person
// asks for. The network reads a tool's line and knows what it means where
// training had the words; of a tool for sport, or church, or bees it often does
// not, and takes a neighbour. That the person said "humid" and one tool takes a
// "humidity" is plain to see all the same.
//
// It is heard where a thought names a tool, after a colon or an arrow, and only
// between tools: whether one is named at all is the network's affair.
//
// Who wants two things in one message names one after the other, so the first
// tool of such a thought is weighed by the earlier words and the second by the
// later ones.
type wish struct {
	lines  []tokens // what a thought says of each tool
	names  []tokens
	whole  []float64 // the tools' scores by all words
	first  []float64 // by those for the first of two things
	second []float64
	scores []float64 // of the three, those that count for what is being written
	list   []tokens  // lines or names, what is being written; nil: neither
	open   []int     // tools that what was written can mean
	at     int       // tokens written
	said   []int     // tools of the line that was written last
}

type tokens []int32

// newWish is nil where the person's words can say nothing: no choice, or a tool
// was called for them already.
func newWish(r moothall.GenerateRequest, encode func([]int32, string) []int32) *wish {
	if len(r.Tools) < 2 || len(r.Messages) == 0 || r.Messages[len(r.Messages)-1].Role != moothall.RoleUser {
		return nil
	}
	w := &wish{}
	w.whole, w.first, w.second = scores(contentWords(question(r.Messages)), r.Tools)
	if slices.Max(w.whole) == 0 {
		return nil
	}
	w.scores = w.whole
	for _, t := range r.Tools {
		w.lines = append(w.lines, encode(nil, " "+strings.Join(strings.Fields(t.Description), " ")))
		w.names = append(w.names, encode(nil, " "+string(t.Name)))
	}
	return w
}

// follow takes note of a token that a thought has got.
func (w *wish) follow(id int32, thought string) {
	if w == nil {
		return
	}
	if w.list != nil {
		w.narrow(id)
	}
	switch {
	case w.list != nil:
	case strings.HasSuffix(thought, "->"):
		w.begin(w.names, w.said)
	case strings.HasSuffix(thought, ":") && !quotes(thought):
		w.scores = w.of(thought)
		w.begin(w.lines, nil)
	}
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

// narrow leaves the tools that what is written can still mean. When there are
// none any more, those before it were meant.
func (w *wish) narrow(id int32) {
	var open []int
	for _, i := range w.open {
		if w.at < len(w.list[i]) && w.list[i][w.at] == id {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		w.list = nil
		if w.at > 0 {
			w.said = w.open
		}
	}
	w.open = open
	w.at++
}

// begin expects one of the tools to be written, or of those that were said.
func (w *wish) begin(list []tokens, said []int) {
	w.list, w.at, w.open, w.said = list, 0, said, nil
	if said == nil {
		for i := range list {
			w.open = append(w.open, i)
		}
	}
}

// weigh changes the logits of the tokens that lead to one tool or another, if
// the network is about to name one.
func (w *wish) weigh(logits []float32, piece func(int32) []byte) {
	if w == nil || w.list == nil {
		return
	}
	to := map[int32]float64{} // the best tool that a token leads to
	for _, i := range w.open {
		if w.at < len(w.list[i]) {
			id := w.list[i][w.at]
			to[id] = max(to[id], w.scores[i])
		}
	}
	next := best(logits)
	_, names := to[next]
	if !names && !w.strays(logits, to, piece(next)) {
		return
	}
	for id, s := range to {
		logits[id] += float32(kinship * s)
		if !names {
			logits[id] += tied
		}
	}
}

// strays reports whether the network names a tool and is about to lose its way:
// it goes on with a word that stands in no line, or, at the first word, some of
// what it might say is of a tool.
func (w *wish) strays(logits []float32, to map[int32]float64, next []byte) bool {
	if w.at > 0 {
		return startsWord(next)
	}
	whole, named := logSum(logits), 0.0
	for id := range to {
		named += math.Exp(float64(logits[id]) - whole)
	}
	return named > someTool
}

// startsWord reports whether a token begins or goes on with a word.
func startsWord(piece []byte) bool {
	r, _ := utf8.DecodeRune(bytes.TrimPrefix(piece, []byte(" ")))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
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
				whole[i] += rare
			}
			first[i] += (2 - late) * rare
			second[i] += late * rare
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
