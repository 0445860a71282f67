package ollama

import (
	"bytes"
	"unicode/utf8"
)

// quick reads a line of the plain form that nearly all lines of a stream have:
// names and times that nobody asks for, a message of words, and no end. What it
// is not sure to read as encoding/json does it leaves to that; ok is false then.
func quick(b []byte, l *line) (ok bool) {
	s := scanner{b}
	ok = s.object(func(key string) bool {
		switch key {
		case "message":
			return s.object(func(key string) bool {
				switch key {
				case "role":
					return s.text((*string)(&l.Message.Role))
				case "content":
					return s.text(&l.Message.Content)
				case "thinking":
					return s.text(&l.Message.Thinking)
				}
				return false
			})
		case "done":
			return s.take("false")
		case "model", "created_at":
			return s.text(nil)
		}
		return false
	}) && len(s.rest) == 0
	if !ok {
		*l = line{}
	}
	return ok
}

// scanner reads JSON without white space and escapes.
type scanner struct{ rest []byte }

func (s *scanner) take(word string) bool {
	rest, ok := bytes.CutPrefix(s.rest, []byte(word))
	s.rest = rest
	return ok
}

// object hands each key over to who reads its value. Of a key that comes twice
// the last counts, as it does in encoding/json.
func (s *scanner) object(value func(key string) bool) bool {
	if !s.take("{") {
		return false
	}
	for {
		var key string
		if !s.text(&key) || !s.take(":") || !value(key) {
			return false
		}
		if s.take("}") {
			return true
		}
		if !s.take(",") {
			return false
		}
	}
}

// text reads a string that means what it says.
func (s *scanner) text(into *string) bool {
	if !s.take(`"`) {
		return false
	}
	for i, c := range s.rest {
		switch {
		case c == '"':
			if into != nil {
				*into = string(s.rest[:i])
			}
			valid := utf8.Valid(s.rest[:i])
			s.rest = s.rest[i+1:]
			return valid
		case c == '\\', c < ' ':
			return false
		}
	}
	return false
}
