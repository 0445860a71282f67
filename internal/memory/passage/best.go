package passage

import (
	"cmp"
	"slices"
	"strings"
)

// Span is a part of a text that answers a query: Text is text[Start:End].
type Span struct {
	Text       string
	Start, End int
	Score      float64
}

// maxScored bounds how many passages are given to the caller's score, which
// may be dear: those that share most words with the query.
const maxScored = 256

// maxQuery bounds how much of a query is compared word by word.
const maxQuery = 2 << 10

// Best returns the passages of a text that answer a query, in text order, at
// most budget bytes together (0 means DefaultPiece, fewer than 64 mean 64). score rates a passage
// against the query, higher is better; nil rates by the share of the query's
// words. Passages worth less than half the best one, or nothing, are left
// out; neighbours are joined, their score is the better one. When nothing
// scores above zero the result is empty.
func Best(query, text string, budget int, score func(query, passage string) float64) []Span {
	if budget <= 0 {
		budget = DefaultPiece
	}
	budget = max(budget, minPiece)
	asked := roots(query[:min(len(query), maxQuery)])
	if score == nil {
		score = func(_, passage string) float64 { return overlap(asked, passage) }
	}
	pieces := likely(asked, Split(text, min(max(budget/4, 160), 480, budget)))
	spans := make([]Span, 0, len(pieces))
	for _, p := range pieces {
		if s := score(query, p.Text); s > 0 {
			spans = append(spans, Span{p.Text, p.Offset, p.Offset + len(p.Text), s})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Start, b.Start))
	})
	return join(text, within(spans, budget))
}

// likely keeps the passages that share most words with the query, the earlier
// of equals; their order changes.
func likely(asked []string, pieces []Piece) []Piece {
	if len(pieces) <= maxScored {
		return pieces
	}
	type rated struct {
		Piece
		share float64
	}
	all := make([]rated, len(pieces))
	for i, p := range pieces {
		all[i] = rated{p, overlap(asked, p.Text)}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(b.share, a.share) })
	out := make([]Piece, maxScored)
	for i := range out {
		out[i] = all[i].Piece
	}
	return out
}

// within takes from the best down what the budget holds.
func within(spans []Span, budget int) []Span {
	var out []Span
	for _, s := range spans {
		if s.Score < spans[0].Score/2 {
			break
		}
		if len(s.Text) <= budget {
			budget -= len(s.Text) + 2 // what joining may add
			out = append(out, s)
		}
	}
	return out
}

// join orders spans and makes one of those with only space between them.
func join(text string, spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []Span
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && s.Start-out[n].End <= 2 && strings.TrimSpace(text[out[n].End:s.Start]) == "" {
			out[n] = Span{text[out[n].Start:s.End], out[n].Start, s.End, max(out[n].Score, s.Score)}
			continue
		}
		out = append(out, s)
	}
	return out
}

// overlap is the share of the words asked for that a passage has.
func overlap(asked []string, passage string) float64 {
	if len(asked) == 0 {
		return 0
	}
	have := map[string]bool{}
	for _, w := range roots(passage) {
		have[w] = true
	}
	n := 0
	for _, w := range asked {
		if have[w] {
			n++
		}
	}
	return float64(n) / float64(len(asked))
}

// roots lists the telling words of a text without the commonest English
// endings.
func roots(text string) []string {
	words := telling(text)
	for i, w := range words {
		for _, end := range [...]string{"'s", "ing", "ed", "es", "s", "e"} {
			if r, ok := strings.CutSuffix(w, end); ok && len(r) >= 3 {
				words[i] = r
				break
			}
		}
	}
	return words
}
