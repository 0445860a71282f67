package conf

import (
	"maps"
	"slices"
)

// readSet brings in the values of flags, in the order of their paths.
func (l *loader) readSet() {
	for _, path := range slices.Sorted(maps.Keys(l.src.Set)) {
		keys, ok := Path(path).keys()
		name := l.flagName(path, keys)
		if !ok {
			l.report(Problem{File: name, Path: Path(path), Message: "not a path such as front.port"})
			continue
		}
		l.assign(l.root, l.value, "", keys, l.src.Set[path], Origin{Kind: KindFlag, Name: name})
	}
}

// flagName names the flag in messages and origins.
func (l *loader) flagName(path string, keys []string) string {
	if name, ok := l.src.FlagNames[path]; ok {
		return name
	}
	if len(keys) == 0 {
		return "--" + path
	}
	return "--" + keys[len(keys)-1]
}

// unknownPath says what is wrong with a key in a dotted path. It suggests the
// whole path, since that is what the person has to write.
func (l *loader) unknownPath(s *shape, path Path, key string) *fault {
	near := nearest(key, s.keys())
	if near != "" {
		return &fault{"unknown key", string(path.Key(near))}
	}
	if other := l.root.elsewhere(key); other != "" {
		return &fault{message: "unknown key" + other}
	}
	return &fault{message: "unknown key" + known(s.keys())}
}
