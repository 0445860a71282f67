package constrain

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// numeral is a place in the tree of the numbers that may be written.
type numeral struct {
	id      int
	tree    *numeral // the root
	more    map[rune]*numeral
	whole   bool     // a number ends here
	outside *numeral // of the root: between numbers
	letters *numeral // of the root: inside a word, where digits are part of a name such as log10
}

// known are numbers that nobody has to say: of weeks, hours, percent.
var known = []string{"1", "2", "7", "10", "12", "24", "52", "60", "100", "365", "1000"}

// numberTree makes the tree of the numbers in texts. With others it is for sums,
// and has those and what the texts imply.
func numberTree(texts, others []string) *numeral {
	ids := 0
	add := func(n *numeral) *numeral {
		ids--
		n.id = ids
		return n
	}
	root := add(&numeral{more: map[rune]*numeral{}})
	root.tree = root
	root.outside, root.letters = add(&numeral{tree: root}), add(&numeral{tree: root})
	put := func(s string) {
		at := root
		for _, r := range s {
			to := at.more[r]
			if to == nil {
				to = add(&numeral{tree: root, more: map[rune]*numeral{}})
				at.more[r] = to
			}
			at = to
		}
		at.whole = at != root
	}
	for _, s := range others {
		put(s)
	}
	for _, t := range texts {
		for _, s := range Numbers(t) {
			put(s)
		}
	}
	if len(others) > 0 {
		for _, t := range texts {
			for _, s := range implies(t) {
				put(s)
			}
		}
	}
	return root
}

func (n *numeral) name() int         { return n.id }
func (n *numeral) lost(rune) tracker { return nil }
func (n *numeral) between() bool     { return n == n.tree.outside || n == n.tree.letters }
func (n *numeral) ends() bool        { return n.between() || n.whole }

func (n *numeral) some(low, high rune) bool {
	if n.ends() {
		return true
	}
	for r := range n.more {
		if low <= r && r <= high {
			return true
		}
	}
	return false
}

func (n *numeral) after(r rune, out []tracker) []tracker {
	digit := '0' <= r && r <= '9'
	switch {
	case n == n.tree.letters && (digit || unicode.IsLetter(r)):
		return append(out, n)
	case n.between() && digit:
		if to := n.tree.more[r]; to != nil {
			out = append(out, to)
		}
		return out
	case n.between():
		return append(out, n.tree.gap(r))
	}
	if to := n.more[r]; to != nil {
		out = append(out, to)
	}
	if n.whole && !digit && r != '.' {
		out = append(out, n.tree.gap(r))
	}
	return out
}

// gap is the state after a sign that is no digit.
func (n *numeral) gap(r rune) *numeral {
	if unicode.IsLetter(r) {
		return n.letters
	}
	return n.outside
}

// Numbers are those that a text says, as they may be written: with and without
// the commas between thousands, those in words in digits, and of a percentage
// also the share.
func Numbers(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		if c := text[i]; c < '0' || c > '9' {
			i++
			continue
		}
		end := i
		for end < len(text) && (text[end] >= '0' && text[end] <= '9' || (text[end] == '.' || text[end] == ',') && end+1 < len(text) && text[end+1] >= '0' && text[end+1] <= '9') {
			end++
		}
		out = append(out, spellings(text[i:end], text[end:])...)
		i = end
	}
	return append(out, wordNumbers(text)...)
}

// spellings are the ways in which a number may be written; rest follows it.
func spellings(s, rest string) []string {
	plain := strings.ReplaceAll(s, ",", "")
	out := []string{s, plain}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '.' || r == ',' }) { // of dates and lists
		out = append(out, part)
		if short := strings.TrimLeft(part, "0"); short != "" {
			out = append(out, short)
		}
	}
	if before, part, ok := strings.Cut(plain, "."); ok {
		if part = strings.TrimRight(part, "0"); part == "" {
			out = append(out, before)
		} else {
			out = append(out, before+"."+part)
		}
	}
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return out
	}
	after := strings.ToLower(strings.TrimLeft(rest[:min(len(rest), 12)], " -"))
	if strings.HasPrefix(after, "%") || strings.HasPrefix(after, "percent") || strings.HasPrefix(after, "per cent") {
		for _, share := range []float64{v / 100, 1 + v/100, 1 - v/100} {
			out = append(out, strconv.FormatFloat(share, 'f', -1, 64), strconv.FormatFloat(share, 'f', 2, 64))
		}
	}
	for name, by := range larger10 {
		if strings.HasPrefix(after, name) {
			out = append(out, strconv.FormatFloat(v*by, 'f', -1, 64), strconv.FormatFloat(by, 'f', -1, 64))
		}
	}
	return out
}

// Says reports whether a text says a number, in digits or in words.
func Says(text string) bool { return len(Numbers(text)) > 0 || Implies(text) }

// Implies reports whether a text has a word that stands for a number in its own
// way: half, dozen, fortnight.
func Implies(text string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if implied[w] != nil {
			return true
		}
	}
	return false
}

// implies are the numbers that a sum may have besides those that are said: of
// halves, units and dates, and how many there are, for their mean.
func implies(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		out = append(out, implied[w]...)
	}
	said := strings.FieldsFunc(text, func(r rune) bool { return r != '.' && r != ',' && !unicode.IsDigit(r) })
	said = slices.DeleteFunc(said, func(s string) bool { return strings.Trim(s, ".,") == "" })
	return append(append(out, dates(text)...), strconv.Itoa(len(said)))
}

// larger10 are what may stand after a number and makes it larger.
var larger10 = map[string]float64{"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "hundred": 100, "dozen": 12}

// small are numbers in words.
var small = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}

// implied are the numbers that a sum has where these words are said.
var implied = map[string][]string{
	"half": {"2"}, "halves": {"2"}, "halve": {"2"}, "twice": {"2"}, "double": {"2"}, "doubled": {"2"}, "pair": {"2"}, "couple": {"2"}, "squared": {"2"}, "square": {"2"}, "second": {"2"},
	"third": {"3"}, "thirds": {"3"}, "triple": {"3"}, "thrice": {"3"}, "cubed": {"3"}, "cube": {"3"}, "quarter": {"4"}, "quarters": {"4"}, "fourth": {"4"},
	"fifth": {"5"}, "fifths": {"5"}, "sixth": {"6"}, "eighth": {"8"}, "tenth": {"10"}, "tenths": {"10"}, "first": {"1"}, "fortnight": {"14"}, "leap": {"366"}, "month": {"30"}, "months": {"30"},
	"celsius": {"9", "5", "32", "1.8"}, "fahrenheit": {"9", "5", "32", "1.8"}, "kelvin": {"273.15"}, "mile": {"1.609344"}, "miles": {"1.609344"}, "inch": {"2.54"}, "inches": {"2.54"},
	"foot": {"0.3048", "30.48"}, "feet": {"0.3048", "30.48"}, "pound": {"0.45359237", "453.59237"}, "pounds": {"0.45359237", "453.59237"}, "ounce": {"28.349523125"}, "ounces": {"28.349523125"},
	"gallon": {"3.785411784"}, "gallons": {"3.785411784"}, "kilobyte": {"1024"}, "kilobytes": {"1024"}, "megabytes": {"1024"}, "gigabytes": {"1024"},
}

var scales = map[string]int{"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

// maxWordNumber keeps a row of scales from running over.
const maxWordNumber = 1 << 50

// wordNumbers reads numbers in words: each word alone, and rows of them
// together ("two hundred and fifty").
func wordNumbers(text string) []string {
	var out []string
	total, part, inside := 0, 0, false
	flush := func() {
		if inside {
			out = append(out, strconv.Itoa(total+part))
		}
		total, part, inside = 0, 0, false
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		v, plain := small[w]
		by, scale := scales[w]
		switch {
		case plain:
			out = append(out, strconv.Itoa(v))
			if part%10 != 0 || part == 0 && inside && total == 0 || v >= 10 && part%100 != 0 {
				flush()
			}
			part, inside = part+v, true
		case scale && total+max(part, 1)*by < maxWordNumber:
			out = append(out, strconv.Itoa(by))
			part = max(part, 1) * by
			out = append(out, strconv.Itoa(part))
			if by > 100 {
				total, part = total+part, 0
			}
			inside = true
		case w == "and" && inside:
		default:
			flush()
		}
	}
	flush()
	return out
}
