package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// part is one piece of a goal, in the person's own words.
type part struct {
	text  string
	after bool // its words say that it builds on what came before
	both  bool // on two of them
}

// orders are verbs that begin a piece of work.
var orders = wordSet(`add answer analyse analyze build calculate check collect combine compare compute count create describe
	design download draft execute explain fetch find fix gather give implement install investigate join list look make measure
	note open prepare print put read recall remember report research restart review run save say search show store subtract sum
	summarise summarize tell test translate try use verify work write`)

// questions begin a sentence that asks.
var questions = wordSet(`what who whom whose which when where why how is are was were do does did can could will would should has have`)

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

var (
	// joint is where a piece may end: a line, a sentence, a clause.
	joint = regexp.MustCompile(`(?i)[.!?;:]?[ \t]*\n\s*|[.!?;]\s+|,?\s+and\s+|,\s+|\s+then\s+`)
	// lead are words before an order that only place it.
	lead = regexp.MustCompile(`(?i)^(?:(?:please|and|also|then|next|first|second|third|now|finally|lastly|afterwards|after that|in the end|at the end|at last|` +
		`(?:using|with|from|out of|based on|by means of|knowing) (?:both|these|those|them|the two|the results?|all of (?:this|that|these|it)|what you (?:find|found))(?: of (?:them|these))?(?: (?:two|results?|findings|answers))?)\b[,:]?\s*)+`)
	// later are leads that put an order behind others.
	later = regexp.MustCompile(`(?i)\b(?:then|next|finally|lastly|afterwards|after that|in the end|at the end|at last)\b`)
	// backward are words for what came before.
	backward = regexp.MustCompile(`(?i)\b(?:both|the two|these two|of (?:these|them)|from (?:these|them)|the (?:results?|findings|answers)|all of (?:this|that|these|it)|what you (?:find|found))\b`)
	two      = regexp.MustCompile(`(?i)\b(?:both|the two|these two)\b`)
	// object is an order whose object was named before.
	object = regexp.MustCompile(`(?i)^\w+(?: up| out)? (?:it|them|this|that|these|those)\b`)
	item   = regexp.MustCompile(`(?m)^[ \t]*(?:\(?\d{1,2}[.)]|[-*•])[ \t]+`)
	// whole are pieces of text that are not divided: code and quotations.
	whole = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”")
	slot  = regexp.MustCompile("\x00(\\d+)\x00")
)

// divide takes a goal apart along its own structure. A goal that has none is
// one part.
func divide(goal string) []part {
	goal = strings.ReplaceAll(strings.TrimSpace(goal), "\x00", "")
	var kept []string
	masked := whole.ReplaceAllStringFunc(goal, func(s string) string {
		kept = append(kept, s)
		return "\x00" + strconv.Itoa(len(kept)-1) + "\x00"
	})
	pieces := listed(masked)
	if pieces == nil {
		pieces = clauses(masked)
	}
	var out []part
	for _, p := range pieces {
		if strings.Trim(p, " \t\n.,;:!?") == "" {
			continue
		}
		out = append(out, partOf(p, func(s string) string {
			return slot.ReplaceAllStringFunc(s, func(m string) string {
				if i, err := strconv.Atoi(strings.Trim(m, "\x00")); err == nil && i < len(kept) {
					return kept[i]
				}
				return ""
			})
		}))
	}
	if len(out) < 2 {
		return []part{{text: goal}}
	}
	return out
}

// partOf reads off a piece how it stands to the others, and puts what was
// kept whole back into it.
func partOf(piece string, unmask func(string) string) part {
	piece = strings.TrimSpace(piece)
	before := lead.FindString(piece)
	rest := strings.TrimRight(strings.TrimSpace(piece[len(before):]), ";,")
	p := part{
		after: later.MatchString(before) || backward.MatchString(piece) || object.MatchString(rest),
		both:  two.MatchString(piece),
	}
	if backward.MatchString(before) { // what it builds on is part of what it says
		rest = strings.TrimSpace(later.ReplaceAllString(before, "")) + " " + rest
	}
	p.text = capital(unmask(strings.TrimSpace(rest)))
	return p
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// listed takes a list apart: its items, and what stands behind it. What
// stands before it is said of each item that is no order by itself.
func listed(text string) []string {
	marks := item.FindAllStringIndex(text, -1)
	if len(marks) < 2 {
		return nil
	}
	intro := strings.TrimRight(strings.TrimSpace(text[:marks[0][0]]), ":")
	var out []string
	rest := ""
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		entry := text[m[1]:end]
		if i+1 == len(marks) { // a paragraph of its own, or an order, ends the last item
			entry, rest = lastItem(entry)
		}
		entry = strings.TrimSpace(entry)
		if intro != "" && !begins(entry, false) && !strings.HasSuffix(entry, "?") {
			entry = intro + ": " + entry
		}
		out = append(out, entry)
	}
	if rest != "" {
		out = append(out, clauses(rest)...)
	}
	return out
}

func lastItem(text string) (entry, rest string) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text, ""
		}
		at += i + 1
		if tail := text[at:]; strings.HasPrefix(tail, "\n") || begins(tail, true) {
			return text[:at], strings.TrimSpace(tail)
		}
	}
}

// clauses takes sentences apart where an order or a question begins. What
// begins none belongs to what stands before it; at the very beginning, to what
// comes behind it.
func clauses(text string) []string {
	var out []string
	from, ordered := 0, begins(text, true)
	for _, j := range joint.FindAllStringIndex(text, -1) {
		mark := text[j[0]:j[1]]
		sentence := strings.ContainsAny(mark, ".!?;\n")
		if j[0] < from || !begins(text[j[1]:], sentence) || !sentence && object.MatchString(lead.ReplaceAllString(text[j[1]:], "")) {
			continue
		}
		if strings.TrimSpace(lead.ReplaceAllString(strings.TrimSpace(text[from:j[0]]), "")) == "" {
			continue // nothing but words that place the order behind them
		}
		if !ordered { // what stands before the first order is said of it
			ordered = true
			continue
		}
		end, next := border(j, mark)
		out = append(out, text[from:end])
		from = next
	}
	return append(out, text[from:])
}

// border says where the piece before a joint ends and the next begins: a full
// stop stays with the first, and a word for later with the second.
func border(j []int, mark string) (end, next int) {
	switch strings.ToLower(strings.TrimSpace(mark)) {
	case "then":
		return j[0], j[0]
	case "and", ", and", ",":
		return j[0], j[1]
	}
	return j[0] + len(strings.TrimRight(mark, " \t\n")), j[1]
}

// begins reports whether an order stands at the beginning, or where a
// sentence begins a question.
func begins(text string, sentence bool) bool {
	text = strings.TrimSpace(text)
	rest := lead.ReplaceAllString(text, "")
	first := strings.ToLower(strings.TrimFunc(firstField(rest), func(r rune) bool { return !unicode.IsLetter(r) }))
	return orders[first] || sentence && questions[first]
}

func firstField(s string) string {
	for f := range strings.FieldsSeq(s) {
		return f
	}
	return ""
}

// depend says for each part which it builds on: of those before it the ones
// that none has built on yet.
func depend(parts []part) [][]int {
	out := make([][]int, len(parts))
	var open []int
	for i, p := range parts {
		if p.after && i > 0 {
			on := slices.Clone(open)
			if p.both && i > 1 && len(on) != 2 {
				on = []int{i - 2, i - 1}
			}
			out[i] = on
			open = slices.DeleteFunc(open, func(j int) bool { return slices.Contains(on, j) })
		}
		open = append(open, i)
	}
	return out
}
