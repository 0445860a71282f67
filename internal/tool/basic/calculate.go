package basic

import (
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
)

const calculateSchema = `{"type":"object","additionalProperties":false,"required":["expression"],"properties":{
"expression":{"type":"string","minLength":1,"maxLength":4096,"description":"What to calculate, for example (12 + 8) * 3 or sqrt(2) or 15% of 80, or 2026-12-25 - 2026-11-16 for days, or weekday of 2026-12-25, or 11:05 - 7:40 or 18:30 + 95 minutes for times of the day, or 5 miles in km or 20 C in F for units. Use + - * / ^ and functions such as sqrt, round, ln, log10, sin, min, max."}}}`

// CalculateData is the result of calculate for programs.
type CalculateData struct {
	Expression string `json:"expression"`
	Result     string `json:"result"`
	Exact      bool   `json:"exact"`
	Fraction   string `json:"fraction,omitempty"` // of an exact result that no decimal writes
}

func calculateTool() tool {
	return tool{run: calculate, spec: moothall.ToolSpec{
		Name: "calculate", Aliases: []moothall.ToolName{"calculator", "calc", "evaluate"},
		Description: "Calculate a mathematical expression exactly. Use it for every calculation.",
		Parameters:  json.RawMessage(calculateSchema),
		Risk:        moothall.RiskNone, ReadOnly: true, Idempotent: true,
		Timeout: 10 * time.Second, MaxResult: 24 << 10, Origin: "built-in",
	}}
}

func calculate(_ context.Context, r moothall.ToolRun) (answer.Answer, error) {
	args, err := answer.Arguments[struct {
		Expression string `json:"expression"`
	}](r)
	if err != nil {
		return answer.Answer{}, err
	}
	asked := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(args.Expression), "="))
	given := func(result, unit string, exact bool) (answer.Answer, error) {
		d := CalculateData{Expression: args.Expression, Result: result, Exact: exact}
		return answer.Answer{Text: asked + equals(exact) + result + unit, Data: d}, nil
	}
	for _, special := range []func(string) (result, unit string, exact bool, err error){dated, timed, converted} {
		result, unit, exact, err := special(asked)
		if err != nil {
			return answer.Answer{}, err
		}
		if result != "" {
			return given(result, unit, exact)
		}
	}
	v, err := Evaluate(args.Expression)
	if err != nil { // what is a sum of numbers is none of amounts
		if result, unit, exact, errSum := summed(asked); result != "" {
			return given(result, unit, exact)
		} else if errSum != nil {
			err = errSum
		}
		return answer.Answer{}, err
	}
	d := CalculateData{Expression: args.Expression, Result: v.String(), Exact: v.Exact, Fraction: v.fraction()}
	text := strings.TrimSpace(args.Expression) + equals(d.Exact && d.Fraction == "") + d.Result
	if d.Fraction != "" {
		text += " (exactly " + d.Fraction + ")"
	}
	return answer.Answer{Text: text, Data: d}, nil
}

func equals(exact bool) string {
	if exact {
		return " = "
	}
	return " ≈ "
}

// Number is the value of an expression. An exact one is the true value; one
// that is not has about 15 good digits.
type Number struct {
	rat   *big.Rat
	Exact bool
}

const (
	significant = 15 // digits of a result that is not exact
	maxDecimals = 30 // after the point of an exact one
)

// String writes the number in decimal digits: all of an integer, all of a
// short terminating fraction, 15 significant digits of anything else.
func (n Number) String() string {
	if n.Exact && n.rat.IsInt() {
		return n.rat.Num().String()
	}
	if n.Exact {
		if digits, ok := decimals(n.rat); ok {
			return n.rat.FloatString(digits)
		}
	}
	f := new(big.Float).SetPrec(200).SetRat(n.rat)
	s := f.Text('g', significant)
	if mantissa, exp, ok := strings.Cut(s, "e"); ok {
		if e, err := strconv.Atoi(exp); err == nil && e >= -6 && e <= 20 {
			return trimZeros(f.Text('f', max(0, significant-1-e)))
		}
		return trimZeros(mantissa) + "e" + exp
	}
	return trimZeros(s)
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// decimals returns how many digits after the point write a fraction exactly.
func decimals(r *big.Rat) (int, bool) {
	d := new(big.Int).Set(r.Denom())
	twos := int(d.TrailingZeroBits())
	d.Rsh(d, uint(twos))
	five, rest, fives := big.NewInt(5), new(big.Int), 0
	for fives <= maxDecimals {
		q, m := new(big.Int).QuoRem(d, five, rest)
		if m.Sign() != 0 {
			break
		}
		d, fives = q, fives+1
	}
	n := max(twos, fives)
	return n, d.IsInt64() && d.Int64() == 1 && n <= maxDecimals
}

// fraction writes an exact value that String could not write in full.
func (n Number) fraction() string {
	if !n.Exact || n.rat.IsInt() {
		return ""
	}
	if _, ok := decimals(n.rat); ok {
		return ""
	}
	if s := n.rat.RatString(); len(s) <= 60 {
		return s
	}
	return ""
}

// Float returns the nearest 64-bit number.
func (n Number) Float() float64 {
	f, _ := n.rat.Float64()
	return f
}
