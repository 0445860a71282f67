package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"moothall"
	"moothall/internal/lazyregexp"
)

// The calculator's units that people speak of, by what they measure.
const (
	lengths      = `metres?|meters?|m|kilometres?|kilometers?|km|centimetres?|centimeters?|cm|millimetres?|millimeters?|mm|inch(?:es)?|foot|feet|ft|yards?|miles?`
	masses       = `kilograms?|kilos?|kg|grams?|g|tonnes?|pounds?|lbs?|ounces?|oz|stone`
	volumes      = `litres?|liters?|l|millilitres?|milliliters?|ml|gallons?|cups?|pints?`
	temperatures = `degrees celsius|degrees fahrenheit|°c|°f|celsius|fahrenheit|c|f`
	speeds       = `mph|km/h|knots?`
	times        = `seconds?|minutes?|hours?|days|weeks`
	others       = `mb|gb|tb|kcal|kj|kwh`
	areas        = `acres?|hectares?|square (?:metres?|meters?|feet)`
	unitNames    = lengths + `|` + masses + `|` + volumes + `|` + temperatures + `|` + speeds + `|` + times + `|` + others + `|` + areas
)

// politely is how a wish may end.
const politely = `\W*(?:(?:please|pls|plz|thanks|thank you|thx)\W*)?$`

// besides is the second part of an amount: 3 hours and 20 minutes.
const besides = `(?:(?:,|\s+and)?\s+\d+\s*(?:` + unitNames + `))?`

// A wish for an amount in another unit: "350 f in celsius", "how many km is 26.2
// miles", "5 kg makes how many pounds", "how many seconds are there in a week".
var (
	amountIn = lazyregexp.New(`(?i)(?:^|\s)(-?\d[\d,]*(?:\.\d+)?)\s*((?:` + unitNames + `)` + besides + `)\s+(?:in|to|into|as|(?:is|are|makes?|equals?) how (?:many|much))\s+(` + unitNames + `)` + politely)
	howMany  = lazyregexp.New(`(?i)\bhow (?:many|much) (` + unitNames + `) (?:(?:(?:is|are) (?:there )?)?in|is|are|make|makes|do|does) (an? |one |-?\d[\d,]*(?:\.\d+)?\s*)(` + unitNames + `|day|week)(` + besides + `)(?: have| has| make| contain)?` + politely)
)

// inUnits is the conversion that a question asks for; empty: none. Weights
// before these did it by factors of their own, which were often wrong.
func inUnits(question string) string {
	if m := amountIn.FindStringSubmatch(question); m != nil {
		return m[1] + " " + m[2] + " in " + m[3]
	}
	if m := howMany.FindStringSubmatch(question); m != nil && measureOf(m[1]) == measureOf(m[3]) { // a cup of flour has some grams
		many := strings.TrimSpace(m[2])
		if unicode.IsLetter(rune(many[0])) {
			many = "1"
		}
		return many + " " + m[3] + m[4] + " in " + m[1]
	}
	return ""
}

// Somebody who wants the last amount in another unit, "how high is it in feet?",
// "and in miles", and what may be that amount.
var (
	alsoIn    = lazyregexp.New(begins + `(?:(?:how|what)\b[^\d?.]{0,40}\b(?:it|that|this|they|those|these)\b[^\d?.]{0,20} )?(?:in|into) (` + unitNames + `)` + politely)
	theseMany = lazyregexp.New(`(?i)\bhow (?:many|much) (` + unitNames + `) (?:(?:is|are|was|were|makes?|would) (?:that|it|this|those|these)(?: be)?|(?:that|it|this) (?:is|was|makes))` + politely)
	anAmount  = lazyregexp.New(`(?i)(?:^|[\s(])([-−]?\d[\d,]*(?:\.\d+)?)\s*(` + unitNames + `)\b`)
	measures  = func() (out []*lazyregexp.Regexp) {
		for _, units := range []string{lengths, masses, volumes, temperatures, speeds, times + `|day|week`, areas} {
			out = append(out, lazyregexp.New(`(?i)^(?:`+units+`)$`))
		}
		return out
	}()
)

// measureOf is which of these a unit measures; -1: something else.
func measureOf(unit string) int {
	return slices.IndexFunc(measures, func(r *lazyregexp.Regexp) bool { return r.MatchString(unit) })
}

// alsoInUnit is the conversion of the amount in the last answer that a question
// asks for. Empty: it asks for none, or the answer has not one amount of that kind.
func alsoInUnit(question string, messages []moothall.Message) string {
	m := alsoIn.FindStringSubmatch(question)
	if m == nil {
		m = theseMany.FindStringSubmatch(question)
	}
	if m == nil {
		return ""
	}
	kind := measureOf(m[1])
	for _, was := range slices.Backward(messages) {
		if kind < 0 || was.Role != moothall.RoleAssistant || was.Content == "" {
			continue
		}
		found := slices.DeleteFunc(anAmount.FindAllStringSubmatch(was.Content, -1), func(a []string) bool { return !measures[kind].MatchString(a[2]) })
		if len(found) != 1 || strings.EqualFold(found[0][2], m[1]) {
			return ""
		}
		return strings.NewReplacer(",", "", "−", "-").Replace(found[0][1]) + " " + found[0][2] + " in " + m[1]
	}
	return ""
}

// ask is how people begin who want a sum.
const ask = `(?:(?:what(?:'s| is| are)|how much (?:is|are)|calculate|compute|work out)\s+)?`

// amount is one that can be added to others: 300 g, 1 hour 20 minutes.
const (
	additive = lengths + `|` + masses + `|` + volumes + `|days?|weeks?|` + times + `|` + others + `|` + areas
	amount   = `\d[\d,]*(?:\.\d+)?\s*(?:` + additive + `)\b(?:\s+(?:and\s+)?\d+\s*(?:` + additive + `)\b)?`
)

// A sum in figures, and those that people put into words the same way always: a
// root, a factorial, something off a price, the weekday of a date with its year.
// A date, "24/7" and a bare "10 - 12" are none.
var (
	inFigures   = lazyregexp.New(`(?i)^\s*(?:(?:please|now|and|ok|okay|so|then)\b[\s,:]*)*` + ask + `(\(*\d[\d,.]*(?:\)*\s*(?:[+*×^]| [-/÷x] )\s*\(*\d[\d,.]*)+\)*)[?.!=\s]*$`)
	fromTo      = lazyregexp.New(`^\s*\d[\d.,]* - \d[\d.,]*[.!\s]*$`)
	factorialOf = lazyregexp.New(begins + ask + `(?:(\d{1,3}) factorial|(?:the )?factorial of (\d{1,3}))[?.!\s]*$`)
	percentOff  = lazyregexp.New(begins + ask + `(\d[\d.]*)\s*(?:%|percent) off (?:of )?[$€£]?(\d[\d,]*(?:\.\d+)?)(?:\s*(?:\pL+|[$€£]))?[?.!\s]*$`)
	whichDay    = lazyregexp.New(begins + `(?:what|which) (?:week)?day (?:of the week )?(?:was|is|will|falls|fell)(?: it| be)*(?: on)? (?:the )?(\S+(?: \S+){0,3} \d{4}|\d{4}-\d\d-\d\d)[?.!\s]*$`)
	besideDay   = lazyregexp.New(`(?i)\bof\b|,|(\d)(?:st|nd|rd|th)\b`)
	inAmounts   = lazyregexp.New(begins + ask + `(` + amount + `(?:\s*\+\s*|\s+(?:plus|minus|-)\s+)` + amount + `)[?.!\s]*$`)
	plusWord    = lazyregexp.New(`(?i)\s+plus\s+`)
	minusWord   = lazyregexp.New(`(?i)\s+minus\s+`)
	rootOf      = lazyregexp.New(begins + ask + `(?:the )?square root (?:of|from) (\d[\d,]*(?:\.\d+)?)[?.!\s]*$`)
)

// plainSum is the sum that a question is, with nothing left to understand.
func plainSum(question string) string {
	if m := factorialOf.FindStringSubmatch(question); m != nil {
		return "factorial(" + cmp.Or(m[1], m[2]) + ")"
	}
	if m := percentOff.FindStringSubmatch(question); m != nil {
		return m[2] + " - " + m[1] + "% of " + m[2]
	}
	if m := whichDay.FindStringSubmatch(question); m != nil {
		day := strings.Join(strings.Fields(besideDay.ReplaceAllString(m[1], "$1 ")), " ")
		for _, layout := range []string{"2 January 2006", "January 2 2006", time.DateOnly} { // months in any case
			if d, err := time.Parse(layout, day); err == nil {
				return "weekday of " + d.Format(time.DateOnly)
			}
		}
	}
	if m := rootOf.FindStringSubmatch(question); m != nil {
		return "sqrt(" + strings.ReplaceAll(m[1], ",", "") + ")"
	}
	if m := inAmounts.FindStringSubmatch(question); m != nil {
		return minusWord.ReplaceAllString(plusWord.ReplaceAllString(m[1], " + "), " - ")
	}
	if m := inFigures.FindStringSubmatch(question); m != nil && !fromTo.MatchString(question) {
		return strings.NewReplacer("×", "*", " x ", " * ", "÷", "/").Replace(strings.TrimRight(m[1], ",."))
	}
	return ""
}

// summing lets a thought about a question that is nothing but a sum, the last
// amount in another unit, or a day or time beside now, say so: there is nothing to
// decide.
type summing struct {
	encode  func([]int32, string) []int32
	thought string
}

// newSumming is for a question after other messages, with these tools.
func newSumming(encode func([]int32, string) []int32, question string, r moothall.GenerateRequest) summing {
	s := summing{encode: encode}
	n := len(r.Messages)
	if n == 0 || r.Messages[n-1].Role != moothall.RoleUser && !recalledAge(question, r.Messages[n-1]) || !slices.ContainsFunc(r.Tools, func(t moothall.ToolSpec) bool { return t.Name == calculates }) {
		return s
	}
	if sum := plainSum(question); sum != "" {
		s.thought = "Numbers are asked for, so I let calculate work out " + sum + "."
	} else if sum := cmp.Or(inUnits(question), alsoInUnit(question, r.Messages)); sum != "" {
		amount, unit, _ := strings.Cut(sum, " in ")
		s.thought = amount + " are wanted in " + unit + ", so I calculate " + sum + "."
	} else if sum := daysThere(question, r.Messages); sum != "" {
		s.thought = "They said both days, so I calculate " + sum + "."
	} else if sum := daysAgain(question, r.Messages); sum != "" {
		s.thought = "They want the same of other days, so I calculate " + sum + "."
	} else if sum := withShare(question, r.Messages); sum != "" {
		s.thought = "They want the amount with that share, so I calculate " + sum + "."
	} else if sum := bothTogether(question, r.Messages); sum != "" {
		s.thought = "They want it all together, so I calculate " + sum + "."
	} else {
		_, s.thought = byClock(question, r.Messages)
	}
	return s
}

// recalledAge reports whether a message is what was recalled for somebody who asks
// for their age: there is a sum left to do.
func recalledAge(question string, m moothall.Message) bool {
	return m.Role == moothall.RoleTool && m.ToolName == memoryRead && howOldAmI.MatchString(question)
}

// dictate returns the tokens of the whole thought, before its first word.
func (s summing) dictate(thought string) []int32 {
	if s.thought == "" || strings.TrimSpace(thought) != "" {
		return nil
	}
	return s.encode(nil, s.thought)
}

// asSaid returns the arguments of a call, those of a sum in the person's words or
// the thought's where the calculator understands these and the network put it
// otherwise.
func asSaid(c moothall.ToolCall, question, thought string, messages []moothall.Message) json.RawMessage {
	var args struct {
		Expression string `json:"expression"`
	}
	if c.Name != calculates || json.Unmarshal(c.Arguments, &args) != nil {
		return c.Arguments
	}
	sum := cmp.Or(asThought(args.Expression, thought), args.Expression)
	now, _ := byClock(question, messages)
	sum = cmp.Or(plainSum(question), inUnits(question), alsoInUnit(question, messages), now, inWeeks(sum, question), daysIn(sum, messages), withShare(question, messages), sameShare(sum, question, messages), inAll(sum, question, messages), unsigned(sum, question), sum)
	if sum == args.Expression {
		return c.Arguments
	}
	args.Expression = sum
	return encoded(args, c.Arguments)
}

// Who asks for what lies between two, and a sum of two numbers that takes one from
// the other.
var (
	liesBetween = lazyregexp.New(`(?i)\b(?:between|apart|difference|gap|older|younger)\b`)
	fewer       = lazyregexp.New(`^(\d+(?:\.\d+)?) - (\d+(?:\.\d+)?)$`)
)

// unsigned is a difference that is wanted without its sign: nobody is minus four years
// older. Empty: it is another sum.
func unsigned(sum, question string) string {
	m := fewer.FindStringSubmatch(sum)
	if m == nil || !liesBetween.MatchString(question) {
		return ""
	}
	a, errA := strconv.ParseFloat(m[1], 64)
	b, errB := strconv.ParseFloat(m[2], 64)
	if errA != nil || errB != nil || a >= b {
		return ""
	}
	return m[2] + " - " + m[1]
}

// noSum is said where a sum came out as none.
const noSum = "I could not put that into a sum. Please write it as one, for example 12 * 8 or 2026-12-25 - 2026-11-17."

// stray is the word that the calculator stumbled over.
var stray = lazyregexp.New(`"(\pL{2,})"`)

// muddled reports whether a sum failed for a word that the person did not say:
// why it cannot be calculated tells them nothing.
func muddled(messages []moothall.Message) bool {
	found := results(messages)
	if len(found) == 0 || found[len(found)-1].call.Name != calculates {
		return false
	}
	hit := stray.FindStringSubmatch(found[len(found)-1].text)
	return hit != nil && !strings.Contains(strings.ToLower(question(messages)), strings.ToLower(hit[1]))
}

// unitDay is a day that somebody seems to want in another unit, and daysCame what
// came out where days were counted.
var (
	unitDay  = lazyregexp.New(`^\d{4}-\d\d-\d\d in (weeks|hours)$`)
	daysCame = lazyregexp.New(`(?m) = (\d+) days?$`)
)

// daysIn is a sum about the days that were counted last, where the network took
// one of the dates: "and in weeks". Empty: it is another sum.
func daysIn(sum string, messages []moothall.Message) string {
	m := unitDay.FindStringSubmatch(sum)
	if m == nil {
		return ""
	}
	unit := m[1]
	if unit == "weeks" {
		unit = "weeks and days"
	}
	for _, m := range slices.Backward(messages) {
		if came := daysCame.FindStringSubmatch(m.Content); m.Role == moothall.RoleTool && came != nil {
			return came[1] + " days in " + unit
		}
	}
	return ""
}

// share is a sum of a share, and shareCame one that came out.
var (
	share     = lazyregexp.New(`^([\d.,]+)% of ([\d.,]+)$`)
	shareCame = lazyregexp.New(`(?m)^([\d.,]+)% of ([\d.,]+) = `)
)

// sameShare is the last share of another amount, where the person said "of" that
// and the network took it for another share: "and of 480?" Empty: it did not.
func sameShare(sum, question string, messages []moothall.Message) string {
	m := share.FindStringSubmatch(sum)
	if m == nil || strings.Contains(question, "%") || !strings.Contains(" "+strings.TrimRight(question, " ?.!")+" ", " of "+m[1]+" ") {
		return ""
	}
	for _, was := range slices.Backward(messages) {
		if came := shareCame.FindStringSubmatch(was.Content); was.Role == moothall.RoleTool && came != nil {
			if came[2] != m[2] {
				return ""
			}
			return came[1] + "% of " + m[1]
		}
	}
	return ""
}

// Somebody who asks for the whole amount after a share of it, and the words of who put
// that share on top of it, or took it off.
var (
	wholeAmount = lazyregexp.New(begins + `(?:(?:what(?:['’]?s| is| was| would be)?|how much(?: is| was)?|give me)\b\s*)?(?:does (?:it|that) (?:come|add up|amount) to |is (?:it|that) )?(?:the |then |all )*` +
		`(?:(?:grand |final |whole |new )?(?:total|gross|sum|bill|price|amount|to pay)(?: (?:amount|price|sum|bill|total))?|in all|all in all|altogether|in total)(?: (?:then|now|with (?:it|that|tips?|tax|vat)|including (?:it|that|tips?|tax|vat)))?` + politely)
	onTop    = lazyregexp.New(`(?i)\b(?:tips?|tipp?ing|vat|tax(?:es)?|gratuity|service|surcharge|fees?|markup|interest|raise|increase|on top|more)\b`)
	takenOff = lazyregexp.New(`(?i)\b(?:off|discount|rebate|reduction|reduced|cheaper|less|sale|deposit)\b`)
)

// withShare is the whole amount, where the last sum was a share of it: the bill with
// the tip. Empty: that is not asked for, or the share was of another kind.
func withShare(question string, messages []moothall.Message) string {
	if !wholeAmount.MatchString(question) {
		return ""
	}
	before := askedBefore(question, messages)
	for _, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleTool {
			continue
		}
		came := shareCame.FindStringSubmatch(inside(m.Content))
		on, off := onTop.MatchString(before), takenOff.MatchString(before)
		if m.ToolName != calculates || came == nil || on == off {
			return ""
		}
		if off {
			return came[2] + " - " + came[1] + "% of " + came[2]
		}
		return came[2] + " + " + came[1] + "% of " + came[2]
	}
	return ""
}

// Somebody who asks what two amounts come to, a sum of two numbers that is none, the
// words of who wants a share or an average, and those that say how often an amount
// comes.
var (
	allTogether = lazyregexp.New(`(?i)\b(?:in all|all in all|together|altogether|in total|combined)\b`)
	notAdded    = lazyregexp.New(`^(\d[\d,]*(?:\.\d+)?) [*/] (\d[\d,]*(?:\.\d+)?)$`)
	shared      = lazyregexp.New(`(?i)\d|\b(?:per|average|times|shares?|shared|split|divided?|percent|percentage|an? (?:hour|day|week|year|head|person))\b|%`)
	often       = lazyregexp.New(`(?i)\b(?:each|apiece|per|every|times|x|(?:at|with|of|for) [$€£]?\d)\b`)
	ofThings    = lazyregexp.New(`(\d[\d,]*(?:\.\d+)?)(?: (\pL+))?`)
)

// noThing are words after a number that it does not count.
var noThing = []string{"and", "or", "a", "an", "for", "on", "in", "to", "is", "but", "so", "plus"}

// inAll is the sum of two numbers that the network would multiply or divide for
// somebody who said both before, of things of one kind, asks what they come to, and
// names no third. Empty: it is another sum.
func inAll(sum, question string, messages []moothall.Message) string {
	m := notAdded.FindStringSubmatch(sum)
	if m == nil || !allTogether.MatchString(question) || shared.MatchString(question) {
		return ""
	}
	for before := range questions(messages) {
		of := map[string]string{}
		for _, n := range ofThings.FindAllStringSubmatch(before, -1) {
			thing := strings.ToLower(n[2])
			if slices.Contains(noThing, thing) {
				thing = ""
			}
			of[strings.TrimRight(n[1], ",")] = thing
		}
		one, there := of[m[1]]
		other, also := of[m[2]]
		if !there || !also {
			continue
		}
		if often.MatchString(before) || one != other && one != "" && other != "" {
			return ""
		}
		return m[1] + " + " + m[2]
	}
	return ""
}

// asksForAll is how somebody asks what the amounts of their last message come to, and
// aYear a number that may be one.
var (
	asksForAll = lazyregexp.New(begins + `(?:how (?:much|many|old)|what)\b[^\d?.]{0,40}\b(?:in all|together|altogether|in total|combined)` + politely)
	aYear      = lazyregexp.New(`^(?:19|20)\d\d$`)
	oneAmount  = lazyregexp.New(`(?:^|\s)([$€£]?)(\d[\d,]*(?:\.\d+)?)([^\s]*)(?: (\pL+))?`)
)

// bothTogether is the sum of the two amounts of the last message, of one kind, for who
// asks what they come to. Empty: it has more or fewer, or numbers of something else.
func bothTogether(question string, messages []moothall.Message) string {
	if !asksForAll.MatchString(question) || shared.MatchString(question) {
		return ""
	}
	told := 0
	for before := range questions(messages) {
		if told++; told == 1 {
			continue
		}
		found := oneAmount.FindAllStringSubmatch(before, -1)
		if len(found) != 2 || often.MatchString(before) || isQuestion(before) {
			return ""
		}
		var of [2]string
		for i, n := range found {
			found[i][2] = strings.TrimRight(n[2], ",")
			if strings.Trim(n[3], ".,;!") != "" || aYear.MatchString(found[i][2]) { // a time, a date, a number of a house
				return ""
			}
			if of[i] = strings.ToLower(n[4]); slices.Contains(noThing, of[i]) || n[3] != "" {
				of[i] = ""
			}
			of[i] = cmp.Or(n[1], of[i])
		}
		if of[0] != of[1] && of[0] != "" && of[1] != "" {
			return ""
		}
		return found[0][2] + " + " + found[1][2]
	}
	return ""
}
