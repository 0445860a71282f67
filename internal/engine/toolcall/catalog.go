package toolcall

import (
	"strings"

	"moothall"
)

// catalog is the tools on offer, by name.
type catalog struct {
	byName map[string]*tool
	names  []string
	first  [256]bool // the bytes that names start with
}

// tool is one tool. Its schema is read when a call needs it: most replies
// call few of the tools on offer.
type tool struct {
	spec   *moothall.ToolSpec
	schema *node
}

func newCatalog(specs []moothall.ToolSpec) *catalog {
	room := len(specs)
	for i := range specs {
		room += len(specs[i].Aliases)
	}
	c := &catalog{byName: make(map[string]*tool, room), names: make([]string, 0, room)}
	tools := make([]tool, len(specs))
	for i := range specs {
		tools[i].spec = &specs[i]
		c.add(string(specs[i].Name), &tools[i])
	}
	for i := range specs { // a name wins over another tool's alias
		for _, a := range specs[i].Aliases {
			c.add(string(a), c.byName[string(specs[i].Name)])
		}
	}
	return c
}

func (c *catalog) add(name string, t *tool) {
	if name == "" || c.byName[name] != nil {
		return
	}
	c.byName[name] = t
	c.names = append(c.names, name)
	c.first[name[0]] = true
}

// resolve finds the tool that a model means by name. Names are compared as
// they are; only what templates put around them is taken off.
func (c *catalog) resolve(name string) *tool {
	if t := c.byName[name]; t != nil {
		return t
	}
	name = strings.Trim(name, " \t\r\n\"'`")
	if t := c.byName[name]; t != nil {
		return t
	}
	if k := strings.LastIndexByte(name, ':'); k > 0 && isDigits(name[k+1:]) { // functions.name:0
		name = name[:k]
		if t := c.byName[name]; t != nil {
			return t
		}
	}
	name = strings.TrimSuffix(name, ".call")
	for {
		if t := c.byName[name]; t != nil {
			return t
		}
		k := strings.IndexByte(name, '.')
		if k < 0 {
			return nil
		}
		name = name[k+1:]
	}
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// byKeys finds the one tool whose schema knows all keys of args and misses
// none that it requires; nil when there is none or more than one.
func (c *catalog) byKeys(args *node) *tool {
	var found *tool
	for _, name := range c.names {
		t := c.byName[name]
		if string(t.spec.Name) != name || len(args.keys) == 0 || !t.knows(args) || t.missing(args) != "" {
			continue
		}
		if found != nil {
			return nil
		}
		found = t
	}
	return found
}

// parameters is the tool's schema, read leniently; an empty node when it has none.
func (t *tool) parameters() *node {
	if t.schema == nil {
		t.schema = &node{}
		if v, good := whole(string(t.spec.Parameters), inJSON); good {
			t.schema = &v
		}
	}
	return t.schema
}

func (t *tool) properties() *node { return t.parameters().get("properties") }

// property is the schema of one argument; nil when there is none.
func (t *tool) property(key string) *node {
	if t == nil {
		return nil
	}
	return t.properties().get(key)
}

func (t *tool) knows(args *node) bool {
	for _, k := range args.keys {
		if t.property(k) == nil {
			return false
		}
	}
	return true
}

// missing names an argument that the schema requires and args lacks.
func (t *tool) missing(args *node) string {
	required := t.parameters().get("required")
	if required == nil {
		return ""
	}
	for _, r := range required.kids {
		if r.kind == 's' && args.get(r.text) == nil {
			return r.text
		}
	}
	return ""
}

// runsCode is the argument that takes program text, for the tools that models
// call by writing the program alone.
func (t *tool) runsCode() string {
	switch t.spec.Name {
	case "python", "ipython", "code_interpreter":
		if t.property("code") == nil && t.properties() != nil && len(t.properties().keys) == 1 {
			return t.properties().keys[0]
		}
		return "code"
	}
	return ""
}

// typed reads the text of one argument as its schema says. Where the schema
// is silent, a whole JSON value is that value.
func typed(raw string, schema *node) node {
	kinds := kindsOf(schema)
	if len(kinds) == 0 {
		return guess(raw)
	}
	if len(kinds) == 1 && kinds["string"] {
		return stringNode(raw)
	}
	t := strings.TrimSpace(raw)
	if v, good := whole(t, inPy); good && (v.kind != 's' || !kinds["string"]) && fits(&v, kinds) {
		return v
	}
	if kinds["boolean"] {
		switch strings.ToLower(t) {
		case "true", "1", "yes", "on":
			return node{kind: 'w', text: "true"}
		case "false", "0", "no", "off":
			return node{kind: 'w', text: "false"}
		}
	}
	if !kinds["string"] && strings.EqualFold(t, "null") {
		return node{kind: 'w', text: "null"}
	}
	return stringNode(raw)
}

// fits reports whether a value is of one of the kinds.
func fits(v *node, kinds map[string]bool) bool {
	switch v.kind {
	case 's':
		return kinds["string"]
	case 'n':
		return kinds["number"] || kinds["integer"] && isWhole(v.text)
	case 'a':
		return kinds["array"]
	case 'o':
		return kinds["object"]
	}
	if v.text == "null" {
		return kinds["null"]
	}
	return kinds["boolean"]
}

// kindsOf collects the types that a schema allows; empty when it says nothing.
func kindsOf(schema *node) map[string]bool {
	kinds := map[string]bool{}
	collectKinds(schema, kinds, 0)
	return kinds
}

// otherKinds are names of types that schemas written by hand carry.
var otherKinds = map[string]string{
	"str": "string", "text": "string", "char": "string", "enum": "string",
	"int": "integer", "int32": "integer", "int64": "integer", "uint": "integer", "long": "integer",
	"float": "number", "double": "number", "num": "number", "decimal": "number",
	"bool": "boolean", "dict": "object", "map": "object", "list": "array", "tuple": "array", "arr": "array",
}

func addKind(kinds map[string]bool, t *node) {
	if t.kind != 's' {
		return
	}
	name := strings.ToLower(t.text)
	if std, good := otherKinds[name]; good {
		name = std
	}
	kinds[name] = true
}

func collectKinds(schema *node, kinds map[string]bool, depth int) {
	if schema == nil || depth > 4 {
		return
	}
	if t := schema.get("type"); t != nil {
		addKind(kinds, t)
		for i := range t.kids {
			addKind(kinds, &t.kids[i])
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if alts := schema.get(key); alts != nil {
			for i := range alts.kids {
				collectKinds(&alts.kids[i], kinds, depth+1)
			}
		}
	}
	if len(kinds) == 0 {
		if enum := schema.get("enum"); enum != nil {
			for i := range enum.kids {
				kinds[kindName(&enum.kids[i])] = true
			}
		}
	}
}

// kindName is the JSON schema type of a value.
func kindName(v *node) string {
	switch v.kind {
	case 's':
		return "string"
	case 'n':
		if isWhole(v.text) {
			return "integer"
		}
		return "number"
	case 'a':
		return "array"
	case 'o':
		return "object"
	}
	if v.text == "null" {
		return "null"
	}
	return "boolean"
}
