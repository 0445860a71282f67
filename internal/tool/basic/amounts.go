package basic

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Sums of amounts: 1 hour 20 minutes + 45 minutes, 5 kg - 300 g, 2 hours / 3.
var (
	signs  = regexp.MustCompile(`(?i)\s*\+\s*|\s+(?:[-−–]|plus|minus)\s+`)
	times  = regexp.MustCompile(`(?i)^(.+?)\s*(\*|×|/|÷|\btimes\b|\bdivided by\b)\s*([\d.,]+)$`)
	so     = regexp.MustCompile(`(?i)^([\d.,]+)\s*(?:\*|×|times\b)\s*\(([^()]+)\)$`) // so many times an amount
	braced = regexp.MustCompile(`^\(([^()]+)\)$`)
	clocks = map[string]bool{"1": true, "60": true, "3600": true} // seconds, minutes and hours, in seconds
)

// summed answers what amounts come to, in the unit of the first of them or, where
// that would not come out even, in the smallest; times in hours and minutes. An
// empty result when the expression is no such sum.
func summed(s string) (result, unit string, exact bool, err error) {
	sum, parts, ok, err := total(s)
	if !ok || err != nil || len(parts) == 1 && parts[0].plain {
		return "", "", false, err
	}
	if text, ok := lasting(sum, parts); ok {
		return text, "", true, nil
	}
	to, _ := unitOf(parts[0].unit)
	small := to
	for _, p := range parts {
		if u, _ := unitOf(p.unit); u.one.Cmp(small.one) < 0 {
			small = u
		}
	}
	result, exact = rounded(new(big.Rat).Quo(sum.amount, to.one))
	if !exact {
		to = small
		result, exact = rounded(new(big.Rat).Quo(sum.amount, to.one))
	}
	return result, " " + to.name, exact && sum.exact, nil
}

// total adds amounts of one kind up. ok is false where one of them is none.
func total(s string) (sum quantity, parts []quantity, ok bool, err error) {
	if m := between.FindStringSubmatch(s); m != nil {
		n, _, err := days(m[1], m[2])
		if err != nil {
			return sum, nil, true, err
		}
		day, _ := unitOf("day")
		sum = quantity{amount: new(big.Rat).Mul(rat(n), day.one), measures: day.measures, exact: true, plain: true, unit: "days"}
		return sum, []quantity{sum}, true, nil
	}
	at := signs.FindAllStringIndex(s, -1)
	from, minus := 0, false
	for i := range len(at) + 1 {
		end := len(s)
		if i < len(at) {
			end = at[i][0]
		}
		part, ok, err := addend(strings.TrimSpace(s[from:end]))
		if !ok {
			return sum, nil, false, nil
		}
		if err == nil && len(parts) > 0 && part.measures != sum.measures {
			err = undefined("amounts of " + sum.measures + " and " + part.measures + " cannot be added")
		}
		if err == nil && len(at) > 0 && part.measures == "temperature" {
			err = undefined("temperatures cannot be added")
		}
		if err != nil {
			return sum, nil, true, err
		}
		if minus {
			part.amount.Neg(part.amount)
		}
		if parts = append(parts, part); i == 0 {
			sum = part
			sum.amount = new(big.Rat).Set(part.amount)
		} else {
			sum.amount.Add(sum.amount, part.amount)
			sum.exact = sum.exact && part.exact
			sum.unit = part.unit
		}
		if i < len(at) {
			sign := strings.ToLower(strings.TrimSpace(s[at[i][0]:at[i][1]]))
			from, minus = at[i][1], sign != "+" && sign != "plus"
		}
	}
	return sum, parts, true, nil
}

// addend is an amount, or so many times one. One of two units needs parentheses
// there: 2 * 5 ft 6 in could be two things.
func addend(s string) (q quantity, ok bool, err error) {
	var factor string
	over, within := false, false
	if m := so.FindStringSubmatch(s); m != nil {
		factor, s, within = m[1], m[2], true
	} else if m := times.FindStringSubmatch(s); m != nil {
		factor, s, over = m[3], m[1], strings.ContainsAny(m[2], "/÷dD")
	}
	if m := braced.FindStringSubmatch(s); m != nil {
		s, within = m[1], true
	}
	q, ok, err = measured(s)
	if !ok || err != nil || factor == "" {
		return q, ok, err
	}
	n, err := Evaluate(factor)
	switch {
	case err != nil:
		return q, true, err
	case q.measures == "temperature":
		return q, true, undefined("temperatures cannot be multiplied")
	case q.several && !within:
		return q, true, undefined("put parentheses around " + s)
	case over && n.rat.Sign() == 0:
		return q, true, undefined("division by zero")
	case over:
		q.amount.Quo(q.amount, n.rat)
	default:
		q.amount.Mul(q.amount, n.rat)
	}
	q.plain = false
	return q, true, nil
}

// lasting writes a time as people do, where all that it is made of is hours,
// minutes and seconds and it comes out even.
func lasting(sum quantity, parts []quantity) (string, bool) {
	for _, p := range parts {
		u, _ := unitOf(p.unit)
		if p.measures != "time" || !clocks[u.one.RatString()] {
			return "", false
		}
	}
	if !sum.amount.IsInt() || sum.amount.Sign() < 0 || !sum.amount.Num().IsInt64() {
		return "", false
	}
	return inHours(sum.amount.Num().Int64()), true
}

// inHours writes seconds as hours, minutes and seconds.
func inHours(seconds int64) string {
	var out []string
	for _, of := range []struct {
		n    int64
		unit string
	}{{seconds / 3600, "hour"}, {seconds / 60 % 60, "minute"}, {seconds % 60, "second"}} {
		switch {
		case of.n == 1:
			out = append(out, "1 "+of.unit)
		case of.n > 0 || seconds == 0 && of.unit == "minute":
			out = append(out, strconv.FormatInt(of.n, 10)+" "+of.unit+"s")
		}
	}
	return strings.Join(out, " ")
}
