package web

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"moothall"
)

// Types that stand in the document only.
type (
	modelRole = moothall.ModelRole
	settings  map[string]json.RawMessage
	memories  struct{} // GET /memories: a list, or what a search found
)

// schemas makes JSON schemas of Go types. Named structs and closed sets
// become components, so that generated code has a type of the same name.
type schemas struct {
	named object
	enums map[reflect.Type][]string
	sets  map[string][]string
	words map[string]string
}

func newSchemas() *schemas {
	return &schemas{named: object{}, enums: closedTypes(), sets: closedFields(), words: words()}
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type) object {
	if t == of[memories]() {
		return object{"oneOf": []any{s.of(of[[]moothall.MemoryEntry]()), s.of(of[Recalls]())}}
	}
	if values := s.enums[t]; values != nil {
		return s.enum(t, values)
	}
	switch {
	case t == of[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == of[time.Duration]():
		return object{"type": "integer", "format": "int64", "description": "Nanoseconds."}
	case t == of[json.RawMessage]():
		return object{"description": "Any JSON."}
	case t == of[[]byte]():
		return object{"type": "string", "contentEncoding": "base64"}
	case t == of[moothall.Label]():
		return object{"type": "string", "description": "Labels with commas between them: untrusted, private."}
	}
	return s.ofKind(t)
}

func (s *schemas) ofKind(t reflect.Type) object {
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Struct:
		return s.component(t)
	case reflect.Interface:
		return object{"type": "object"}
	}
	panic(fmt.Sprintf("the type %s cannot stand in the document", t))
}

func (s *schemas) enum(t reflect.Type, values []string) object {
	name := typeName(t)
	s.named[name] = s.described(name, object{"type": "string", "enum": anys(values)})
	return ref(name)
}

// component describes a struct under its name.
func (s *schemas) component(t reflect.Type) object {
	name := typeName(t)
	if _, done := s.named[name]; done {
		return ref(name)
	}
	it := object{"type": "object"}
	s.named[name] = it // before its fields: they may refer to it
	properties, required := object{}, []any{}
	for f := range fieldsOf(t) {
		properties[f.name] = s.field(name, f)
		if !f.omits() {
			required = append(required, f.name)
		}
	}
	it["properties"] = properties
	if len(required) > 0 && !lenient[name] {
		it["required"] = required
	}
	s.described(name, it)
	return ref(name)
}

// lenient are bodies of which every part may be left out.
var lenient = map[string]bool{"QueryRequest": true}

func (s *schemas) field(owner string, f jsonField) object {
	it := s.of(f.Type)
	key := owner + "." + f.name
	if values := s.sets[key]; values != nil {
		it = object{"type": "string", "enum": anys(values)}
	}
	if f.Type.Kind() == reflect.Pointer && !f.omits() {
		it = nullable(it)
	}
	return s.described(key, it)
}

// nullable lets a value be null as well.
func nullable(it object) object {
	if name, ok := it["type"].(string); ok {
		it["type"] = []any{name, "null"}
		return it
	}
	return object{"anyOf": []any{it, object{"type": "null"}}}
}

// described adds the words for a type or field.
func (s *schemas) described(key string, it object) object {
	if about := s.words[key]; about != "" {
		it["description"] = about
	}
	return it
}

// typeName is the name of a component.
func typeName(t reflect.Type) string {
	if t.Name() == "" {
		panic("a type without a name: " + t.String())
	}
	return t.Name()
}
