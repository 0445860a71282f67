package broker

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxArguments = 1 << 20 // bytes
	maxNesting   = 64
)

// strict refuses what two readers could read in two ways: keys that come
// twice, bytes that are no text, more than one value, nesting without end.
// The policy looks at the arguments once and the tool once more; both must
// see the same.
func strict(raw []byte) error {
	if !utf8.Valid(raw) {
		return errors.New("the arguments are not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var open []level
	for first := true; first || len(open) > 0; first = false {
		t, err := d.Token()
		if err != nil {
			return errors.New("the arguments are not JSON")
		}
		if first && t != json.Delim('{') {
			return errors.New("the arguments are not a JSON object")
		}
		if open, err = step(open, t); err != nil {
			return err
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after the arguments")
	}
	return nil
}

// level is one open object or list.
type level struct {
	keys map[string]bool // nil for a list
	key  bool            // a key comes next
}

func step(open []level, t json.Token) ([]level, error) {
	if d, ok := t.(json.Delim); ok && (d == '}' || d == ']') {
		return after(open[:len(open)-1]), nil
	}
	if n := len(open); n > 0 && open[n-1].key {
		name, _ := t.(string)
		name = fold(name)
		if open[n-1].keys[name] {
			return nil, errors.New("the arguments have a key twice")
		}
		open[n-1].keys[name], open[n-1].key = true, false
		return open, nil
	}
	d, ok := t.(json.Delim)
	if !ok {
		return after(open), nil
	}
	if len(open) == maxNesting {
		return nil, errors.New("the arguments are nested too deeply")
	}
	if d == '{' {
		return append(open, level{keys: map[string]bool{}, key: true}), nil
	}
	return append(open, level{}), nil
}

// after notes that a value has ended: in an object a key comes next.
func after(open []level) []level {
	if n := len(open); n > 0 && open[n-1].keys != nil {
		open[n-1].key = true
	}
	return open
}

// fold makes keys alike that Go's reader of JSON takes for the same: tools
// that read into a struct do not tell "path" from "PATH".
func fold(key string) string { return strings.ToLower(strings.ToUpper(key)) }
