package conf

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// envName returns the part that a key adds to the name of a variable: its
// letters and digits in upper case, with _ for all else.
func envName(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, key)
}

// readEnv brings in the environment, in the order of the names.
func (l *loader) readEnv() {
	vars := map[string]string{}
	for _, line := range l.src.Env {
		name, text, _ := strings.Cut(line, "=")
		if strings.HasPrefix(name, l.src.EnvPrefix) && !slices.Contains(l.src.EnvIgnore, name) {
			vars[name] = text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		l.readVariable(name, vars[name])
	}
}

func (l *loader) readVariable(name, text string) {
	keys, f := l.target(name)
	if f != nil {
		l.report(f.at(Problem{File: clip(strings.ToValidUTF8(name, "?"))}))
		return
	}
	l.assign(l.root, l.value, "", keys, text, Origin{Kind: KindEnv, Name: name})
}

// target finds the value that a variable means.
func (l *loader) target(name string) ([]string, *fault) {
	var best []reading
	for _, r := range l.nameReadings(strings.TrimPrefix(name, l.src.EnvPrefix)) {
		if len(best) > 0 && r.fresh > best[0].fresh {
			continue
		}
		if len(best) > 0 && r.fresh < best[0].fresh {
			best = nil
		}
		best = append(best, r)
	}
	switch len(best) {
	case 0:
		return nil, &fault{"unknown variable", nearest(name, l.variables())}
	case 1:
		return best[0].keys, nil
	}
	return nil, &fault{message: "means either " + string(best[0].path()) + " or " + string(best[1].path()) + "; set it in the file"}
}

// nameReadings returns no readings for a name that no key can have; what it
// accepts is short enough to try each of its parts.
func (l *loader) nameReadings(name string) []reading {
	const longest = 256
	if len(name) > longest || name != envName(name) {
		return nil
	}
	return readings(l.root, l.value, name, nil)
}

// reading is one way to understand the name of a variable.
type reading struct {
	keys  []string
	fresh int // how many keys are new entries of maps
}

func (r reading) path() (p Path) {
	for _, k := range r.keys {
		p = p.Key(k)
	}
	return p
}

// readings returns every way to understand what is left of a name.
func readings(s *shape, v reflect.Value, rest string, keys []string) []reading {
	var found []reading
	switch s.kind {
	case kindStruct:
		for _, f := range s.fields {
			if below, ok := after(rest, envName(f.name)); ok {
				found = append(found, readings(f, part(s, v, f), below, with(keys, f.name))...)
			}
		}
	case kindMap:
		found = entryReadings(s, v, rest, keys)
	}
	if rest == "" && len(keys) > 0 {
		// A section counts as well: it is refused with a message of its own.
		found = append(found, reading{keys: keys})
	}
	return found
}

// entryReadings tries the keys that a map has and every key it might get.
func entryReadings(s *shape, v reflect.Value, rest string, keys []string) []reading {
	var found []reading
	existing := map[string]bool{}
	for _, key := range mapKeys(v) {
		name := envName(key)
		existing[name] = true
		if below, ok := after(rest, name); ok {
			found = append(found, readings(s.elem, entry(s, v, key), below, with(keys, key))...)
		}
	}
	for i := 1; i <= len(rest); i++ {
		if i < len(rest) && rest[i] != '_' || existing[rest[:i]] {
			continue
		}
		below, _ := after(rest, rest[:i])
		if below == "" && !s.elem.leaf() || below != "" && s.elem.leaf() {
			continue
		}
		for _, r := range readings(s.elem, reflect.Zero(s.typ.Elem()), below, with(keys, strings.ToLower(rest[:i]))) {
			r.fresh++
			found = append(found, r)
		}
	}
	return found
}

// after cuts the name of one key off the front of a variable's name.
func after(rest, name string) (below string, ok bool) {
	below, ok = strings.CutPrefix(rest, name)
	if !ok || below == "" {
		return "", ok
	}
	below, ok = strings.CutPrefix(below, "_")
	return below, ok && below != ""
}

// with returns a copy of keys with one more, safe to keep.
func with(keys []string, key string) []string {
	return append(slices.Clone(keys), key)
}

// variables returns the names of all variables that would be understood now.
func (l *loader) variables() []string {
	var names []string
	walkLeaves(l.root, l.value, nil, func(keys []string, s *shape) {
		if s.leaf() {
			names = append(names, l.src.EnvPrefix+envName(strings.Join(keys, "_")))
		}
	})
	return names
}

// assign puts text from a variable or flag into the value that keys lead to.
func (l *loader) assign(s *shape, v reflect.Value, path Path, keys []string, text string, o Origin) {
	place := Problem{File: o.Name, Path: path}
	switch {
	case len(keys) == 0:
		l.assignLeaf(s, v, path, text, o)
	case s.kind == kindMap:
		updateEntry(s, v, keys[0], func(elem reflect.Value) {
			l.assign(s.elem, elem, path.Key(keys[0]), keys[1:], text, o)
		})
	case s.kind == kindStruct:
		f := s.field(keys[0])
		if f == nil {
			l.report(l.unknownPath(s, path, keys[0]).at(Problem{File: o.Name, Path: path.Key(clip(keys[0]))}))
			return
		}
		l.assign(f, settled(s, v).Field(f.index), path.Key(keys[0]), keys[1:], text, o)
	default:
		l.report((&fault{message: "is a value and has no keys of its own"}).at(place))
	}
}

func (l *loader) assignLeaf(s *shape, v reflect.Value, path Path, text string, o Origin) {
	place := Problem{File: o.Name, Path: path}
	if !utf8.ValidString(text) {
		l.report((&fault{message: "is not valid UTF-8"}).at(place))
		return
	}
	switch {
	case s.scalar():
		read, f := s.read(text)
		if f != nil {
			l.report(f.at(place))
			return
		}
		settled(s, v).Set(read)
	case s.leaf():
		l.assignList(s, v, path, text, place)
	case s.kind == kindList:
		l.report((&fault{message: "is a list of sections; set it in the file"}).at(place))
		return
	default:
		l.report((&fault{message: "is a section; set one of its keys"}).at(place))
		return
	}
	l.origins.set(path, o)
}

// assignList reads a comma separated list.
func (l *loader) assignList(s *shape, v reflect.Value, path Path, text string, place Problem) {
	var parts []string
	if strings.TrimSpace(text) != "" {
		parts = strings.Split(text, ",")
	}
	list := reflect.MakeSlice(s.typ, len(parts), len(parts))
	for i, part := range parts {
		read, f := s.elem.read(strings.TrimSpace(part))
		if f != nil {
			place.Path = path.Index(i)
			l.report(f.at(place))
			continue
		}
		list.Index(i).Set(read)
	}
	setList(v, list)
}
