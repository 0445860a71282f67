package conf

import (
	"errors"
	"math"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// Duration is a span of time, written as 10s, 1h30m or 14d: numbers, each
// with one of the units ns, us, ms, s, m, h and d (24 hours). A negative
// duration cannot be written.
type Duration time.Duration

// Size is a number of bytes, written as 64KiB, 10MB or 512: a number and one
// of the units B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers
// of 1024), or none for bytes. A negative size cannot be written.
type Size int64

// ParseDuration reads the text of a [Duration]; its errors are of code invalid.
func ParseDuration(text string) (Duration, error) {
	n, f := durationUnits.read(text)
	return Duration(n), f.err("read duration")
}

// ParseSize reads the text of a [Size]; its errors are of code invalid.
func ParseSize(text string) (Size, error) {
	n, f := sizeUnits.read(text)
	return Size(n), f.err("read size")
}

// String gives the text with the largest units that fit exactly.
func (d Duration) String() string {
	if d < 0 { // only a program can make one
		return time.Duration(d).String()
	}
	day := int64(24 * time.Hour)
	if n := int64(d); n > 0 && n%day == 0 {
		return strconv.FormatInt(n/day, 10) + "d"
	}
	var b strings.Builder
	rest := int64(d)
	for _, name := range []string{"h", "m", "s", "ms", "us", "ns"} {
		if unit := durationUnits.scale[name]; rest >= unit {
			b.WriteString(strconv.FormatInt(rest/unit, 10) + name)
			rest %= unit
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}

// String gives the text with the largest unit that fits exactly.
func (s Size) String() string {
	for _, name := range []string{"TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "KB"} {
		if unit := sizeUnits.scale[name]; s > 0 && int64(s)%unit == 0 {
			return strconv.FormatInt(int64(s)/unit, 10) + name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

// MarshalText gives String, so that JSON shows the same text as the file.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalText gives String, so that JSON shows the same text as the file.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is [ParseDuration].
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// UnmarshalText is [ParseSize].
func (s *Size) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSize(string(text))
	return err
}

// units is a way to write a whole number with units.
type units struct {
	what     string // for messages, with examples
	scale    map[string]int64
	compound bool   // several numbers may follow each other
	bare     string // the unit of a number that has none; empty where it must have one
	guess    string // the unit suggested for a number that must have one
	pattern  string // the same rule as a regular expression, for the schema
}

var durationUnits = &units{
	what: "a duration such as 10s, 2h or 14d",
	scale: map[string]int64{
		"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 24 * 3600e9,
	},
	compound: true,
	guess:    "s",
	pattern:  `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+$`,
}

var sizeUnits = &units{
	what: "a size such as 64KiB, 10MB or 512",
	scale: map[string]int64{
		"B": 1, "KB": 1e3, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	},
	bare:    "B",
	pattern: `^[0-9]+(\.[0-9]+)?(B|KB|kB|MB|GB|TB|KiB|MiB|GiB|TiB)?$`,
}

func parseUnit(v reflect.Value, text string, u *units) *fault {
	n, f := u.read(text)
	v.SetInt(n)
	return f
}

func (u *units) read(text string) (int64, *fault) {
	n, err := u.total(text)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, &fault{message: "is too large, got " + clip(text)}
	}
	return 0, &fault{"expected " + u.what + ", got " + show(text), u.mend(text)}
}

// mend guesses what was meant: other letter case, a space before the unit, or
// a number without one.
func (u *units) mend(text string) string {
	folded := strings.ReplaceAll(strings.ToLower(text), " ", "")
	digits := strings.TrimRight(folded, "abcdefghijklmnopqrstuvwxyz")
	for name := range u.scale {
		if strings.ToLower(name) == folded[len(digits):] {
			// kB and KB fold alike; both are right, but one has to be chosen.
			text = digits + strings.Replace(name, "kB", "KB", 1)
		}
	}
	if digits == folded {
		text = digits + u.guess
	}
	if _, err := u.total(text); err != nil {
		return ""
	}
	return text
}

// total adds up the numbers of the text. Its errors are strconv's.
func (u *units) total(text string) (int64, error) {
	var sum int64
	for first := true; first || text != ""; first = false {
		if !first && !u.compound {
			return 0, strconv.ErrSyntax
		}
		n, rest, err := u.one(text)
		if err != nil {
			return 0, err
		}
		if sum > math.MaxInt64-n {
			return 0, strconv.ErrRange
		}
		sum, text = sum+n, rest
	}
	return sum, nil
}

// one reads a number with its unit from the front of text.
func (u *units) one(text string) (n int64, rest string, err error) {
	number := text[:span(text, func(c byte) bool { return digit(c) || c == '.' })]
	rest = text[len(number):]
	name := rest[:span(rest, func(c byte) bool { return !digit(c) && c != '.' })]
	rest = rest[len(name):]
	if name == "" {
		name = u.bare
	}
	unit, known := u.scale[name]
	whole, fraction, dot := strings.Cut(number, ".")
	if !known || whole == "" || dot && fraction == "" || len(fraction) > 12 {
		return 0, "", strconv.ErrSyntax
	}
	n, err = product(whole, unit, 0)
	if err == nil && dot {
		var part int64
		part, err = product(fraction, unit, len(fraction))
		if n > math.MaxInt64-part {
			err = strconv.ErrRange
		}
		n += part
	}
	return n, rest, err
}

// product returns digits × unit ÷ 10^decimals, which has to be whole.
func product(digits string, unit int64, decimals int) (int64, error) {
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	divisor := uint64(math.Pow10(decimals))
	high, low := bits.Mul64(n, uint64(unit))
	if high >= divisor {
		return 0, strconv.ErrRange
	}
	quotient, remainder := bits.Div64(high, low, divisor)
	switch {
	case remainder != 0:
		return 0, strconv.ErrSyntax
	case quotient > math.MaxInt64:
		return 0, strconv.ErrRange
	}
	return int64(quotient), nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// span returns how many bytes at the front of text are of a kind.
func span(text string, is func(byte) bool) int {
	for i := range len(text) {
		if !is(text[i]) {
			return i
		}
	}
	return len(text)
}

func (f *fault) err(op string) error {
	if f == nil {
		return nil
	}
	return &moothall.Error{Code: moothall.CodeInvalid, Op: op, Message: Problem{Message: f.message, Suggestion: f.suggestion}.String()}
}
