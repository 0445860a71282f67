package conf

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bound is a limit from a tag; its value is invalid where there is none.
type bound struct {
	text  string
	value reflect.Value
}

// constrain reads the tags that limit a scalar.
func (s *shape) constrain(tag reflect.StructTag, where string) {
	if list := tag.Get("enum"); list != "" {
		if s.kind != kindString {
			broken(where, "has an enum but is not a string")
		}
		s.enum = strings.Split(list, ",")
	}
	s.min = s.bound(tag.Get("min"), where)
	s.max = s.bound(tag.Get("max"), where)
}

func (s *shape) bound(text, where string) bound {
	if text == "" {
		return bound{}
	}
	if s.kind == kindString || s.kind == kindBool {
		broken(where, "has bounds but is not a number")
	}
	v, f := s.parse(text)
	if f != nil {
		broken(where, "has the bound %q: %s", text, f.message)
	}
	return bound{text: text, value: v}
}

// read turns text into a value of the shape's type that keeps its limits.
func (s *shape) read(text string) (reflect.Value, *fault) {
	v, f := s.parse(text)
	if f == nil {
		f = s.check(v, text)
	}
	return v, f
}

// check compares a value with the tags.
func (s *shape) check(v reflect.Value, text string) *fault {
	if s.enum != nil && !slices.Contains(s.enum, v.String()) {
		return &fault{
			"must be one of " + strings.Join(s.enum, ", ") + ", got " + show(text),
			nearest(text, s.enum),
		}
	}
	low := s.min.value.IsValid() && less(v, s.min.value)
	high := s.max.value.IsValid() && less(s.max.value, v)
	if low || high {
		return &fault{message: s.limits() + ", got " + clip(text)}
	}
	return nil
}

// limits says what the bounds allow.
func (s *shape) limits() string {
	switch {
	case s.min.text == "" && s.max.text == "":
		return ""
	case s.max.text == "":
		return "must be at least " + s.min.text
	case s.min.text == "":
		return "must be at most " + s.max.text
	}
	return "must be from " + s.min.text + " to " + s.max.text
}

func less(a, b reflect.Value) bool {
	switch {
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	}
	return a.Float() < b.Float()
}

// parse turns text into a value of the shape's type, whatever its tags say.
func (s *shape) parse(text string) (reflect.Value, *fault) {
	v := reflect.New(s.typ).Elem()
	var f *fault
	switch s.kind {
	case kindString:
		v.SetString(text)
		if !utf8.ValidString(text) {
			f = &fault{message: "is not valid UTF-8"}
		}
	case kindBool:
		f = parseBool(v, text)
	case kindInt, kindUint:
		f = s.parseWhole(v, text)
	case kindFloat:
		f = parseFloat(v, text)
	case kindDuration:
		f = parseUnit(v, text, durationUnits)
	case kindSize:
		f = parseUnit(v, text, sizeUnits)
	}
	return v, f
}

func parseBool(v reflect.Value, text string) *fault {
	switch strings.ToLower(text) {
	case "true":
		v.SetBool(true)
		return nil
	case "false":
		v.SetBool(false)
		return nil
	case "yes", "on", "y", "1", "t":
		return &fault{"expected true or false, got " + show(text), "true"}
	case "no", "off", "n", "0", "f":
		return &fault{"expected true or false, got " + show(text), "false"}
	}
	return &fault{message: "expected true or false, got " + show(text)}
}

func (s *shape) parseWhole(v reflect.Value, text string) *fault {
	if sign, digits, ambiguous := leadingZero(text); ambiguous {
		// 010 is eight to some readers of YAML and ten to others.
		plain := sign + cmp.Or(strings.TrimLeft(digits, "0"), "0")
		return &fault{"expected a whole number without leading zeros, got " + clip(text), plain}
	}
	n, signedErr := strconv.ParseInt(text, 0, 64)
	err := signedErr
	if v.CanInt() {
		v.SetInt(n)
		if err == nil && v.OverflowInt(n) {
			err = strconv.ErrRange
		}
	} else {
		var u uint64
		u, err = strconv.ParseUint(strings.TrimPrefix(text, "+"), 0, v.Type().Bits())
		v.SetUint(u)
		if signedErr == nil && n < 0 {
			err = strconv.ErrRange
		}
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		low, high := s.numberRange()
		return &fault{message: "must be from " + low + " to " + high + ", got " + clip(text)}
	case err != nil:
		return &fault{message: "expected a whole number, got " + show(text)}
	}
	return nil
}

// numberRange returns the bounds of a whole number: those of the tags, else
// those of the Go type.
func (s *shape) numberRange() (low, high string) {
	bits := s.typ.Bits()
	if s.kind == kindUint {
		low, high = "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10)
	} else {
		low = strconv.FormatInt(math.MinInt64>>(64-bits), 10)
		high = strconv.FormatInt(math.MaxInt64>>(64-bits), 10)
	}
	return cmp.Or(s.min.text, low), cmp.Or(s.max.text, high)
}

// leadingZero tells whether text is a decimal number written with zeros in
// front; 0x10 and 0o17 are not.
func leadingZero(text string) (sign, digits string, is bool) {
	digits = strings.TrimLeft(text, "+-")
	sign = text[:len(text)-len(digits)]
	return sign, digits, len(digits) > 1 && span(digits, digit) == len(digits) && digits[0] == '0'
}

func parseFloat(v reflect.Value, text string) *fault {
	n, err := strconv.ParseFloat(text, v.Type().Bits())
	switch {
	case errors.Is(err, strconv.ErrRange):
		return &fault{message: "the number is too large, got " + clip(text)}
	case err != nil, math.IsNaN(n), math.IsInf(n, 0):
		return &fault{message: "expected a number, got " + show(text)}
	}
	v.SetFloat(n)
	return nil
}

// format is the inverse of parse.
func (s *shape) format(v reflect.Value) string {
	switch s.kind {
	case kindString:
		return v.String()
	case kindBool:
		return strconv.FormatBool(v.Bool())
	case kindInt:
		return strconv.FormatInt(v.Int(), 10)
	case kindUint:
		return strconv.FormatUint(v.Uint(), 10)
	case kindFloat:
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	}
	return fmt.Sprint(v.Interface())
}

// show gives text as a message quotes it: numbers bare, words in quotes.
func show(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return clip(text)
	}
	return strconv.Quote(clip(text))
}

// clip keeps a message readable where the value is long.
func clip(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
