package conf

import "reflect"

// Validator is what a struct of a configuration implements, at any level and
// on itself or its pointer, to check what tags cannot say: an address that
// does not parse, two keys that exclude each other. Load calls it once all
// sources are in, for inner structs before the outer ones.
//
// It says what is wrong through report and changes nothing. It need not know
// where in the configuration it stands, so one type may be used in several
// places:
//
//	func (s Service) Validate(report conf.Report) {
//		if _, err := netip.ParseAddrPort(s.At); s.At != "" && err != nil {
//			report("at", "expected host:port, got "+strconv.Quote(s.At), "")
//		}
//	}
type Validator interface {
	Validate(report Report)
}

// Report tells of one mistake. The key is relative to the struct that
// reports, may be a longer path made with [Path.Key] and [Path.Index], and is
// empty for the struct as a whole. The suggestion is what was probably meant,
// or empty. The problem is placed where the value was given: the line of its
// key in the file, the variable or the flag; for a default, the nearest
// section that the file has. A report on a value that already has a problem,
// say because it was no number, is dropped: it would speak of the default.
type Report func(key Path, message, suggestion string)

// validate asks each struct, from the inside out.
func (l *loader) validate(s *shape, v reflect.Value, path Path) {
	switch s.kind {
	case kindStruct:
		l.validateStruct(s, v, path)
	case kindMap:
		for _, key := range mapKeys(v) {
			elem := reflect.New(s.typ.Elem()).Elem() // addressable, for methods of the pointer
			elem.Set(entry(s, v, key))
			l.validate(s.elem, elem, path.Key(key))
		}
	case kindList:
		for i := range v.Len() {
			l.validate(s.elem, v.Index(i), path.Index(i))
		}
	}
}

func (l *loader) validateStruct(s *shape, v reflect.Value, path Path) {
	if s.pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	for _, f := range s.fields {
		l.validate(f, v.Field(f.index), path.Key(f.name))
	}
	if validator, ok := v.Addr().Interface().(Validator); ok {
		validator.Validate(l.reporter(path))
	}
}

func (l *loader) reporter(path Path) Report {
	return func(key Path, message, suggestion string) {
		at := path.Join(key)
		if l.troubled[at] {
			return
		}
		place := l.origins.place(at, l.fileName)
		l.problems = append(l.problems, (&fault{message, suggestion}).at(place))
	}
}
