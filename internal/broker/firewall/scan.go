package firewall

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Report is what Scan found. The zero Report means nothing.
type Report struct {
	Score    float64   // from 0 to 1
	Findings []Finding // in order of place
}

// Finding is one sign of an injection.
type Finding struct {
	Rule  string // the rule's name, after "encoded:" when it was found in a decoding
	Where int    // byte offset in the text given to Scan
	Text  string // a short excerpt, cleaned
}

// threshold is the score below which signs are not reported: a single weak
// one says nothing about a text.
const threshold = 0.5

// maxExcerpt is the length of a finding's text in bytes.
const maxExcerpt = 96

// maxFindings bounds a report.
const maxFindings = 32

// Scan weighs text against the rules. Harmless text gets the zero Report.
func Scan(text string) Report {
	s := scanner{lex: theLexicon(), text: text}
	s.hidden()
	s.forged()
	v := &view{text: text, direct: true}
	s.view(v, "")
	for _, sp := range v.spelled(s.lex) {
		s.view(sp, encoded)
	}
	s.ciphers(v)
	s.decoded(text, 0, maxNesting)
	return s.report()
}

// scanner collects the findings of one text.
type scanner struct {
	lex      *lexicon
	text     string
	findings []Finding
	weights  map[string]float64 // the heaviest sign of each rule counts
}

// encoded comes before the name of a rule that matched in a decoding.
const encoded = "encoded:"

// view cuts and matches one view.
func (s *scanner) view(v *view, prefix string) {
	cut(v, s.lex)
	for _, g := range v.signs(s.lex) {
		from, to := int(v.words[g.start].off), int(v.words[g.end-1].end)
		s.add(prefix, g.rule.name, g.rule.weight, v.origin(from), v.text[from:to])
	}
}

// softer looks at a decoded text: what somebody took the trouble to encode
// and that reads as a command to say something needs less to be a finding.
func (s *scanner) softer(v *view) {
	if len(s.findings) > 0 || len(v.words) < 5 || !prose(v.text) {
		return
	}
	for i := range v.words {
		if v.words[i].flags&afterClause == 0 && v.commanding(s.lex, i) && s.lex.soft[v.words[i].set] {
			s.add(encoded, "command", 0.6, v.origin(int(v.words[i].off)), v.text[v.words[i].off:])
			return
		}
	}
}

// add records a sign. Of one rule only the heaviest sign counts, so that a
// long text does not collect its score from many weak ones, and a decoding
// of the whole text does not count twice.
func (s *scanner) add(prefix, rule string, weight float64, where int, excerpt string) {
	if s.weights == nil {
		s.weights = make(map[string]float64)
	}
	s.weights[rule] = max(s.weights[rule], weight)
	if len(s.findings) < maxFindings {
		s.findings = append(s.findings, Finding{Rule: prefix + rule, Where: where, Text: shorten(excerpt)})
	}
}

func (s *scanner) report() Report {
	rest := 1.0
	for _, rule := range slices.Sorted(maps.Keys(s.weights)) {
		rest *= 1 - s.weights[rule]
	}
	if score := 1 - rest; score >= threshold {
		slices.SortStableFunc(s.findings, func(a, b Finding) int { return cmp.Compare(a.Where, b.Where) })
		return Report{Score: score, Findings: s.findings}
	}
	return Report{}
}

// shorten makes an excerpt that is safe to show: cleaned, on one line.
func shorten(s string) string {
	if len(s) > 2*maxExcerpt {
		s = s[:2*maxExcerpt]
	}
	s, _ = Clean(s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxExcerpt {
		return s
	}
	n := maxExcerpt
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
