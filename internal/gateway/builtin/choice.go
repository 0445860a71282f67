package builtin

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"
)

type tokens []int32

// tied is what goes on, in the measure of logits, with a name that was begun,
// where any other word would be of none.
const tied = 30

// choice is one of several names that a thought is about to write: what speaks
// for each of them is added to the network's own opinion.
type choice struct {
	list   []tokens  // nil: none is being written
	scores []float64 // what speaks for each, in the measure of logits
	open   []int     // those that what was written can mean
	at     int       // tokens written
}

// begin expects one of the open ones to be written.
func (c *choice) begin(list []tokens, scores []float64, open []int) {
	*c = choice{list: list, scores: scores, open: open}
}

// narrow leaves those that what is written can still mean. When there are none
// any more, those before it were meant, which it returns.
func (c *choice) narrow(id int32) (meant []int) {
	var open []int
	for _, i := range c.open {
		if c.at < len(c.list[i]) && c.list[i][c.at] == id {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		if c.at > 0 {
			meant = c.open
		}
		*c = choice{}
		return meant
	}
	c.open = open
	c.at++
	return nil
}

// weigh changes the logits of the tokens that lead to one name or another, if
// the network is about to write one: it would, or all of them together have
// more than a share of its probability.
func (c *choice) weigh(logits []float32, piece func(int32) []byte, share float64) {
	to := map[int32]float64{} // the best that a token leads to
	for _, i := range c.open {
		if c.at == len(c.list[i]) {
			return // one is complete, and need not go on
		}
		id := c.list[i][c.at]
		if s, ok := to[id]; !ok || s < c.scores[i] {
			to[id] = c.scores[i]
		}
	}
	next := best(logits)
	s, names := to[next]
	if !names && !c.strays(logits, to, piece(next), share) {
		return
	}
	if !names || s < 0 { // where it would go speaks against it: another of them is meant
		for id := range to {
			logits[id] += tied
		}
	}
	for id, s := range to {
		logits[id] += float32(s)
	}
}

// strays reports whether the network writes one of them and is about to lose its
// way: it goes on with a word that stands in none, or, at the first word, some
// of what it might say is one of them.
func (c *choice) strays(logits []float32, to map[int32]float64, next []byte, share float64) bool {
	if c.at > 0 {
		return startsWord(next)
	}
	whole, named := logSum(logits), 0.0
	for id := range to {
		named += math.Exp(float64(logits[id]) - whole)
	}
	return named > share
}

// startsWord reports whether a token begins or goes on with a word.
func startsWord(piece []byte) bool {
	r, _ := utf8.DecodeRune(bytes.TrimPrefix(piece, []byte(" ")))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
