package broker

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"moothall"
)

// terms splits a text into small words; names are split at their underscores.
func terms(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// stem takes the commonest endings off, so that "files" finds "file".
func stem(w string) string {
	for _, end := range []string{"ing", "es", "ed", "s"} {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) >= 3 {
			return s
		}
	}
	return w
}

// profile is the text that a tool is found by; its name counts thrice.
func profile(s moothall.ToolSpec) string {
	name := strings.ReplaceAll(string(s.Name), "_", " ")
	parts := []string{name, name, name, s.Description}
	for _, a := range s.Aliases {
		parts = append(parts, string(a))
	}
	var shape struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(s.Parameters, &shape) == nil {
		parts = append(parts, slices.Sorted(maps.Keys(shape.Properties))...)
	}
	return strings.Join(parts, " ")
}

// lexical scores tools against a task by Okapi BM25.
func lexical(task string, specs []moothall.ToolSpec) []float64 {
	const k, b = 1.2, 0.75
	counts, lengths := make([]map[string]int, len(specs)), make([]int, len(specs))
	in, total := map[string]int{}, 0
	for i, s := range specs {
		counts[i] = map[string]int{}
		for _, w := range terms(profile(s)) {
			counts[i][stem(w)]++
			lengths[i]++
		}
		for w := range counts[i] {
			in[w]++
		}
		total += lengths[i]
	}
	mean := float64(total) / float64(max(1, len(specs)))
	wanted := map[string]bool{}
	for _, w := range terms(task) {
		wanted[stem(w)] = true
	}
	scores := make([]float64, len(specs))
	for _, w := range slices.Sorted(maps.Keys(wanted)) { // sums of floats depend on their order
		idf := math.Log(1 + (float64(len(specs)-in[w])+0.5)/(float64(in[w])+0.5))
		for i := range specs {
			f := float64(counts[i][w])
			scores[i] += idf * f * (k + 1) / (f + k*(1-b+b*float64(lengths[i])/mean))
		}
	}
	return scores
}

// byScore returns the places in falling order of score; ties keep theirs.
func byScore(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// fuse joins rankings by the sum of their reciprocal ranks.
func fuse(n int, lists [][]int) []int {
	const damp = 60
	sum := make([]float64, n)
	for _, l := range lists {
		for rank, i := range l {
			sum[i] += 1 / float64(damp+rank)
		}
	}
	return byScore(sum)
}

// meaning scores tools by the embedder; nil when it does not answer.
func (b *Broker) meaning(ctx context.Context, a *agent, task string, specs []moothall.ToolSpec) []float64 {
	if b.opt.Embed == nil {
		return nil
	}
	ask := func(purpose string, texts []string) (moothall.Embeddings, bool) {
		e, err := b.opt.Embed.Embed(ctx, moothall.EmbedRequest{
			Scope: moothall.Scope{Session: a.scope, Lineage: a.lineage}, Purpose: purpose, Texts: texts, Priority: moothall.PriorityTask,
		})
		if err != nil || len(e.Vectors) != len(texts) {
			b.opt.Logger.Warn("the embedder did not answer, tools are ranked by words", "error", err)
			return e, false
		}
		return e, true
	}
	query, ok := ask("query", []string{task})
	if !ok {
		return nil
	}
	vectors, missing, texts := make([][]float32, len(specs)), []int(nil), []string(nil)
	b.mu.Lock()
	for i, s := range specs {
		text := profile(s)
		if vectors[i] = b.vectors[query.Embedder+"\x00"+text]; vectors[i] == nil {
			missing, texts = append(missing, i), append(texts, text)
		}
	}
	b.mu.Unlock()
	if len(missing) > 0 {
		docs, ok := ask("document", texts)
		if !ok {
			return nil
		}
		b.mu.Lock()
		if len(b.vectors) > 4096 { // tools that come and go must not fill memory
			clear(b.vectors)
		}
		for j, i := range missing {
			vectors[i] = docs.Vectors[j]
			b.vectors[query.Embedder+"\x00"+texts[j]] = docs.Vectors[j]
		}
		b.mu.Unlock()
	}
	scores := make([]float64, len(specs))
	for i, v := range vectors {
		scores[i] = cosine(query.Vectors[0], v)
	}
	return scores
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}
