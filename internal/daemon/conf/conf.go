package conf

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"

	"moothall"
)

// DefaultEnvPrefix is used where [Sources] names no prefix.
const DefaultEnvPrefix = "MOOTHALL_"

// Sources says where values come from besides the defaults. The zero value
// has no source at all.
type Sources struct {
	// File is the YAML file, and its name in messages. Empty means no file.
	File string
	// FileRequired makes a missing File an error of code not_found.
	FileRequired bool
	// Data, when not nil, is taken instead of the file's content.
	Data []byte
	// Env holds NAME=value lines as os.Environ gives them. Of a repeated name
	// the last counts.
	Env []string
	// EnvPrefix selects the variables that are ours; empty means
	// [DefaultEnvPrefix].
	EnvPrefix string
	// EnvIgnore lists full names with the prefix that are not configuration.
	EnvIgnore []string
	// Set gives text by path; it wins over all else. Flags end up here.
	Set map[string]string
	// FlagNames gives, by path, the flag that filled Set, for messages. A path
	// not listed is named after its last key: front.port is "--port".
	FlagNames map[string]string
}

// Load fills dst, a pointer to a struct that holds the defaults, from the
// sources. On an error dst is unchanged and the origins are nil.
//
// Mistakes in what the sources say are returned together, as an error of code
// invalid that wraps [*Problems]. A file that cannot be read is not_found,
// denied or unavailable.
func Load(dst any, src Sources) (*Origins, error) {
	target := destination(dst)
	src.EnvPrefix = cmp.Or(src.EnvPrefix, DefaultEnvPrefix)
	l := &loader{
		src:      src,
		root:     describe(target.Type()),
		value:    clone(target),
		origins:  newOrigins(),
		troubled: map[Path]bool{},
	}
	if err := l.readFile(); err != nil {
		return nil, err
	}
	l.readEnv()
	l.readSet()
	if !l.unreadable {
		l.validate(l.root, l.value, "")
	}
	if err := problemError(l.problems); err != nil {
		return nil, err
	}
	target.Set(l.value)
	return l.origins, nil
}

// destination returns the struct that dst points to.
func destination(dst any) reflect.Value {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		panic("conf: Load needs a pointer to a struct")
	}
	return v.Elem()
}

// loader is the state of one Load.
type loader struct {
	src        Sources
	root       *shape
	value      reflect.Value // a deep copy of the destination, filled in turn
	origins    *Origins
	problems   []Problem
	fileName   string        // as it stands in messages; empty before a file was read
	unreadable bool          // the file is not YAML, so checks of values would mislead
	budget     int           // values of the file still to be visited
	troubled   map[Path]bool // paths that already have a problem of their own
}

// readFile brings in the file, where there is one.
func (l *loader) readFile() error {
	data := l.src.Data
	if data == nil {
		var err error
		if data, err = l.fileContent(); err != nil || data == nil {
			return err
		}
	}
	l.fileName = cmp.Or(l.src.File, "configuration")
	root, problems := parseYAML(data)
	for _, p := range problems {
		p.File = l.fileName
		l.report(p)
	}
	if root == nil {
		l.unreadable = len(problems) > 0
		return nil
	}
	l.budget = maxValues
	l.fill(l.root, l.value, root, "")
	return nil
}

// fileContent returns nil without an error where no file is there and none is
// needed. It reads one byte more than the limit, so that parseYAML can see
// that the file is too large.
func (l *loader) fileContent() ([]byte, error) {
	if l.src.File == "" {
		return nil, nil
	}
	f, err := os.Open(l.src.File)
	if errors.Is(err, fs.ErrNotExist) && !l.src.FileRequired {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(l.src.File, err)
	}
	defer f.Close() // nothing was written, so nothing can be lost here
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fileError(l.src.File, err)
	}
	return data, nil
}

// fileError gives a failure to read the file its code and remedy.
func fileError(name string, err error) error {
	e := &moothall.Error{
		Code:    moothall.CodeUnavailable,
		Op:      "read configuration",
		Message: "cannot read " + name,
		Err:     err,
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message = moothall.CodeNotFound, "there is no file "+name
		e.Remedy = "create the file, or name another one"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message = moothall.CodeDenied, "no permission to read "+name
		e.Remedy = "give the user who starts the hall read access to the file"
	}
	return e
}
