package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall"
)

// maxConfig bounds the configuration file.
const maxConfig = 1 << 20

var (
	fileKeys   = []string{"mcpServers", "$schema"}
	serverKeys = []string{"args", "command", "disabled", "env", "headers", "read_only", "reads", "type", "url", "writes"}
)

// Parse reads a file in the mcpServers shape. It is strict: an unknown or
// repeated key, a value of another kind, a reference that is none are errors
// of CodeInvalid that name file and line. The servers come sorted by name.
func Parse(file string, data []byte) ([]Server, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors put it there
	r := &reader{file: file, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	switch {
	case len(data) > maxConfig:
		return nil, moothall.Fail(moothall.CodeTooLarge, "mcp configuration", file+" is above 1 MiB")
	case !utf8.Valid(data):
		return nil, r.fail("the file is not UTF-8")
	}
	var servers []Server
	err := r.object(fileKeys, func(key string) (err error) {
		if key == "$schema" {
			_, err = r.text()
			return err
		}
		servers, err = r.servers()
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, r.fail("something follows the end of the object")
	}
	slices.SortFunc(servers, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return servers, checkNames(servers)
}

// reader walks the tokens of a file and knows the line it is at.
type reader struct {
	file string
	data []byte
	dec  *json.Decoder
}

func (r *reader) line() int {
	return 1 + bytes.Count(r.data[:min(int(r.dec.InputOffset()), len(r.data))], []byte("\n"))
}

func (r *reader) fail(format string, args ...any) error { return r.failAt(r.line(), format, args...) }

func (r *reader) failAt(line int, format string, args ...any) error {
	return moothall.Fail(moothall.CodeInvalid, "mcp configuration", fmt.Sprintf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...)))
}

func (r *reader) servers() ([]Server, error) {
	var out []Server
	err := r.object(nil, func(name string) error {
		s, err := r.server(name)
		out = append(out, s)
		return err
	})
	return out, err
}

func (r *reader) server(name string) (Server, error) {
	s := Server{Name: name, Line: r.line()}
	kind, lines := "", map[string]int{"": s.Line}
	err := r.object(serverKeys, func(key string) (err error) {
		lines[key] = r.line()
		switch key {
		case "type":
			kind, err = r.text()
		case "command":
			s.Command, err = r.text()
		case "args":
			s.Args, err = r.texts()
		case "env":
			s.Env, err = r.pairs()
		case "url":
			s.URL, err = r.text()
		case "headers":
			s.Headers, err = r.pairs()
		case "read_only":
			s.ReadOnly, err = r.texts()
		case "reads":
			s.Reads, err = r.texts()
		case "writes":
			s.Writes, err = r.texts()
		case "disabled":
			s.Disabled, err = r.truth()
		}
		return err
	})
	if err != nil {
		return s, err
	}
	if field, err := s.check(); err != nil {
		line, ok := lines[field]
		if !ok {
			line = s.Line
		}
		return s, r.failAt(line, "%s", err)
	}
	return s, r.checkKind(s, kind, lines["type"])
}

// checkKind accepts the word that other programs want beside the address.
func (r *reader) checkKind(s Server, kind string, line int) error {
	switch kind {
	case "":
		return nil
	case "stdio":
		if !s.Remote() {
			return nil
		}
	case "http", "streamable-http", "streamableHttp":
		if s.Remote() {
			return nil
		}
	default:
		return r.failAt(line, "server %q: type %q is not spoken here; stdio and http are", s.Name, kind)
	}
	return r.failAt(line, "server %q: type %q does not fit its other keys", s.Name, kind)
}

// object calls each for every key; known is what they may be, nil for names
// of the person's own.
func (r *reader) object(known []string, each func(key string) error) error {
	if err := r.delim('{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for r.dec.More() {
		key, err := r.text()
		switch {
		case err != nil:
			return err
		case seen[key]:
			return r.fail("%q is given twice", key)
		case known != nil && !slices.Contains(known, key):
			return r.fail("%q is not a key here%s", key, nearest(key, known))
		}
		seen[key] = true
		if err := each(key); err != nil {
			return err
		}
	}
	return r.delim('}', "the end of an object")
}

func (r *reader) token(want string) (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.fail("%s is missing, or the text is not JSON: %s", want, strings.TrimPrefix(err.Error(), "json: "))
	}
	return t, nil
}

func (r *reader) delim(d json.Delim, want string) error {
	t, err := r.token(want)
	if err == nil && t != d {
		err = r.fail("%s is missing here", want)
	}
	return err
}

func (r *reader) text() (string, error) {
	t, err := r.token("a string")
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", r.fail("a string is missing here")
	}
	return s, nil
}

func (r *reader) truth() (bool, error) {
	t, err := r.token("true or false")
	if err != nil {
		return false, err
	}
	b, ok := t.(bool)
	if !ok {
		return false, r.fail("true or false is missing here")
	}
	return b, nil
}

func (r *reader) texts() ([]string, error) {
	if err := r.delim('[', "a list of strings"); err != nil {
		return nil, err
	}
	var out []string
	for r.dec.More() {
		s, err := r.text()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, r.delim(']', "the end of a list")
}

func (r *reader) pairs() (map[string]string, error) {
	out := map[string]string{}
	err := r.object(nil, func(key string) (err error) {
		out[key], err = r.text()
		return err
	})
	return out, err
}

// nearest suggests the key that was probably meant.
func nearest(key string, known []string) string {
	best := slices.MinFunc(known, func(a, b string) int { return distance(key, a) - distance(key, b) })
	if distance(key, best) > 1+len(best)/2 {
		return "; there are " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("; %q may be meant", best)
}

// distance counts the changes of one letter that make b of a, without regard
// to case.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
