package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"
)

func (c *checker) list(s map[string]any, v []any, at string, depth int) {
	c.within(s, "minItems", "maxItems", float64(len(v)), at, "items")
	first, _ := s["prefixItems"].([]any)
	for i, e := range v {
		sub := s["items"]
		if i < len(first) {
			sub = first[i]
		}
		if sub != nil {
			v[i] = c.check(sub, e, fmt.Sprintf("%s[%d]", at, i), depth+1)
		}
	}
}

func (c *checker) text(s map[string]any, v, at string) {
	c.within(s, "minLength", "maxLength", float64(utf8.RuneCountInString(v)), at, "characters")
	pattern, ok := s["pattern"].(string)
	if !ok {
		return
	}
	// A pattern in a dialect that Go does not know is ignored.
	if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(v) {
		c.fail(at, "must match %s", pattern)
	}
}

func (c *checker) number(s map[string]any, v json.Number, at string) {
	f, err := v.Float64()
	if err != nil {
		c.fail(at, "the number is out of range")
		return
	}
	c.within(s, "minimum", "maximum", f, at, "")
	if low, ok := bound(s, "exclusiveMinimum"); ok && f <= low {
		c.fail(at, "must be over %v", low)
	}
	if high, ok := bound(s, "exclusiveMaximum"); ok && f >= high {
		c.fail(at, "must be under %v", high)
	}
}

// within checks n against a pair of bounds.
func (c *checker) within(s map[string]any, low, high string, n float64, at, unit string) {
	verb := "be"
	if unit != "" {
		verb, unit = "have", " "+unit
	}
	if b, ok := bound(s, low); ok && n < b {
		c.fail(at, "must %s at least %v%s", verb, b, unit)
	}
	if b, ok := bound(s, high); ok && n > b {
		c.fail(at, "must %s at most %v%s", verb, b, unit)
	}
}

func bound(s map[string]any, key string) (float64, bool) {
	n, ok := s[key].(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
