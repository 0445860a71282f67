package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Canonical returns the JSON in its one form: no white space, keys sorted,
// numbers as they are written.
func Canonical(raw []byte) ([]byte, error) {
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return encode(v)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decode reads exactly one value and keeps numbers as written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// Extract returns the JSON in a model's words: the whole text, what stands in
// its first fenced block, or what lies between its outermost brackets.
func Extract(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	for _, candidate := range []string{text, fenced(text), between(text, "{", "}"), between(text, "[", "]")} {
		if candidate != "" && json.Valid([]byte(candidate)) {
			return json.RawMessage(candidate), nil
		}
	}
	if text == "" {
		return nil, errors.New("there is no answer")
	}
	return nil, errors.New("the answer is not JSON")
}

func fenced(text string) string {
	_, rest, ok := strings.Cut(text, "```")
	if !ok {
		return ""
	}
	_, rest, ok = strings.Cut(rest, "\n") // the language's name
	if !ok {
		return ""
	}
	inside, _, _ := strings.Cut(rest, "```")
	return strings.TrimSpace(inside)
}

func between(text, open, shut string) string {
	i, j := strings.Index(text, open), strings.LastIndex(text, shut)
	if i < 0 || j < i {
		return ""
	}
	return text[i : j+1]
}
