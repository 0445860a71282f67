package constrain

import (
	"math"
	"strconv"
	"strings"
)

// How long numbers may be. 18 digits fit an int64.
const (
	wholeDigits = 18
	partDigits  = 12
)

// limits are the bounds of numbers.
type limits struct {
	whole              bool
	bounded            bool
	low, high          float64 // infinite where there is none
	overLow, underHigh bool    // the bound itself is out
}

func (l *limits) fits(v float64) bool {
	return (v > l.low || v == l.low && !l.overLow) && (v < l.high || v == l.high && !l.underHigh)
}

// between reports whether a number from a to b fits.
func (l *limits) between(a, b float64) bool {
	low, high := math.Max(a, l.low), math.Min(b, l.high)
	if l.whole {
		n := math.Ceil(low)
		if n == l.low && l.overLow {
			n++
		}
		return n <= b && l.fits(n)
	}
	return low < high || low == high && l.fits(low)
}

// check says of what was written of a number whether it can become one that
// fits, and whether it is one.
func (l *limits) check(s string) (alive, ends bool) {
	digits, negative := strings.CutPrefix(s, "-")
	before, part, point := strings.Cut(digits, ".")
	if !wellFormed(before, part, point && (l.whole || before == "")) {
		return false, false
	}
	if l.whole && negative && before == "0" {
		return false, false
	}
	ends = before != "" && (!point || part != "")
	if !l.bounded {
		return true, ends
	}
	if ends {
		v, err := strconv.ParseFloat(s, 64)
		ends = err == nil && l.fits(v)
	}
	return ends || l.reaches(before, part, negative, point), ends
}

func wellFormed(before, part string, refused bool) bool {
	digits := func(s string, most int) bool {
		return len(s) <= most && strings.Trim(s, "0123456789") == ""
	}
	return !refused && digits(before, wholeDigits) && digits(part, partDigits) && (len(before) < 2 || before[0] != '0')
}

// reaches reports whether more digits can make the number fit.
func (l *limits) reaches(before, part string, negative, point bool) bool {
	tail := "." + part + strings.Repeat("9", partDigits-len(part))
	if l.whole {
		tail = ""
	}
	span := func(low, high string) bool {
		a, _ := strconv.ParseFloat(low, 64)
		b, _ := strconv.ParseFloat(high, 64)
		if negative {
			a, b = -b, -a
		}
		return l.between(a, b)
	}
	switch {
	case point:
		return span(before+"."+part+"0", before+tail)
	case before == "" && l.whole: // after the sign
		return span("1", strings.Repeat("9", wholeDigits))
	case before == "":
		return span("0", strings.Repeat("9", wholeDigits)+tail)
	}
	for more := range wholeDigits - len(before) + 1 {
		if span(before+strings.Repeat("0", more), before+strings.Repeat("9", more)+tail) {
			return true
		}
		if before == "0" {
			break
		}
	}
	return false
}

// possible reports whether any number that can be written fits.
func (l *limits) possible() bool {
	if !l.whole && l.high-l.low < 10*math.Pow10(-partDigits) { // perhaps between two of them
		v, err := strconv.ParseFloat(strconv.FormatFloat((l.low+l.high)/2, 'f', partDigits, 64), 64)
		if err != nil || !l.fits(v) {
			return false
		}
	}
	for _, s := range []string{"-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		if alive, _ := l.check(s); alive {
			return true
		}
	}
	return false
}
