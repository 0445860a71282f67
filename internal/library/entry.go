package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Entry is one text of the library.
type Entry struct {
	Name string   `json:"name"`
	Text string   `json:"text"`
	Tags []string `json:"tags,omitempty"`
	// Asks are questions that the text answers, each with its answer.
	Asks [][2]string `json:"asks,omitempty"`

	// ID names the entry in this library; it follows from the name.
	ID string `json:"-"`
	// Score is how well it fits what was asked, from 0 to 1; 0 when nothing
	// was.
	Score float64 `json:"-"`
}

// readAll reads every file of entries, in the order of their names.
func readAll(files fs.FS) ([]Entry, error) {
	names, err := fs.Glob(files, "*.jsonl")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []Entry
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("library file %s: %w", path.Base(name), err)
		}
		if out, err = read(out, data); err != nil {
			return nil, fmt.Errorf("library file %s: %w", path.Base(name), err)
		}
	}
	identify(out)
	return out, nil
}

// read adds the entries of a file, one a line.
func read(out []Entry, data []byte) ([]Entry, error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return out, fmt.Errorf("line %d: %w", n, err)
		}
		e.Name, e.Text = strings.TrimSpace(e.Name), strings.TrimSpace(e.Text)
		if e.Name == "" || e.Text == "" {
			return out, fmt.Errorf("line %d: an entry without name or text", n)
		}
		out = append(out, e)
	}
	return out, nil
}

// identify gives every entry an id. Two of one name are told apart by a
// number, in the order of the files.
func identify(list []Entry) {
	taken := make(map[string]int, len(list))
	for i := range list {
		id := idOf(list[i].Name)
		taken[id]++
		if n := taken[id]; n > 1 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		list[i].ID = id
	}
}

// idPrefix begins the ids of all entries, so that nobody takes one for a
// memory of the person's.
const idPrefix = "library-"

// idOf writes a name in the letters of an id.
func idOf(name string) string {
	var b strings.Builder
	b.WriteString(idPrefix)
	for _, w := range divide(name) {
		if b.Len() > len(idPrefix) {
			b.WriteByte('-')
		}
		for _, r := range w {
			switch {
			case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
				b.WriteRune(r)
			case r == '+':
				b.WriteString("plus")
			case r == '#':
				b.WriteString("sharp")
			default:
				fmt.Fprintf(&b, "%x", r)
			}
		}
		if b.Len() > 48 {
			break
		}
	}
	return b.String()
}
