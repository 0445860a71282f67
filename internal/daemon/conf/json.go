package conf

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
)

// JSON returns the values of a configuration, with the keys in the order of
// the fields. Durations and sizes are text; what is unset is null.
func JSON(cfg any) []byte {
	s, v := inspect(cfg)
	return encode(s.json(v))
}

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(bytes.TrimSpace(encode(m.key)))
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(encode(m.value)))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes JSON with <, > and & as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic("conf: " + err.Error()) // only values made here arrive here
	}
	return b.Bytes()
}

// json returns a value in the types of encoding/json.
func (s *shape) json(v reflect.Value) any {
	if s.pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch s.kind {
	case kindStruct:
		o := object{}
		for _, f := range s.fields {
			o = append(o, member{f.name, f.json(v.Field(f.index))})
		}
		return o
	case kindMap:
		o := object{}
		for _, key := range mapKeys(v) {
			o = append(o, member{key, s.elem.json(entry(s, v, key))})
		}
		return o
	case kindList:
		list := []any{}
		for i := range v.Len() {
			list = append(list, s.elem.json(v.Index(i)))
		}
		return list
	}
	return s.scalarJSON(v)
}

func (s *shape) scalarJSON(v reflect.Value) any {
	switch s.kind {
	case kindBool:
		return v.Bool()
	case kindInt:
		return v.Int()
	case kindUint:
		return v.Uint()
	case kindFloat:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil // JSON has no word for it
		}
		// As text, so that a float32 is not given digits it does not have.
		return json.Number(s.format(v))
	}
	return s.format(v)
}
