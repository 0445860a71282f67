package conf

import (
	"reflect"
	"slices"
)

// clone copies a value so deeply that filling the copy cannot be seen in the
// original. Fields that are no configuration are copied as they are.
func clone(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(clone(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if tag, ok := f.Tag.Lookup("yaml"); f.IsExported() && ok && tag != "-" {
				out.Field(i).Set(clone(v.Field(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for key, elem := range v.Seq2() {
				out.SetMapIndex(key, clone(elem))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(clone(v.Index(i)))
			}
		}
	}
	return out
}

// part returns the value of a field of a struct or of a pointer to one. A nil
// pointer has zero parts.
func part(s *shape, v reflect.Value, field *shape) reflect.Value {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return reflect.Zero(s.typ).Field(field.index)
		}
		v = v.Elem()
	}
	return v.Field(field.index)
}

// entry returns the value of a map at a key that it has.
func entry(s *shape, v reflect.Value, key string) reflect.Value {
	return v.MapIndex(reflect.ValueOf(key).Convert(s.typ.Key()))
}

// mapKeys returns the keys of a map in order.
func mapKeys(v reflect.Value) []string {
	keys := make([]string, 0, v.Len())
	for _, k := range v.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}

// walkLeaves visits each scalar and list, with the keys that lead to it.
func walkLeaves(s *shape, v reflect.Value, keys []string, visit func(keys []string, s *shape)) {
	switch s.kind {
	case kindStruct:
		for _, f := range s.fields {
			walkLeaves(f, part(s, v, f), with(keys, f.name), visit)
		}
	case kindMap:
		for _, key := range mapKeys(v) {
			walkLeaves(s.elem, entry(s, v, key), with(keys, key), visit)
		}
	default:
		visit(keys, s)
	}
}

// Keys returns the paths of all scalars and lists of a configuration, in the
// order of its fields: what Set can name, and a shell can complete. Of a map
// it knows the entries that are there. cfg is a struct or a pointer to one.
func Keys(cfg any) []string {
	s, v := inspect(cfg)
	var paths []string
	walkLeaves(s, v, nil, func(keys []string, _ *shape) {
		paths = append(paths, string(reading{keys: keys}.path()))
	})
	return paths
}

// inspect returns the shape and value of a configuration that is only read.
func inspect(cfg any) (*shape, reflect.Value) {
	v := reflect.ValueOf(cfg)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		panic("conf: a configuration is a struct or a pointer to one")
	}
	return describe(v.Type()), v
}
