package embed

import (
	"cmp"
	"math/bits"
)

// unit is the fixed-point one of all weights.
const unit = 1 << 10

// hashes is how many places of the vector one feature touches.
const hashes = 4

// Weights of the sorts of features, in parts of unit.
const (
	weightStem    = unit
	weightGrams   = unit * 8 / 10 // shared by all n-grams of a word
	weightPair    = unit * 4 / 10
	weightConcept = unit * 5 / 10
	weightChar    = unit * 4 / 10 // one character of a script without spaces
	weightBigram  = unit * 9 / 10 // two of them
)

// Kinds of features, mixed into the hash so that the stem "new" and the
// n-gram "new" are different things.
const (
	kindStem = iota + 1
	kindGram
	kindPair
	kindConcept
	kindChar
)

// feature is one thing seen in a text. word is the key of the statistics
// that its rarity is taken from, prior what is assumed without any.
type feature struct {
	hash   uint64
	word   uint64
	weight int32
	prior  int32
	gram   bool // one of many parts of its word
}

func compareFeatures(a, b feature) int { return cmp.Compare(a.hash, b.hash) }

// maxText is how much of a text is looked at. A vector of more would be grey
// noise, and memory would be the caller's to spend: long texts are split.
const maxText = 256 << 10

// features lists what is in a text, with repetitions.
func features(lex *lexicon, text string) []feature {
	text = text[:min(len(text), maxText)]
	out := make([]feature, 0, 16+2*len(text))
	var last uint64
	for t := range tokens(text) {
		if t.unspaced {
			out = appendChars(out, t.text)
			last = 0
			continue
		}
		stem := lex.stem(t.text)
		word := hashString(kindStem, stem)
		prior := lex.prior(t.text, stem)
		out = append(out, feature{hash: word, word: word, weight: prior * weightStem / unit, prior: prior})
		if !t.number {
			out = appendGrams(out, t.text, word, prior)
		}
		for _, c := range lex.concepts[stem] {
			h := hashString(kindConcept, c)
			out = append(out, feature{hash: h, word: h, weight: weightConcept, prior: unit})
		}
		if prior <= priorStop {
			continue // "the" between two words does not part them
		}
		if last != 0 {
			h := mix(last*3 ^ word ^ kindPair)
			out = append(out, feature{hash: h, word: word, weight: prior * weightPair / unit, prior: prior})
		}
		last = word
	}
	return out
}

// appendGrams adds the character n-grams of a word, edges marked; they are
// what a typo or an ending leaves standing. A stop word has none.
func appendGrams(out []feature, w string, word uint64, prior int32) []feature {
	runes := make([]rune, 0, 24)
	runes = append(runes, '<')
	for _, r := range w {
		runes = append(runes, r)
		if len(runes) == 24 { // what follows is no word of any language
			break
		}
	}
	runes = append(runes, '>')
	if prior <= priorStop || len(runes) < 5 {
		return out
	}
	const low, high = 3, 4
	count := int64(2*len(runes) - low - high + 2)
	weight := int32(int64(prior) * weightGrams / isqrt(count*unit*unit))
	for n := low; n <= high; n++ {
		for i := 0; i+n <= len(runes); i++ {
			out = append(out, feature{hashRunes(kindGram, runes[i:i+n]), word, weight, prior, true})
		}
	}
	return out
}

// appendChars adds the characters and pairs of characters of a run written
// without spaces: Chinese, Japanese, Thai and their like.
func appendChars(out []feature, run string) []feature {
	var last rune
	for _, r := range run {
		h := hashRunes(kindChar, []rune{r})
		out = append(out, feature{hash: h, word: h, weight: weightChar, prior: unit})
		if last != 0 {
			h := hashRunes(kindChar, []rune{last, r})
			out = append(out, feature{hash: h, word: h, weight: weightBigram, prior: unit})
		}
		last = r
	}
	return out
}

func hashString(kind uint64, s string) uint64 {
	h := uint64(14695981039346656037) + kind
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

func hashRunes(kind uint64, rs []rune) uint64 {
	h := uint64(14695981039346656037) + kind
	for _, r := range rs {
		h = (h ^ uint64(r)) * 1099511628211
	}
	return mix(h)
}

// mix spreads every bit of h over all others.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// log2 is the logarithm of n >= 1 in parts of unit, linear between powers of
// two: close enough, and the same on every machine.
func log2(n int64) int64 {
	whole := int64(bits.Len64(uint64(n)) - 1)
	part := (n - 1<<whole) * unit >> whole
	return whole*unit + part
}

// isqrt is the whole square root of n >= 0.
func isqrt(n int64) int64 {
	if n < 2 {
		return n
	}
	x := int64(1) << ((bits.Len64(uint64(n)) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
