package conf

import (
	"fmt"
	"maps"
	"strings"
)

// Kind says what sort of source gave a value.
type Kind string

// The kinds, from the weakest to the strongest.
const (
	KindDefault Kind = "default"
	KindFile    Kind = "file"
	KindEnv     Kind = "env"
	KindFlag    Kind = "flag"
)

// Origin is where a value comes from.
type Origin struct {
	Kind Kind
	File string // for KindFile
	Line int    // for KindFile: the line of the key
	Name string // for KindEnv the variable, for KindFlag the flag
}

// String gives the origin in a few characters: "default",
// "moothall.yaml:12", "MOOTHALL_FRONT_PORT" or "--port".
func (o Origin) String() string {
	switch o.Kind {
	case KindFile:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	case KindEnv, KindFlag:
		return o.Name
	}
	return string(KindDefault)
}

// Origins tells where each value of a loaded configuration comes from. A nil
// Origins says default for everything.
type Origins struct {
	values map[Path]Origin  // scalars, lists and their elements
	places map[Path]Problem // every key of the file; only File, Line and Column are set
}

func newOrigins() *Origins {
	return &Origins{values: map[Path]Origin{}, places: map[Path]Problem{}}
}

// Of returns the origin of the value at path. A section has none of its own
// and answers default, as does a path that does not exist.
func (o *Origins) Of(path Path) Origin {
	if o != nil {
		for _, p := range []Path{path, path.list()} {
			if origin, ok := o.values[p]; ok {
				return origin
			}
		}
	}
	return Origin{Kind: KindDefault}
}

// set records the origin of a value. Where the value was given before, it
// forgets what is known of the elements that stood there.
func (o *Origins) set(path Path, origin Origin) {
	if _, again := o.values[path]; again {
		prefix := string(path) + "["
		maps.DeleteFunc(o.values, func(p Path, _ Origin) bool {
			return strings.HasPrefix(string(p), prefix)
		})
	}
	o.values[path] = origin
}

// place returns where a person has to look to change the value at path: the
// variable or flag that gave it, else the nearest key of the file that leads
// to it, else the file without a line.
func (o *Origins) place(path Path, file string) Problem {
	if origin := o.Of(path); origin.Kind == KindEnv || origin.Kind == KindFlag {
		return Problem{File: origin.Name, Path: path}
	}
	for p := path; p != ""; p = p.parent() {
		if place, ok := o.places[p]; ok {
			place.Path = path
			return place
		}
	}
	return Problem{File: file, Path: path}
}
