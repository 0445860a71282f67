package web

import (
	"reflect"
	"strings"
)

// whole returns v with empty lists and maps in the place of absent ones, so
// that a program reads [] and never null where the document promises a list.
// What v points to belongs to the hall: it is copied where it is changed. Every
// token of a stream passes here, so that types are looked at only where a list
// is absent.
func whole(v any) any {
	if v == nil {
		return nil
	}
	list := reflect.ValueOf(v)
	if list.Kind() == reflect.Slice && list.IsNil() {
		return reflect.MakeSlice(list.Type(), 0, 0).Interface()
	}
	out, _ := wholeValue(list)
	return out.Interface()
}

// wholeValue also tells whether anything had to be changed.
func wholeValue(v reflect.Value) (out reflect.Value, changed bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		inner, changed := wholeValue(v.Elem())
		if !changed {
			return v, false
		}
		out = reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out, true
	case reflect.Struct:
		return wholeStruct(v)
	case reflect.Slice:
		return wholeList(v)
	case reflect.Map:
		return wholeMap(v)
	}
	return v, false
}

func wholeStruct(v reflect.Value) (out reflect.Value, changed bool) {
	out = v
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanInterface() || f.Kind() < reflect.Array { // not exported, or nothing with parts
			continue
		}
		var now reflect.Value
		some := false
		if (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.IsNil() {
			now, some = emptyOf(v.Type().Field(i))
		} else {
			now, some = wholeValue(f)
		}
		if !some {
			continue
		}
		if !changed {
			out = reflect.New(v.Type()).Elem()
			out.Set(v)
			changed = true
		}
		out.Field(i).Set(now)
	}
	return out, changed
}

// emptyOf is the empty list or map for a field that must not be null. Bytes
// are text in JSON, and raw JSON may be null.
func emptyOf(f reflect.StructField) (reflect.Value, bool) {
	_, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case strings.Contains(opts, "omit"), f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8:
		return reflect.Value{}, false
	case f.Type.Kind() == reflect.Slice:
		return reflect.MakeSlice(f.Type, 0, 0), true
	}
	return reflect.MakeMap(f.Type), true
}

func wholeList(v reflect.Value) (out reflect.Value, changed bool) {
	if v.Type().Elem().Kind() < reflect.Array || v.Type().Elem().Kind() == reflect.String {
		return v, false
	}
	out = v
	for i := range v.Len() {
		now, some := wholeValue(v.Index(i))
		if !some {
			continue
		}
		if !changed {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v)
			changed = true
		}
		out.Index(i).Set(now)
	}
	return out, changed
}

func wholeMap(v reflect.Value) (out reflect.Value, changed bool) {
	out = reflect.MakeMapWithSize(v.Type(), v.Len())
	for key, e := range v.Seq2() {
		now, some := wholeValue(e)
		out.SetMapIndex(key, now)
		changed = changed || some
	}
	return out, changed
}

// jsonField is an exported field as JSON sees it.
type jsonField struct {
	reflect.StructField
	name string
	opts string
}

// omits reports whether an empty value of the field is left out.
func (f jsonField) omits() bool {
	return strings.Contains(f.opts, "omitempty") || strings.Contains(f.opts, "omitzero")
}

// fieldsOf walks the fields of a struct as JSON shows them: those of embedded
// structs stand among its own.
func fieldsOf(t reflect.Type) func(yield func(jsonField) bool) {
	return func(yield func(jsonField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if !f.IsExported() || f.Anonymous {
				continue
			}
			name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			if name == "" {
				name = f.Name
			}
			if !yield(jsonField{f, name, opts}) {
				return
			}
		}
	}
}
