package builtin

import (
	"cmp"
	"encoding/json"
	"regexp"

	"moothall"
)

// unitNames are those of the calculator's units that people speak of.
const unitNames = `metres?|meters?|m|kilometres?|kilometers?|km|centimetres?|centimeters?|cm|millimetres?|millimeters?|mm|inch(?:es)?|foot|feet|ft|yards?|miles?` +
	`|kilograms?|kilos?|kg|grams?|g|tonnes?|pounds?|lbs?|ounces?|oz|stone|litres?|liters?|l|millilitres?|milliliters?|ml|gallons?|cups?|pints?` +
	`|degrees celsius|degrees fahrenheit|°c|°f|celsius|fahrenheit|c|f|mph|km/h|knots?|seconds?|minutes?|hours?|days|weeks|mb|gb|tb|kcal|kj|kwh|acres?|hectares?|square (?:metres?|meters?|feet)`

// A wish for an amount in another unit: "350 f in celsius", "how many km is 26.2 miles".
var (
	amountIn = regexp.MustCompile(`(?i)(?:^|\s)(-?\d[\d,]*(?:\.\d+)?)\s*(` + unitNames + `)\s+(?:in|to|into|as)\s+(` + unitNames + `)\W*$`)
	howMany  = regexp.MustCompile(`(?i)\bhow (?:many|much) (` + unitNames + `) (?:is|are|in|make|makes|do) (-?\d[\d,]*(?:\.\d+)?)\s*(` + unitNames + `)\W*$`)
)

// inUnits is the conversion that a question asks for; empty: none. These weights
// do it by factors, which they know in part.
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
func asSaid(c moothall.ToolCall, question string) json.RawMessage {
	var args struct {
		Expression string `json:"expression"`
	}
	if c.Name != "calculate" || json.Unmarshal(c.Arguments, &args) != nil {
		return c.Arguments
	}
	if args.Expression = cmp.Or(inUnits(question), inWeeks(args.Expression, question)); args.Expression == "" {
		return c.Arguments
	}
	out, err := json.Marshal(args)
	if err != nil {
		return c.Arguments
	}
	return out
}
