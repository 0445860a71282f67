package builtin

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// unitNames are those of the calculator's units that people speak of.
const unitNames = `metres?|meters?|m|kilometres?|kilometers?|km|centimetres?|centimeters?|cm|millimetres?|millimeters?|mm|inch(?:es)?|foot|feet|ft|yards?|miles?` +
	`|kilograms?|kilos?|kg|grams?|g|tonnes?|pounds?|lbs?|ounces?|oz|stone|litres?|liters?|l|millilitres?|milliliters?|ml|gallons?|cups?|pints?` +
	`|degrees celsius|degrees fahrenheit|°c|°f|celsius|fahrenheit|c|f|mph|km/h|knots?|seconds?|minutes?|hours?|days|weeks|mb|gb|tb|kcal|kj|kwh|acres?|hectares?|square (?:metres?|meters?|feet)`

// politely is how a wish may end.
const politely = `\W*(?:(?:please|thanks|thank you)\W*)?$`

// A wish for an amount in another unit: "350 f in celsius", "how many km is 26.2
// miles", "5 kg makes how many pounds".
var (
	amountIn = regexp.MustCompile(`(?i)(?:^|\s)(-?\d[\d,]*(?:\.\d+)?)\s*(` + unitNames + `)\s+(?:in|to|into|as|(?:is|are|makes?|equals?) how (?:many|much))\s+(` + unitNames + `)` + politely)
	howMany  = regexp.MustCompile(`(?i)\bhow (?:many|much) (` + unitNames + `) (?:is|are|in|make|makes|do) (-?\d[\d,]*(?:\.\d+)?)\s*(` + unitNames + `)` + politely)
)

// inUnits is the conversion that a question asks for; empty: none. Weights
// before these did it by factors of their own, which were often wrong.
func inUnits(question string) string {
	if m := amountIn.FindStringSubmatch(question); m != nil {
		return m[1] + " " + m[2] + " in " + m[3]
	}
	if m := howMany.FindStringSubmatch(question); m != nil {
		return m[2] + " " + m[3] + " in " + m[1]
	}
	return ""
}

// asSaid returns the arguments of a call, those of a sum in the person's words
// where the calculator understands these and the network put it otherwise.
func asSaid(c moothall.ToolCall, question string, messages []moothall.Message) json.RawMessage {
	var args struct {
		Expression string `json:"expression"`
	}
	if c.Name != calculates || json.Unmarshal(c.Arguments, &args) != nil {
		return c.Arguments
	}
	if args.Expression = cmp.Or(inUnits(question), inWeeks(args.Expression, question), daysIn(args.Expression, messages), sameShare(args.Expression, question, messages)); args.Expression == "" {
		return c.Arguments
	}
	return encoded(args, c.Arguments)
}

// noSum is said where a sum came out as none.
const noSum = "I could not put that into a sum. Please write it as one, for example 12 * 8 or 2026-12-25 - 2026-11-17."

// stray is the word that the calculator stumbled over.
var stray = regexp.MustCompile(`"(\pL{2,})"`)

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

// dayIn is a day that somebody seems to want in another unit, and daysCame what
// came out where days were counted.
var (
	dayIn    = regexp.MustCompile(`^\d{4}-\d\d-\d\d in (weeks|hours)$`)
	daysCame = regexp.MustCompile(`(?m) = (\d+) days?$`)
)

// daysIn is a sum about the days that were counted last, where the network took
// one of the dates: "and in weeks". Empty: it is another sum.
func daysIn(sum string, messages []moothall.Message) string {
	m := dayIn.FindStringSubmatch(sum)
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
	share     = regexp.MustCompile(`^([\d.,]+)% of ([\d.,]+)$`)
	shareCame = regexp.MustCompile(`(?m)^([\d.,]+)% of ([\d.,]+) = `)
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
