package library

import (
	"encoding/json"
	"errors"
	"fmt"
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
	// Answer is what it says to a question that is near to one of its own;
	// Vouched where that is nearly the same, Asked where it is the same.
	Answer  string `json:"-"`
	Vouched bool   `json:"-"`
	Asked   bool   `json:"-"`
}

// parse reads an entry of one line.
func parse(line []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	e.Name, e.Text = strings.TrimSpace(e.Name), strings.TrimSpace(e.Text)
	if e.Name == "" || e.Text == "" {
		return e, errors.New("an entry without name or text")
	}
	return e, nil
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
