package search

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"
)

// Distinct drops hits without a usable address or title, and all but the
// first of those whose addresses mean the same page.
func Distinct(hits []Hit) []Hit {
	seen := make(map[string]bool, len(hits))
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		key, ok := pageKey(h.URL)
		if !ok || seen[key] {
			continue
		}
		seen[key] = true
		h.Title = cmp.Or(strings.TrimSpace(h.Title), h.URL)
		out = append(out, h)
	}
	return out
}

// pageKey is equal for addresses that differ only in what does not change the
// page: scheme, www, case of the host, default port, fragment, final slash
// and the marks of advertisers.
func pageKey(raw string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		host += ":" + p
	}
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "utm_") || slices.Contains([]string{"gclid", "fbclid", "msclkid", "mc_cid", "mc_eid"}, name) {
			query.Del(name)
		}
	}
	key := host + strings.TrimSuffix(u.EscapedPath(), "/")
	if q := query.Encode(); q != "" {
		key += "?" + q
	}
	return key, true
}

const (
	titleWeight  = 2    // a word in the title says more than one in the snippet
	saturation   = 1.2  // BM25's k1
	lengthWeight = 0.4  // BM25's b; snippets are cut to one length anyway
	rankConstant = 10.0 // of the fusion: how little the first ranks differ
	minShare     = 0.25 // of a long query's words that a hit must have
)

// Relevant drops hits that share too little with the query, and orders the
// rest by the provider's rank and by words (BM25 over these hits) in equal
// parts. It compares: when no hit has a word of the query, or the query has
// no words, it has nothing to judge by and returns the list as it is.
func Relevant(query string, hits []Hit) []Hit {
	want := unique(terms(query))
	if len(want) == 0 || len(hits) == 0 {
		return hits
	}
	docs := make([]document, len(hits))
	for i, h := range hits {
		docs[i] = count(h, want)
	}
	scores := bm25(docs, len(want))
	keep := make([]int, 0, len(hits))
	for i, d := range docs {
		if d.shares(len(want)) {
			keep = append(keep, i)
		}
	}
	if len(keep) == 0 {
		return hits
	}
	return fuse(hits, keep, scores)
}

// document is how often a hit has each word of the query.
type document struct {
	counts []float64
	length float64
}

func count(h Hit, want []string) document {
	d := document{counts: make([]float64, len(want))}
	add := func(text string, weight float64) {
		for _, t := range terms(text) {
			d.length++
			for i, w := range want {
				if alike(t, w) {
					d.counts[i] += weight
				}
			}
		}
	}
	add(h.Title, titleWeight)
	add(h.Snippet, 1)
	if u, err := url.Parse(h.URL); err == nil {
		add(u.Hostname()+" "+u.Path, 0.5)
	}
	return d
}

// shares reports whether a hit has enough of the query's words.
func (d document) shares(words int) bool {
	n := 0
	for _, c := range d.counts {
		if c > 0 {
			n++
		}
	}
	return n > 0 && float64(n) >= minShare*float64(words)
}

func bm25(docs []document, words int) []float64 {
	df := make([]float64, words)
	mean := 0.0
	for _, d := range docs {
		mean += d.length / float64(len(docs))
		for i, c := range d.counts {
			if c > 0 {
				df[i]++
			}
		}
	}
	scores := make([]float64, len(docs))
	for i, d := range docs {
		for j, c := range d.counts {
			idf := math.Log(1 + (float64(len(docs))-df[j]+0.5)/(df[j]+0.5))
			scores[i] += idf * c * (saturation + 1) / (c + saturation*(1-lengthWeight+lengthWeight*d.length/max(mean, 1)))
		}
	}
	return scores
}

// fuse orders the kept hits by the sum of both reciprocal ranks.
func fuse(hits []Hit, keep []int, scores []float64) []Hit {
	byWords := slices.Clone(keep)
	slices.SortStableFunc(byWords, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	fused := make(map[int]float64, len(keep))
	for rank, i := range keep {
		fused[i] += 1 / (rankConstant + float64(rank))
	}
	for rank, i := range byWords {
		fused[i] += 1 / (rankConstant + float64(rank))
	}
	slices.SortStableFunc(keep, func(a, b int) int { return cmp.Compare(fused[b], fused[a]) })
	out := make([]Hit, len(keep))
	for n, i := range keep {
		out[n] = hits[i]
	}
	return out
}
