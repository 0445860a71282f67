// Package conf fills one plain Go struct from defaults, a YAML file, the
// environment and flags, and says exactly where a mistake is.
//
// First use:
//
//	type Config struct {
//		Front Front `yaml:"front" doc:"The web face."`
//	}
//	type Front struct {
//		Port    int           `yaml:"port" doc:"The TCP port." min:"1" max:"65535"`
//		Timeout conf.Duration `yaml:"timeout" doc:"How long one request may take." min:"1s"`
//	}
//
//	cfg := Config{Front: Front{Port: 8800, Timeout: conf.Duration(time.Minute)}} // the defaults
//	origins, err := conf.Load(&cfg, conf.Sources{
//		File:      "moothall.yaml",
//		Env:       os.Environ(),
//		EnvIgnore: []string{"MOOTHALL_HOME"},
//		Set:       map[string]string{"front.port": "9000"}, // from flags
//	})
//
// A later source wins over an earlier one: defaults, file, environment, Set.
// Structs and maps are merged key by key; a list replaces the list before it.
// A null value leaves what was there. An error is a [moothall.Error] of code
// invalid that wraps [*Problems]: all mistakes found, each with its place, its
// path and, where there is one, the nearest right key. After an error the
// destination is as it was before.
//
// # The struct
//
// Every exported field carries a tag yaml:"name"; yaml:"-" leaves a field out.
// The other tags are optional:
//
//	doc:"One sentence."   comment in [Show], description in [Schema]
//	example:"text"        an example for both
//	enum:"a,b,c"          the only texts allowed (string kinds)
//	min:"1" max:"65535"   bounds, written as a value of the field's own kind
//
// On a list or a map the tags enum, min and max speak of each element. Field
// types are string and bool kinds, integers, floats, [Duration], [Size],
// pointers to these (nil is "unset"), structs, pointers to structs, maps from
// a string kind, and lists of scalars or structs. A struct type that breaks
// these rules is a programmer's error and panics, in each function here, so
// that the first test which touches it shows it.
//
// # Words
//
//   - path: the dotted name of a value, front.port; see [Path].
//   - origin: the source that gave a value; see [Origins].
//   - section: a struct or map; it holds values and has none of its own.
//
// # The environment
//
// The variable of front.port is the prefix followed by FRONT_PORT. A list is
// comma separated, without a way to write a comma inside an element. An entry
// of a map is reached by its key (MOOTHALL_SERVICES_AUDIT_AT): an existing key
// is preferred, otherwise a new entry with the key in lower case is made, and
// where two readings remain the variable is refused. Lists of structs stand in
// the file alone. A variable with the prefix that fits nothing is an error.
//
// # Checks beyond the tags
//
// A struct at any level may implement [Validator]. What it reports is placed
// at the line of the key it names, in the order of all the other mistakes.
//
// # Refusals
//
// Refused are: unknown and duplicate keys, several documents, a root that is
// not a mapping, tags other than the plain core ones, keys that are not
// scalars, text that is not UTF-8 or holds control characters, NaN and
// infinities, numbers with leading zeros, and files beyond the limits (1 MiB,
// 20,000 tokens, 64 levels, 50,000 values once aliases are unfolded). A root
// key that starts with "x-" is ignored: it is a place to keep anchors.
//
// # Concurrency
//
// The functions keep no state between calls and start no goroutines. They may
// run at the same time on different destinations; [Origins] is read-only once
// Load has returned it.
package conf
