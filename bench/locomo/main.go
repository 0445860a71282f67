package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"moothall/internal/memory/embed"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "locomo:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("locomo", flag.ContinueOnError)
	cases := flags.String("cases", "", "folder with turns.jsonl and queries.jsonl")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *cases == "" {
		return errors.New("name the folder of cases with -cases")
	}
	dialogues, err := load(*cases)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| mode | @5 | @10 | @20 | %s |\n|---|%s\n", strings.Join(categories, " @10 | ")+" @10", strings.Repeat("---:|", 3+len(categories)))
	for _, m := range modes() {
		fmt.Fprintln(out, row(m.name, dialogues, m.rank))
	}
	return nil
}

type mode struct {
	name string
	rank ranker
}

// modes are what is compared, from the plainest on.
func modes() []mode {
	stems := embed.New(embed.Options{}).Terms
	bare, head := shape{}, shape{head: 1}
	one, two := shape{1, []float64{0.5}}, shape{1, []float64{0.5, 0.25}}
	bm, vec := lexical(stems, two), vectors(embed.DefaultDim, two)
	out := []mode{
		{"BM25, plain words, text", lexical(plain, bare)},
		{"BM25, plain words, speaker + date + text", lexical(plain, head)},
		{"BM25, plain words, + 2 neighbours", lexical(plain, two)},
		{"BM25, terms, text", lexical(stems, bare)},
		{"BM25, terms, speaker + date + text", lexical(stems, head)},
		{"BM25, terms, + 1 neighbour at 1/2", lexical(stems, one)},
		{"BM25, terms, + 2 neighbours at 1/2, 1/4", bm},
		{"embedder, text", vectors(embed.DefaultDim, bare)},
		{"embedder, speaker + date + text", vectors(embed.DefaultDim, head)},
		{"embedder, + 2 neighbours", vec},
	}
	for _, dim := range []int{384, 768, 1024} {
		out = append(out, mode{fmt.Sprintf("embedder of %d, + 2 neighbours", dim), vectors(dim, two)})
	}
	return append(out,
		mode{"RRF k 60, 1:1, speaker + date + text", fused(60, []float64{1, 1}, lexical(stems, head), vectors(embed.DefaultDim, head))},
		mode{"RRF k 60, 1:1, + 2 neighbours", fused(60, []float64{1, 1}, bm, vec)},
		mode{"RRF k 60, 2:1, + 2 neighbours", fused(60, []float64{2, 1}, bm, vec)},
		mode{"RRF k 60, 2:1, words with, vector without neighbours", fused(60, []float64{2, 1}, bm, vectors(embed.DefaultDim, head))},
		mode{"scores blended 1:1, + 2 neighbours", blended([]float64{1, 1}, bm, vec)},
		mode{"scores blended 1:1, + 2 neighbours, dimension 1024", blended([]float64{1, 1}, bm, vectors(1024, two))},
	)
}

var categories = []string{"single-hop", "multi-hop", "temporal", "open-domain", "adversarial"}

// row measures one mode. A question counts with the share of its evidence.
func row(name string, dialogues []*dialogue, rank ranker) string {
	var first5, first10, first20 mean
	by := map[string]*mean{}
	for _, c := range categories {
		by[c] = &mean{}
	}
	for _, d := range dialogues {
		rate := rank(d)
		for _, q := range d.queries {
			ranked := order(rate(q.Question))
			first5.add(found(d, q, ranked, 5))
			first10.add(found(d, q, ranked, 10))
			first20.add(found(d, q, ranked, 20))
			if m := by[q.Category]; m != nil {
				m.add(found(d, q, ranked, 10))
			}
		}
	}
	line := fmt.Sprintf("| %s | %s | %s | %s |", name, first5, first10, first20)
	for _, c := range categories {
		line += fmt.Sprintf(" %s |", by[c])
	}
	return line
}

// found is the share of a question's evidence among the first k turns.
func found(d *dialogue, q query, ranked []int, k int) float64 {
	n := 0
	for _, i := range ranked[:min(k, len(ranked))] {
		if slices.Contains(q.Evidence, d.turns[i].ID) {
			n++
		}
	}
	return float64(n) / float64(len(q.Evidence))
}

// mean prints as a percentage.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum += v; m.n++ }

func (m mean) String() string {
	if m.n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*m.sum/float64(m.n))
}
