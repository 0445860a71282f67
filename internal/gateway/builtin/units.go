package builtin

import (
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

// inUnits returns the arguments of a sum, or the conversion that the person asked
// for in place of it: these weights do it by factors, which they know in part.
func inUnits(c moothall.ToolCall, question string) json.RawMessage {
	if c.Name != "calculate" {
		return c.Arguments
	}
	amount, from, to := "", "", ""
	if m := amountIn.FindStringSubmatch(question); m != nil {
		amount, from, to = m[1], m[2], m[3]
	} else if m := howMany.FindStringSubmatch(question); m != nil {
		amount, from, to = m[2], m[3], m[1]
	} else {
		return c.Arguments
	}
	out, err := json.Marshal(map[string]string{"expression": amount + " " + from + " in " + to})
	if err != nil {
		return c.Arguments
	}
	return out
}
