package toolcall

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"moothall"
)

// Coerce fits arguments to the tool's schema. What is meant beyond doubt is
// mended, and each mend is told: "true" for true, "30000" for 30000, the JSON
// text of an object for the object, a single value for a list of one, a
// number for the text of it. What cannot be mended is an error of code
// invalid whose message tells the model which argument is wrong, what was
// given and what is wanted. A tool without a schema takes any object.
//
// It knows type, properties, required, additionalProperties, items, enum,
// const, anyOf, oneOf, allOf, minimum, maximum and local $ref; other keywords
// are left to the tool.
func Coerce(spec moothall.ToolSpec, args json.RawMessage) (json.RawMessage, []string, error) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	v, good := whole(string(args), inJSON)
	if !good {
		return nil, nil, invalidArgs(spec.Name, []string{"the arguments are not valid JSON"})
	}
	t := tool{spec: &spec}
	f := &fitter{root: t.parameters(), left: new(int)}
	*f.left = maxFits
	if v.kind == 's' { // the text of an object
		if o, good := whole(v.text, inJSON); good && o.kind == 'o' {
			f.mend("", "read the arguments out of a string")
			v = o
		}
	}
	switch {
	case v.kind == 'w' && v.text == "null":
		v = node{kind: 'o'}
	case v.kind != 'o':
		return nil, nil, invalidArgs(spec.Name, []string{"the arguments must be an object"})
	}
	v = f.fit("", v, f.root)
	if len(f.faults) > 0 {
		return nil, f.mends, invalidArgs(spec.Name, f.faults)
	}
	return v.append(nil), f.mends, nil
}

func invalidArgs(name moothall.ToolName, faults []string) error {
	return &moothall.Error{
		Code:    moothall.CodeInvalid,
		Op:      "arguments of " + string(name),
		Message: strings.Join(faults, "; "),
		Remedy:  "Call the tool again with arguments that fit its schema.",
	}
}

// fitter walks a value and its schema together.
type fitter struct {
	root   *node
	mends  []string
	faults []string
	depth  int
	left   *int // fits that may still be tried
}

// maxFits bounds the work that a schema with alternatives of alternatives can
// ask for. What is left then goes to the tool as it is.
const maxFits = 20_000

// try is a fitter for an attempt that may be thrown away.
func (f *fitter) try() *fitter { return &fitter{root: f.root, depth: f.depth, left: f.left} }

// maxFaults keeps an error readable.
const maxFaults = 5

func (f *fitter) mend(path, what string) {
	f.mends = append(f.mends, strings.TrimPrefix(path+": "+what, ": "))
}

func (f *fitter) fault(path, format string, a ...any) {
	if len(f.faults) < maxFaults {
		if path == "" {
			path = "the arguments"
		}
		f.faults = append(f.faults, path+" "+fmt.Sprintf(format, a...))
	}
}

// fit returns v as schema wants it, and notes faults where it cannot.
func (f *fitter) fit(path string, v node, schema *node) node {
	schema = f.deref(schema)
	if *f.left--; schema == nil || schema.kind != 'o' || f.depth > maxDepth/2 || *f.left < 0 {
		return v
	}
	f.depth++
	defer func() { f.depth-- }()
	if all := schema.get("allOf"); all != nil {
		for i := range all.kids {
			v = f.fit(path, v, &all.kids[i])
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if alts := schema.get(key); alts != nil && len(alts.kids) > 0 {
			v = f.anyOf(path, v, alts)
		}
	}
	if kinds := ownKinds(schema); len(kinds) > 0 {
		v = f.kind(path, v, schema, kinds)
	}
	v = f.enum(path, v, schema)
	f.limits(path, &v, schema)
	switch v.kind {
	case 'o':
		return f.object(path, v, schema)
	case 'a':
		if items := schema.get("items"); items != nil && items.kind == 'o' {
			for i := range v.kids {
				v.kids[i] = f.fit(path+"["+strconv.Itoa(i)+"]", v.kids[i], items)
			}
		}
	}
	return v
}

// deref follows a reference within the schema.
func (f *fitter) deref(schema *node) *node {
	for range 8 {
		ref := schema.get("$ref")
		if ref == nil || !strings.HasPrefix(ref.text, "#/") {
			return schema
		}
		schema = f.root
		for part := range strings.SplitSeq(ref.text[2:], "/") {
			schema = schema.get(part)
		}
	}
	return schema
}

// ownKinds are the types that the schema itself names.
func ownKinds(schema *node) map[string]bool {
	t := schema.get("type")
	if t == nil {
		return nil
	}
	kinds := map[string]bool{}
	addKind(kinds, t)
	for i := range t.kids {
		addKind(kinds, &t.kids[i])
	}
	delete(kinds, "any")
	return kinds
}

// anyOf takes the alternative that fits as it is, or else the one that fits
// with the fewest mends.
func (f *fitter) anyOf(path string, v node, alts *node) node {
	var best *fitter
	var fitted node
	for i := range alts.kids {
		try := f.try()
		got := try.fit(path, v.clone(), &alts.kids[i])
		if len(try.faults) > 0 {
			if best == nil {
				best, fitted = try, v
			}
			continue
		}
		if best == nil || len(best.faults) > 0 || len(try.mends) < len(best.mends) {
			best, fitted = try, got
		}
	}
	if len(best.faults) > 0 && len(alts.kids) > 1 {
		f.fault(path, "fits none of the %d ways that are allowed; the first: %s", len(alts.kids), best.faults[0])
		return v
	}
	f.mends = append(f.mends, best.mends...)
	f.faults = append(f.faults, best.faults...)
	return fitted
}

// clone copies a node, so that one alternative does not change it for the next.
func (n node) clone() node {
	n.keys = append([]string(nil), n.keys...)
	kids := make([]node, len(n.kids))
	for i := range n.kids {
		kids[i] = n.kids[i].clone()
	}
	n.kids = kids
	return n
}

// object fits the properties of v. A null for an argument that may be left
// out is left out, since models write it to say just that.
func (f *fitter) object(path string, v node, schema *node) node {
	props := schema.get("properties")
	if props == nil {
		props = &node{}
	}
	out := node{kind: 'o'}
	for i, k := range v.keys {
		at := strings.TrimPrefix(path+"."+k, ".")
		p := f.deref(props.get(k))
		if p == nil {
			if extra := schema.get("additionalProperties"); extra != nil {
				if extra.kind == 'w' && extra.text == "false" {
					f.fault(at, "is not an argument; the arguments are: %s", strings.Join(props.keys, ", "))
					continue
				}
				p = extra
			}
			out.set(k, f.fit(at, v.kids[i], p))
			continue
		}
		if isNull(&v.kids[i]) && !mayBeNull(p) && !isRequired(schema, k) {
			f.mend(at, "left out null")
			continue
		}
		out.set(k, f.fit(at, v.kids[i], p))
	}
	if required := schema.get("required"); required != nil {
		for _, k := range required.kids {
			if v.get(k.text) == nil {
				f.fault(strings.TrimPrefix(path+"."+k.text, "."), "is missing%s", wanted(f.deref(props.get(k.text))))
			}
		}
	}
	return out
}

func isNull(v *node) bool { return v.kind == 'w' && v.text == "null" }

func mayBeNull(schema *node) bool {
	kinds := kindsOf(schema)
	return len(kinds) == 0 || kinds["null"]
}

func isRequired(schema *node, key string) bool {
	if required := schema.get("required"); required != nil {
		for _, k := range required.kids {
			if k.text == key {
				return true
			}
		}
	}
	return false
}

// wanted says of what type a missing argument should be.
func wanted(schema *node) string {
	if t := schema.get("type"); t != nil && t.kind == 's' {
		return " (" + t.text + ")"
	}
	return ""
}
