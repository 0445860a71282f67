package conf

import (
	"fmt"
	"strings"
)

// unknownKey reports a key of the file that its section does not have.
func (l *loader) unknownKey(s *shape, p pair, path Path) {
	near := nearest(p.key, s.keys())
	message := "unknown key" + l.root.elsewhere(p.key)
	if near == "" && message == "unknown key" {
		message += known(s.keys())
	}
	if near != "" {
		// The key meant is now unset, and what a validator would say about
		// that is the same mistake told twice.
		l.troubled[path.Key(near)] = true
	}
	place := l.placeOf(p.line, p.column)
	place.Path = path.Key(clip(p.key))
	l.report((&fault{message, near}).at(place))
}

// known lists the keys of a section where nothing better can be said.
func known(keys []string) string {
	const most = 12
	if len(keys) == 0 {
		return ""
	}
	if len(keys) > most {
		return fmt.Sprintf("; the keys here are %s and %d more", strings.Join(keys[:most], ", "), len(keys)-most)
	}
	return "; the keys here are " + strings.Join(keys, ", ")
}

// elsewhere says which other sections have a key of this name.
func (s *shape) elsewhere(key string) string {
	const most = 3
	places := s.sectionsWith(key, "")
	if len(places) == 0 {
		return ""
	}
	if len(places) > most {
		places = append(places[:most], "others")
	}
	last := len(places) - 1
	text := places[last]
	if last > 0 {
		text = strings.Join(places[:last], ", ") + " and " + text
	}
	return fmt.Sprintf("; %q is a key of %s", clip(key), text)
}

// sectionsWith returns the paths of the sections that have the key, with
// <name> for the key of a map.
func (s *shape) sectionsWith(key, path string) []string {
	switch s.kind {
	case kindMap:
		return s.elem.sectionsWith(key, path+".<name>")
	case kindList:
		return s.elem.sectionsWith(key, path+"[]")
	}
	var found []string
	for _, f := range s.fields {
		if f.name == key {
			name := path
			if name == "" {
				name = "the top level"
			}
			found = append(found, name)
		}
		found = append(found, f.sectionsWith(key, strings.TrimPrefix(path+"."+f.name, "."))...)
	}
	return found
}
