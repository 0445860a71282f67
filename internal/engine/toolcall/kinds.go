package toolcall

import (
	"slices"
	"strconv"
	"strings"
)

// kind makes v one of the kinds that the schema names.
func (f *fitter) kind(path string, v node, schema *node, kinds map[string]bool) node {
	if fits(&v, kinds) {
		return v
	}
	for _, try := range []struct {
		kind string
		as   func(node) (node, bool)
	}{
		{"integer", asInteger}, {"number", asNumber}, {"boolean", asBoolean}, {"null", asNull},
		{"object", asParsed('o')}, {"array", asParsed('a')}, {"string", asString},
	} {
		if !kinds[try.kind] {
			continue
		}
		if got, good := try.as(v); good {
			f.mend(path, "read "+brief(&v)+" as "+brief(&got))
			return got
		}
	}
	if kinds["array"] && !isNull(&v) {
		got := node{kind: 'a', kids: []node{v}}
		if items := schema.get("items"); items != nil {
			try := f.try()
			try.fit(path, v.clone(), items)
			if len(try.faults) > 0 {
				f.fault(path, "must be a list, and %s", strings.TrimPrefix(try.faults[0], path+" "))
				return v
			}
		}
		f.mend(path, "put a single value into a list")
		return got
	}
	f.fault(path, "must be %s, not %s", kindList(kinds), brief(&v))
	return v
}

func kindList(kinds map[string]bool) string {
	var l []string
	for k := range kinds {
		l = append(l, k)
	}
	slices.Sort(l)
	return strings.Join(l, " or ")
}

// brief shows a value in an error.
func brief(v *node) string {
	const most = 60
	s := string(v.append(nil))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func asNumber(v node) (node, bool) {
	if v.kind != 's' {
		return v, false
	}
	s := strings.TrimSpace(v.text)
	if !isJSONNumber(s) {
		n, good := number(s)
		if !good {
			return v, false
		}
		s = n
	}
	return node{kind: 'n', text: s}, true
}

// asInteger also takes 3.0 for 3, and nothing that has a fraction.
func asInteger(v node) (node, bool) {
	if v.kind == 's' {
		n, good := asNumber(v)
		if !good {
			return v, false
		}
		v = n
	}
	if v.kind != 'n' || !isWhole(v.text) {
		return v, false
	}
	if strings.ContainsAny(v.text, ".eE") {
		x, err := strconv.ParseFloat(v.text, 64)
		if err != nil {
			return v, false
		}
		v.text = strconv.FormatInt(int64(x), 10)
	}
	return v, true
}

func asBoolean(v node) (node, bool) {
	switch strings.ToLower(strings.TrimSpace(v.text)) {
	case "true", "yes", "on", "1":
		return node{kind: 'w', text: "true"}, v.kind == 's' || v.kind == 'n'
	case "false", "no", "off", "0":
		return node{kind: 'w', text: "false"}, v.kind == 's' || v.kind == 'n'
	}
	return v, false
}

func asNull(v node) (node, bool) {
	if v.kind == 's' && (v.text == "null" || v.text == "None" || v.text == "") {
		return node{kind: 'w', text: "null"}, true
	}
	return v, false
}

// asParsed reads an object or a list out of its text.
func asParsed(kind byte) func(node) (node, bool) {
	return func(v node) (node, bool) {
		if v.kind != 's' {
			return v, false
		}
		got, good := whole(strings.TrimSpace(v.text), inPy)
		return got, good && got.kind == kind
	}
}

// asString writes a number, a boolean, an object or a list as text.
func asString(v node) (node, bool) {
	switch {
	case isNull(&v):
		return v, false
	case v.kind == 'n', v.kind == 'w':
		return stringNode(v.text), true
	}
	return stringNode(string(v.append(nil))), v.kind == 'o' || v.kind == 'a'
}

// enum holds v to the listed values; one that differs in case alone is meant.
func (f *fitter) enum(path string, v node, schema *node) node {
	enum := schema.get("enum")
	if c := schema.get("const"); c != nil && enum == nil {
		enum = &node{kind: 'a', kids: []node{*c}}
	}
	if enum == nil || len(enum.kids) == 0 {
		return v
	}
	mine := string(v.append(nil))
	var near *node
	for i := range enum.kids {
		e := &enum.kids[i]
		if string(e.append(nil)) == mine || e.kind == 'n' && v.kind == 'n' && sameNumber(e.text, v.text) {
			return v
		}
		if strings.EqualFold(strings.TrimSpace(v.text), e.text) && v.kind != 'o' && v.kind != 'a' {
			near = e
		}
	}
	if near != nil {
		f.mend(path, "read "+brief(&v)+" as "+brief(near))
		return *near
	}
	f.fault(path, "must be one of %s, not %s", strings.Trim(brief(enum), "[]"), brief(&v))
	return v
}

func sameNumber(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

// limits checks the bounds of numbers.
func (f *fitter) limits(path string, v, schema *node) {
	if v.kind != 'n' {
		return
	}
	x, err := strconv.ParseFloat(v.text, 64)
	if err != nil {
		return
	}
	bound := func(key string, wrong func(x, limit float64) bool, word string) {
		b := schema.get(key)
		if b == nil || b.kind != 'n' {
			return
		}
		if limit, err := strconv.ParseFloat(b.text, 64); err == nil && wrong(x, limit) {
			f.fault(path, "must be %s %s, not %s", word, b.text, v.text)
		}
	}
	bound("minimum", func(x, limit float64) bool { return x < limit }, "at least")
	bound("maximum", func(x, limit float64) bool { return x > limit }, "at most")
}
