package conf

import "reflect"

// Schema returns a JSON Schema, draft 2020-12, of the configuration, for
// editors that check and complete the YAML file. The values of cfg are the
// defaults it names. It allows null wherever Load does.
//
// The schema is a little stricter than Load, which also takes a bare number
// or truth value as text; and it cannot express bounds on durations and
// sizes, which the description states.
func Schema(cfg any, title string) []byte {
	s, v := inspect(cfg)
	o := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", title},
	}
	o = append(o, s.schema(v, false)...)
	// Load ignores these keys at the root alone.
	o = append(o, member{"patternProperties", object{{"^x-", true}}})
	return encode(o)
}

// schema describes one value. An invalid v has no default to name.
func (s *shape) schema(v reflect.Value, nullable bool) object {
	var o object
	if text := s.describe(); text != "" {
		o = append(o, member{"description", text})
	}
	o = append(o, member{"type", s.schemaType(nullable)})
	switch s.kind {
	case kindStruct:
		o = append(o, s.properties(v)...)
	case kindMap:
		// An entry may be left empty, in the file, like any other key.
		o = append(o, member{"additionalProperties", s.elem.schema(reflect.Value{}, true)})
	case kindList:
		o = append(o, member{"items", s.elem.schema(reflect.Value{}, false)})
	default:
		o = append(o, s.rules(nullable)...)
	}
	if s.kind != kindStruct && v.IsValid() {
		if value := s.json(v); value != nil {
			o = append(o, member{"default", value})
		}
	}
	if s.example != "" {
		o = append(o, member{"examples", []any{s.exampleValue()}})
	}
	return o
}

func (s *shape) properties(v reflect.Value) object {
	if v.IsValid() && s.pointer {
		v = v.Elem() // of nil, the invalid value: there are no defaults inside
	}
	fields := object{}
	for _, f := range s.fields {
		inner := reflect.Value{}
		if v.IsValid() {
			inner = v.Field(f.index)
		}
		fields = append(fields, member{f.name, f.schema(inner, true)})
	}
	return object{{"properties", fields}, {"additionalProperties", false}}
}

// schemaType names the JSON types of a shape.
func (s *shape) schemaType(nullable bool) any {
	var types []string
	switch s.kind {
	case kindString, kindDuration:
		types = []string{"string"}
	case kindSize:
		types = []string{"string", "integer"}
	case kindBool:
		types = []string{"boolean"}
	case kindInt, kindUint:
		types = []string{"integer"}
	case kindFloat:
		types = []string{"number"}
	case kindList:
		types = []string{"array"}
	default:
		types = []string{"object"}
	}
	if nullable {
		types = append(types, "null")
	}
	if len(types) == 1 {
		return types[0]
	}
	return types
}

// rules gives what limits a scalar.
func (s *shape) rules(nullable bool) object {
	var o object
	if s.enum != nil {
		allowed := []any{}
		for _, e := range s.enum {
			allowed = append(allowed, e)
		}
		if nullable {
			allowed = append(allowed, nil)
		}
		o = append(o, member{"enum", allowed})
	}
	switch s.kind {
	case kindDuration:
		o = append(o, member{"pattern", durationUnits.pattern})
	case kindSize:
		o = append(o, member{"pattern", sizeUnits.pattern}, member{"minimum", 0})
	case kindInt, kindUint, kindFloat:
		o = append(o, s.bounds()...)
	}
	return o
}

// bounds gives the range of a number. The range of a 64-bit type is left out:
// most readers of JSON cannot hold its ends.
func (s *shape) bounds() object {
	low, high := s.min.text, s.max.text
	if s.kind != kindFloat && s.typ.Bits() < 64 {
		low, high = s.numberRange()
	} else if s.kind == kindUint && low == "" {
		low = "0"
	}
	var o object
	if low != "" {
		o = append(o, member{"minimum", s.number(low)})
	}
	if high != "" {
		o = append(o, member{"maximum", s.number(high)})
	}
	return o
}

// number turns text that is known to be right, such as 0x10, into JSON.
func (s *shape) number(text string) any {
	v, _ := s.parse(text)
	return s.scalarJSON(v)
}

// exampleValue gives the example in its own type where it can be read as one,
// a list being written as for a variable, and else as text.
func (s *shape) exampleValue() any {
	v := reflect.New(s.typ).Elem()
	if l := (&loader{origins: newOrigins(), troubled: map[Path]bool{}}); s.leaf() {
		l.assignLeaf(&shape{kind: s.kind, typ: s.typ, elem: s.elem}, v, "", s.example, Origin{})
		if len(l.problems) == 0 {
			return (&shape{kind: s.kind, typ: s.typ, elem: s.elem}).json(v)
		}
	}
	return s.example
}
