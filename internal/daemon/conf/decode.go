package conf

import (
	"fmt"
	"reflect"
	"strings"
)

// fill puts a node of the file into a value. What is wrong is reported and
// passed over, so that one run finds every mistake.
func (l *loader) fill(s *shape, v reflect.Value, n *node, path Path) {
	l.budget--
	switch {
	case l.budget == -1:
		l.reportAt(n, path, &fault{message: "the aliases in the file unfold to more than 50,000 values"})
		return
	case l.budget < 0, n.form == formBroken, n.form == formNull:
		return
	}
	switch s.kind {
	case kindStruct:
		l.fillStruct(s, settled(s, v), n, path)
	case kindMap:
		l.fillMap(s, v, n, path)
	case kindList:
		l.fillList(s, v, n, path)
	default:
		l.fillScalar(s, v, n, path)
	}
}

// settled returns the value itself where the field is a pointer to it, making
// it first if need be.
func settled(s *shape, v reflect.Value) reflect.Value {
	if !s.pointer {
		return v
	}
	if v.IsNil() {
		v.Set(reflect.New(s.typ))
	}
	return v.Elem()
}

func (l *loader) fillStruct(s *shape, v reflect.Value, n *node, path Path) {
	if n.form != formMapping {
		l.reportAt(n, path, &fault{message: "expected a mapping" + sampleKeys(s) + ", got " + n.what()})
		return
	}
	for _, p := range n.pairs {
		field := s.field(p.key)
		if field == nil {
			if path != "" || !strings.HasPrefix(p.key, "x-") {
				l.unknownKey(s, p, path)
			}
			continue
		}
		at := l.mention(p, path)
		l.fill(field, v.Field(field.index), p.value, at)
	}
}

// sampleKeys shows what a mapping holds, for whoever wrote something else.
func sampleKeys(s *shape) string {
	if len(s.fields) == 0 {
		return ""
	}
	return " such as " + s.fields[0].name + ": ..."
}

func (l *loader) fillMap(s *shape, v reflect.Value, n *node, path Path) {
	if n.form != formMapping {
		l.reportAt(n, path, &fault{message: "expected a mapping, got " + n.what()})
		return
	}
	for _, p := range n.pairs {
		at := l.mention(p, path)
		// A section that is named and left empty is there, with its defaults;
		// a scalar that is left empty says nothing.
		if p.value.form == formNull && s.elem.kind != kindStruct {
			continue
		}
		updateEntry(s, v, p.key, func(elem reflect.Value) { l.fill(s.elem, elem, p.value, at) })
	}
}

// updateEntry changes the entry of a map, which Go cannot do in place, and
// makes the map and the entry where they are missing.
func updateEntry(s *shape, v reflect.Value, key string, change func(reflect.Value)) {
	if v.IsNil() {
		v.Set(reflect.MakeMap(s.typ))
	}
	k := reflect.ValueOf(key).Convert(s.typ.Key())
	elem := reflect.New(s.typ.Elem()).Elem()
	if old := v.MapIndex(k); old.IsValid() {
		elem.Set(old)
	}
	change(elem)
	v.SetMapIndex(k, elem)
}

func (l *loader) fillList(s *shape, v reflect.Value, n *node, path Path) {
	if n.form != formList {
		l.reportAt(n, path, &fault{message: "expected a list, got " + n.what()})
		return
	}
	list := reflect.MakeSlice(s.typ, len(n.items), len(n.items))
	l.origins.set(path, l.fileOrigin(l.origins.places[path].Line))
	for i, item := range n.items {
		at := path.Index(i)
		l.origins.places[at] = l.placeOf(item.line, item.column)
		if item.form == formNull {
			l.reportAt(item, at, &fault{message: "the list item is empty"})
			continue
		}
		l.fill(s.elem, list.Index(i), item, at)
	}
	setList(v, list)
}

// setList replaces a list. An empty list is stored as it was before if that
// was empty too, else as nil, so that it compares equal after a round trip.
func setList(v, list reflect.Value) {
	switch {
	case list.Len() > 0:
		v.Set(list)
	case v.Len() > 0:
		v.SetZero()
	}
}

func (l *loader) fillScalar(s *shape, v reflect.Value, n *node, path Path) {
	if n.form != formScalar {
		l.reportAt(n, path, &fault{message: "expected " + s.expected() + ", got " + n.what()})
		return
	}
	read, f := s.read(n.text)
	right := f == nil
	if n.quoted && s.kind >= kindBool && s.kind <= kindFloat {
		f = &fault{message: "expected " + s.expected() + ", got the text " + fmt.Sprintf("%q", clip(n.text))}
		if right {
			f.message += "; write it without quotes"
		}
	}
	if f != nil {
		l.reportAt(n, path, f)
		return
	}
	settled(s, v).Set(read)
	line := n.line
	if place, ok := l.origins.places[path]; ok {
		line = place.Line
	}
	l.origins.set(path, l.fileOrigin(line))
}

// expected names a scalar kind in messages.
func (s *shape) expected() string {
	switch s.kind {
	case kindBool:
		return "true or false"
	case kindInt, kindUint:
		return "a whole number"
	case kindFloat:
		return "a number"
	case kindDuration:
		return durationUnits.what
	case kindSize:
		return sizeUnits.what
	}
	return "text"
}

// mention notes where a key of the file stands and returns its path.
func (l *loader) mention(p pair, parent Path) Path {
	at := parent.Key(p.key)
	l.origins.places[at] = l.placeOf(p.line, p.column)
	return at
}

func (l *loader) placeOf(line, column int) Problem {
	return Problem{File: l.fileName, Line: line, Column: column}
}

func (l *loader) fileOrigin(line int) Origin {
	return Origin{Kind: KindFile, File: l.fileName, Line: line}
}

func (l *loader) reportAt(n *node, path Path, f *fault) {
	p := l.placeOf(n.line, n.column)
	p.Path = path
	l.report(f.at(p))
}

func (l *loader) report(p Problem) {
	if p.Path != "" {
		l.troubled[p.Path] = true
	}
	l.problems = append(l.problems, p)
}
