package conf

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// kind is what a value looks like in the file.
type kind int

const (
	kindString kind = iota
	kindBool
	kindInt
	kindUint
	kindFloat
	kindDuration
	kindSize
	kindStruct
	kindMap
	kindList
)

// shape describes a value by its type and tags. All else in this package
// walks a shape beside a value, so that each rule about types stands once.
type shape struct {
	kind    kind
	typ     reflect.Type // never a pointer
	pointer bool         // the field is a pointer to typ

	name    string // the key, for a field
	index   int    // the field's index in its struct
	doc     string
	example string
	enum    []string
	min     bound
	max     bound

	fields []*shape // of a struct, in their order
	elem   *shape   // of a map or list
}

// scalar tells whether the value is written as one text.
func (s *shape) scalar() bool { return s.kind < kindStruct }

// leaf tells whether an environment variable or a flag can give the value.
func (s *shape) leaf() bool {
	return s.scalar() || s.kind == kindList && s.elem.scalar()
}

// field returns the field of a struct by its key, or nil.
func (s *shape) field(name string) *shape {
	for _, f := range s.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// keys returns the keys of a struct in their order.
func (s *shape) keys() []string {
	keys := make([]string, len(s.fields))
	for i, f := range s.fields {
		keys[i] = f.name
	}
	return keys
}

// describe makes the shape of a struct type. It panics on a type that does
// not keep the rules in the package comment.
func describe(t reflect.Type) *shape {
	d := describer{}
	return d.describe(t, "", string(t.Name()))
}

// describer remembers the structs it is inside of, since a type that holds
// itself has no finite shape.
type describer struct {
	open []reflect.Type
}

var (
	durationType = reflect.TypeFor[Duration]()
	sizeType     = reflect.TypeFor[Size]()
)

func (d *describer) describe(t reflect.Type, tag reflect.StructTag, where string) *shape {
	s := &shape{typ: t, doc: tag.Get("doc"), example: tag.Get("example")}
	if t.Kind() == reflect.Pointer {
		s.pointer, s.typ = true, t.Elem()
	}
	s.kind = kindOf(s.typ, where)
	switch s.kind {
	case kindStruct:
		d.structFields(s, where)
	case kindMap, kindList:
		d.element(s, tag, where)
	default:
		s.constrain(tag, where)
	}
	if s.kind >= kindStruct && s.pointer && s.kind != kindStruct {
		broken(where, "is a pointer to a list or map")
	}
	return s
}

func (d *describer) structFields(s *shape, where string) {
	for _, t := range d.open {
		if t == s.typ {
			broken(where, "holds its own type %s", t)
		}
	}
	d.open = append(d.open, s.typ)
	defer func() { d.open = d.open[:len(d.open)-1] }()
	variables := map[string]string{}
	for i := range s.typ.NumField() {
		f := s.typ.Field(i)
		name, tagged := f.Tag.Lookup("yaml")
		if name == "-" || !f.IsExported() && !tagged {
			continue
		}
		at := where + "." + f.Name
		if !f.IsExported() || name == "" || strings.ContainsAny(name, `,."[] `) {
			broken(at, "needs to be exported and to have a plain yaml tag")
		}
		if other, taken := variables[envName(name)]; taken {
			broken(at, "has the key %q, too close to %q", name, other)
		}
		variables[envName(name)] = name
		field := d.describe(f.Type, f.Tag, at)
		field.name, field.index = name, i
		s.fields = append(s.fields, field)
	}
}

func (d *describer) element(s *shape, tag reflect.StructTag, where string) {
	if s.kind == kindMap && s.typ.Key().Kind() != reflect.String {
		broken(where, "is a map whose keys are not strings")
	}
	s.elem = d.describe(s.typ.Elem(), tag, where+"[]")
	s.elem.doc, s.elem.example = "", ""
	if s.elem.pointer {
		broken(where, "holds pointers; hold the values")
	}
	if s.kind == kindList && s.elem.kind >= kindMap {
		broken(where, "is a list of lists or maps")
	}
}

// kindOf maps Go types to kinds.
func kindOf(t reflect.Type, where string) kind {
	switch t {
	case durationType:
		return kindDuration
	case sizeType:
		return kindSize
	case reflect.TypeFor[time.Duration]():
		broken(where, "is a time.Duration; use conf.Duration")
	}
	switch t.Kind() {
	case reflect.String:
		return kindString
	case reflect.Bool:
		return kindBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kindUint
	case reflect.Float32, reflect.Float64:
		return kindFloat
	case reflect.Struct:
		return kindStruct
	case reflect.Map:
		return kindMap
	case reflect.Slice:
		return kindList
	}
	broken(where, "has the type %s, which is not supported", t)
	return 0
}

// broken stops at a struct type that cannot be a configuration.
func broken(where, format string, args ...any) {
	panic("conf: " + where + " " + fmt.Sprintf(format, args...))
}
