package constrain

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// Facts are what a plain answer's names, numbers and quotations are held to: the
// texts that it is given from. A word with a capital that does not begin a
// sentence, one with a digit or the signs of a file name in it, a number, and
// what stands in quotation marks must stand in those texts; case does not count.
// A word that begins a sentence must stand there too, or be one that sentences
// begin with. A unit of the list below that stands there in no form is not said.
// All else is free. Facts are for one generation.
type Facts struct {
	text    []byte  // in small letters
	starts  []int32 // of words
	phrases []int32 // of what may be quoted
	units   int32   // from here on: units that stand nowhere
	common  int32   // from here on: words that only begin sentences
	numbers *numeral
	ids     int
	masks   map[*fact]Mask
	steps   map[factStep]*fact
	begin   *fact // before a sentence
	middle  *fact // between words
	lower   *fact // in a word that is free and stands nowhere
	full    *fact // after a full stop of such a word
	quote   *fact // after a quotation mark
}

type factStep struct {
	id int
	b  byte
}

// openers are words that sentences begin with.
const openers = `i i'm i've i'll a an the this that these those there here it its it's he she they we you your you're his her their our my
	in on at by for from with without after before since until during between under over as of to about up out into through
	yes no not nothing none nobody neither both each all some every most many several only also still even just
	what when where who why how which whose if so but and or because although while however then now today tomorrow yesterday
	one two three four five six seven eight nine ten done noted ok okay sure sorry please thanks hello hi good
	added wrote written created changed saved replaced read found listed searched opened removed copied moved stored remembered looking let
	according unfortunately thank tell another more maybe perhaps everything something would could can do does did is are was were have has had`

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// units are what a network likes to count in, with their other forms.
var units = map[string][]string{
	"euros": {"euro", "eur", "€"}, "dollars": {"dollar", "usd", "$"}, "cents": {"cent", "ct", "¢"}, "pounds": {"pound", "gbp", "lb", "£"},
	"kilos": {"kilo", "kilogram", "kg"}, "kilograms": {"kilo", "kilogram", "kg"}, "grams": {"gram", "g"}, "litres": {"litre", "liter", "l"},
	"metres": {"metre", "meter", "m"}, "kilometres": {"kilometre", "kilometer", "km"},
}

// unstated are the units that a text has in no form.
func unstated(text string) []string {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		words[strings.TrimSuffix(w, "s")] = true
	}
	var out []string
	for unit, forms := range units {
		if !slices.ContainsFunc(forms, func(f string) bool { return words[f] || isSign(f) && strings.Contains(text, f) }) {
			out = append(out, unit)
		}
	}
	return out
}

func isSign(form string) bool { return strings.ContainsAny(form, "€$¢£") }

// known to everybody who speaks of this program.
const ourselves = "I Moothall moothall-mini Ollama https://ollama.com ollama pull qwen3:4b English AI URL JSON"

// NewFacts reads texts.
func NewFacts(texts ...string) *Facts {
	all := strings.Join(append([]string{ourselves}, texts...), "\n") + "\n"
	f := &Facts{masks: map[*fact]Mask{}, steps: map[factStep]*fact{}, numbers: numberTree(append(texts, ourselves), nil)}
	text := lowered(all)
	for _, d := range weekdays {
		if bytes.Contains(text, []byte(d+"s")) { // who sings on Wednesdays sings on Wednesday
			text = append(text, d+"\n"...)
		}
	}
	f.units = int32(len(text))
	for _, u := range unstated(all) {
		text = append(text, u+"\n"...)
	}
	f.common = int32(len(text))
	f.text = append(text, lowered(openers+"\n")...)
	f.index()
	f.quote = f.hub(fact{place: inQuote, at: f.phrases})
	f.begin, f.middle = f.hub(fact{place: between, sentence: true}), f.hub(fact{place: between})
	f.lower, f.full = f.hub(fact{place: inWord, free: true}), f.hub(fact{place: afterDot, free: true, dot: true})
	return f
}

// index finds where words and phrases begin; of those that go on alike one is
// enough.
func (f *Facts) index() {
	words, phrases := map[string]bool{}, map[string]bool{}
	for i := range f.text {
		if !wordByte(f.text[i]) || i > 0 && wordByte(f.text[i-1]) {
			continue
		}
		end := i
		for f.text[end] > ' ' {
			end++
		}
		opener := ""
		if int32(i) >= f.common {
			opener = " "
		}
		if first(words, opener+string(f.text[i:end])) {
			f.starts = append(f.starts, int32(i))
		}
		if int32(i) < f.units && first(phrases, string(f.text[i:min(i+maxName, int(f.units))])) {
			f.phrases = append(f.phrases, int32(i))
		}
	}
}

// signs is the first byte of curly quotes, dashes, dots and other signs of three
// bytes: no letter begins with it that an English text has.
const signs = 0xE2

// lowered is a text in small letters without those signs; each byte keeps its
// place.
func lowered(s string) []byte {
	out := []byte(s)
	for i := 0; i < len(out); i++ {
		out[i] = lower(out[i])
		if out[i] == signs && i+2 < len(out) {
			out[i], out[i+1], out[i+2] = ' ', ' ', ' '
		}
	}
	return out
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func digitByte(b byte) bool { return '0' <= b && b <= '9' }
func wordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || digitByte(b) || b >= 0x80 && b != signs
}

// next is the state after a token, nil when it does not fit.
func (s *fact) next(piece []byte) *fact {
	for _, b := range piece {
		if s = s.after(b); s == nil {
			return nil
		}
	}
	return s
}

// mask has the tokens that may follow.
func (s *fact) mask(v *Vocab) Mask {
	m, ok := s.f.masks[s]
	if !ok {
		m = v.empty()
		v.all.follow(s, m)
		s.f.masks[s] = m
	}
	return m
}

// follow sets the bit of every token that a state can take whole.
func (s *sorted) follow(from *fact, m Mask) {
	at := make([]*fact, 1, 32)
	at[0] = from
	good := 0
	for i, p := range s.pieces {
		if s.shared[i] > good {
			continue
		}
		good = s.shared[i]
		for good < len(p) {
			to := at[good].after(p[good])
			if to == nil {
				break
			}
			at = append(at[:good+1], to)
			good++
		}
		if good == len(p) {
			m.set(s.ids[i])
		}
	}
}

// Unsaid returns the first name, number or quotation of a text that does not
// stand where it should; empty when all do.
func (f *Facts) Unsaid(text string) string {
	s := f.begin
	for i := range len(text) {
		to := s.after(text[i])
		if to == nil {
			from := strings.LastIndexFunc(text[:i], unicode.IsSpace) + 1
			end := len(text)
			if n := strings.IndexFunc(text[i:], unicode.IsSpace); n >= 0 {
				end = i + n
			}
			return text[from:end]
		}
		s = to
	}
	if !s.ends() {
		return text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
	}
	return ""
}
