package terms

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"moothall"
	"moothall/internal/memory"
)

// Doc is what the index keeps of a record.
type Doc struct {
	Terms  map[string]float64 // how often, times the weight of the field
	Length int                // words in all fields
	Scope  string             // the term of the scope, which is only filtered by
}

// Of counts the words of a text. The weights are those of the default engine.
func Of(t memory.Text) Doc {
	d := Doc{Terms: map[string]float64{}}
	for _, field := range []struct {
		text   string
		weight float64
	}{{t.Name, 2}, {t.Description, 1}, {t.Corpus, 1}, {t.Who, 1}, {t.Context, 0.5}} {
		for word := range strings.FieldsSeq(field.text) {
			d.Terms[Term(word)] += field.weight
			d.Length++
		}
	}
	for word := range strings.FieldsSeq(t.Scope) {
		d.Scope = Term(word)
		d.Length++
	}
	return d
}

// Term is what a word is found by.
func Term(word string) string {
	if !ascii(word) {
		word = bare(word)
	}
	return stem(word)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// bare takes the accents off.
func bare(word string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(word)))
}

// Asked returns the terms of a query, each once, and the term of its scope.
// CodeInvalid when a word holds more than letters, marks and digits.
func Asked(q memory.TextQuery) (terms []string, scope string, err error) {
	seen := map[string]bool{}
	for _, w := range q.Words {
		if w == "" || strings.ContainsFunc(w, sign) {
			return nil, "", errWord()
		}
		if t := Term(w); !seen[t] {
			seen[t] = true
			terms = append(terms, t)
		}
	}
	if strings.ContainsFunc(q.Scope, sign) {
		return nil, "", errWord()
	}
	if q.Scope != "" {
		scope = Term(q.Scope)
	}
	return terms, scope, nil
}

func errWord() error {
	return moothall.Fail(moothall.CodeInvalid, "search words", "a word holds more than letters and digits")
}

func sign(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Co) }

// Rarity is how much a term tells that is in so many of all records.
func Rarity(records, with int) float64 {
	return max(math.Log((float64(records-with)+0.5)/(float64(with)+0.5)), 1e-6)
}

// The constants of BM25.
const (
	k1 = 1.2
	b  = 0.75
)

// Score is one term's part in a record's score. Length is the record's,
// average that of all.
func Score(rarity, weight float64, length int, average float64) float64 {
	return rarity * weight * (k1 + 1) / (weight + k1*(1-b+b*float64(length)/max(average, 1)))
}
