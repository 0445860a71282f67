package builtin

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// reading weighs the arguments that words of the person's can be. Before a call
// a thought says which words are which: "book_room (Monday = day; 3 = seats)".
// After the equals sign the network names an argument, and where it does not
// know the tool it may take one that the words cannot be: a name for a number of
// seats, or the same argument twice.
type reading struct {
	choice
	tools  []moothall.ToolSpec
	encode func([]int32, string) []int32
}

// What speaks for and against an argument, in the measure of logits. Of 1,242
// numbers that wanted calls have, two were said without digits or words for
// numbers; of 650 choices from a list, 24 were a number, a day or a time.
const (
	wordsForNumber  = -8 // words without a number, for a number
	numberForNumber = 2
	measureForList  = -4 // a number, a day or a time, for yes or no and for one of a list
	nameFits        = 3  // a day for what is called day or date, a time for what is called time
	nameMisfits     = -3 // words without a digit for these
)

// follow takes note of a token that a thought has got.
func (d *reading) follow(id int32, thought string) {
	if d == nil {
		return
	}
	if d.list != nil {
		d.narrow(id)
	}
	if d.list == nil && strings.HasSuffix(thought, " =") {
		d.expect(thought)
	}
}

// weigh changes the logits where a thought is about to name an argument.
func (d *reading) weigh(logits []float32, piece func(int32) []byte) {
	if d != nil && d.list != nil {
		d.choice.weigh(logits, piece, 0)
	}
}

// expect makes ready for the argument that a thought is about to name.
func (d *reading) expect(thought string) {
	at := strings.LastIndex(thought, "-> ")
	if at < 0 {
		return
	}
	name, said, ok := strings.Cut(thought[at+len("-> "):], " (")
	i := slices.IndexFunc(d.tools, func(t moothall.ToolSpec) bool { return string(t.Name) == name })
	if !ok || i < 0 {
		return
	}
	pairs := strings.Split(said, "; ")
	words := strings.TrimSuffix(pairs[len(pairs)-1], " =")
	arguments := argumentsOf(d.tools[i])
	var list []tokens
	var scores []float64
	var open []int
	for k, a := range arguments {
		list, scores = append(list, d.encode(nil, " "+a.name)), append(scores, a.fits(words))
		if !slices.ContainsFunc(pairs[:len(pairs)-1], func(p string) bool { return names(p, a.name) }) {
			open = append(open, k)
		}
	}
	if len(open) > 0 {
		d.begin(list, scores, open)
	}
}

// names reports whether a pair of words and argument is of that argument.
func names(pair, argument string) bool {
	at := strings.LastIndex(pair, " = ")
	if at < 0 {
		return false
	}
	name, _, _ := strings.Cut(pair[at+len(" = "):], " ")
	return name == argument
}

// argument is one that a tool takes, and what it can be.
type argument struct {
	name                      string
	required                  bool
	number, list, day, moment bool
}

// argumentsOf are those of a tool.
func argumentsOf(t moothall.ToolSpec) []argument {
	var s struct {
		Properties map[string]struct {
			Type any   `json:"type"`
			Enum []any `json:"enum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if json.Unmarshal(t.Parameters, &s) != nil {
		return nil
	}
	var out []argument
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		words := constrain.NameWords(name)
		out = append(out, argument{
			name: name, required: slices.Contains(s.Required, name),
			number: len(p.Enum) == 0 && (p.Type == "integer" || p.Type == "number"),
			list:   len(p.Enum) > 0 || p.Type == "boolean",
			day:    p.Type == "string" && len(p.Enum) == 0 && (slices.Contains(words, "day") || slices.Contains(words, "date")),
			moment: p.Type == "string" && len(p.Enum) == 0 && slices.Contains(words, "time"),
		})
	}
	return out
}

var (
	plainNumber = lazyregexp.New(`^[-+]?\d[\d.,]*$`)
	dayWords    = lazyregexp.New(`(?i)^(?:\d{4}-\d\d-\d\d|.*\b(?:` + constrain.Month + `)\b.*|.*\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b.*|today|tomorrow|tonight|yesterday|.*\b(?:next|this|last) (?:week|month|year|weekend)\b.*)$`)
	timeWords   = lazyregexp.New(`(?i)^(?:\d{1,2}:\d\d.*|\d{1,2} ?(?:am|pm|o'clock).*|noon|midnight)$`)
)

// fits says how well words can be an argument.
func (a argument) fits(words string) float64 {
	number, day, moment := plainNumber.MatchString(words), dayWords.MatchString(words), timeWords.MatchString(words)
	switch {
	case a.number && !constrain.Says(words):
		return wordsForNumber
	case a.number && number:
		return numberForNumber
	case a.list && (number || day || moment):
		return measureForList
	case a.day && day, a.moment && moment:
		return nameFits
	case (a.day || a.moment) && !day && !moment && !strings.ContainsAny(words, "0123456789"):
		return nameMisfits
	}
	return 0
}
