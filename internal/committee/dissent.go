package committee

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/engine"
)

// stance is where a voice stands.
type stance uint8

const (
	unsaid stance = iota
	pro
	contra
	mixed
)

// stances are the words of a position line, and those that stand for one where
// there is no such line.
var stances = map[string]stance{
	"for": pro, "yes": pro, "pro": pro, "against": contra, "no": contra, "contra": contra, "mixed": mixed, "depends": mixed,
	"ja": pro, "nein": contra, "oui": pro, "non": contra, "sí": pro,
}

// position is what a deliberation says in its last two lines.
type position struct {
	stance  stance
	caution string // "" for none
}

// marks are what models put around a label.
const marks = " \t*_#>-`\"'.|[]()"

// positionOf reads a deliberation. The last line of a label counts: models
// repeat the form before they fill it in.
func positionOf(text string) position {
	var p position
	labelled := false
	for line := range strings.Lines(text) {
		label, value, ok := strings.Cut(strings.Trim(line, marks+"\r\n"), ":")
		if !ok {
			continue
		}
		value = strings.Trim(value, marks)
		switch strings.ToLower(strings.Trim(label, marks)) {
		case "position":
			p.stance, labelled = stances[firstWord(value)], true
		case "caution":
			p.caution = value
		}
	}
	if !labelled {
		p.stance = stances[firstWord(text)]
	}
	if w := firstWord(p.caution); w == "none" || w == "no" && len(contents(p.caution)) == 0 {
		p.caution = ""
	}
	return p
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, marks+"\r\n")
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end >= 0 {
		s = s[:end]
	}
	return strings.ToLower(s)
}

// dissent is something that an answer must not leave out.
type dissent struct {
	who   []string // naming one of these is enough
	words []string // and so is half of these
	what  string   // for the Self, when it was left out
}

// maxCautions is how many cautions one answer is held to.
const maxCautions = 3

// dissents finds what the voices disagree about, in what each said last.
func dissents(last []moothall.Deliberation) []dissent {
	var sides [2]dissent
	var out []dissent
	at := make([]position, len(last))
	for i, d := range last {
		at[i] = positionOf(d.Response)
		if s := at[i].stance; s == pro || s == contra {
			side := &sides[s-pro]
			side.who = append(side.who, d.Persona)
			side.words = append(side.words, contents(at[i].caution)...)
		}
	}
	for i, side := range sides {
		if n, others := len(side.who), len(sides[1-i].who); n > 0 && n <= others {
			side.what = fmt.Sprintf("%s %s, and the answer does not say so: name %s and give the reason",
				strings.Join(side.who, " and "), [2]string{"is for it", "is against it"}[i], side.who[0])
			out = append(out, side)
		}
	}
	return append(out, cautions(last, at)...)
}

// cautions are those that one voice alone gives.
func cautions(last []moothall.Deliberation, at []position) []dissent {
	var out []dissent
	for i, d := range last {
		words := contents(at[i].caution)
		shared := slices.ContainsFunc(last, func(o moothall.Deliberation) bool {
			return o.Persona != d.Persona && covers(o.Response, words)
		})
		if len(words) == 0 || shared || len(last) < 2 || len(out) == maxCautions {
			continue
		}
		out = append(out, dissent{
			who: []string{d.Persona}, words: words,
			what: fmt.Sprintf("%s alone warns of this, and the answer leaves it out: %s", d.Persona, at[i].caution),
		})
	}
	return out
}

// verdict holds an answer against the dissent there was.
func verdict(list []dissent, answer string) engine.Verdict {
	var v engine.Verdict
	for _, d := range list {
		if d.in(answer) {
			v.Passed = append(v.Passed, strings.Join(d.who, " and "))
		} else {
			v.Failed = append(v.Failed, d.what)
		}
	}
	return v
}

func (d dissent) in(answer string) bool {
	return slices.ContainsFunc(d.who, func(name string) bool { return names(answer, name) }) ||
		len(d.words) > 0 && covers(answer, d.words)
}

// names reports whether a text has a name as a word of its own, in the same
// letters: a "friend" is not the Friend.
func names(text, name string) bool {
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		text = text[i+len(name):]
		after, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
}

// covers reports whether a text has at least half of the words.
func covers(text string, list []string) bool {
	if len(list) == 0 {
		return false
	}
	there := contents(text)
	n := 0
	for _, w := range list {
		if slices.Contains(there, w) {
			n++
		}
	}
	return 2*n >= len(list)
}

// common are words of four letters and more that say nothing.
var common = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("about after again also because been before being both could does dont down each even every from have into just " +
		"like made make many more most much must need never none once only other over same should since some such than that them then there these they " +
		"thing things this those through time under until very want well were what when where which while will with within without would your yours") {
		m[w] = true
	}
	return m
}()

// contents are the words that carry a text's meaning, cut to their beginnings
// so that endings do not matter, without repetitions.
func contents(text string) []string {
	const least, most = 4, 5
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(w) < least || common[w] {
			continue
		}
		w = string([]rune(w)[:min(most, utf8.RuneCountInString(w))])
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
