package pin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// Limits of what a foreign tool may say of itself.
const (
	MaxSchema      = 64 << 10
	MaxDescription = 4 << 10
)

// Definition is what a foreign tool says of itself, as it said it.
type Definition struct {
	Owner       string
	Identity    string
	Name        string
	Description string
	Schema      json.RawMessage // of [Canonical]
}

// Hash names the definition. Each part goes in with its length, so that no
// text can move from one part to the next unseen.
func (d Definition) Hash() string {
	h := sha256.New()
	for _, part := range []string{"moothall pin 1", d.Owner, d.Identity, d.Name, d.Description, string(d.Schema)} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		io.WriteString(h, part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Canonical checks that a schema describes an object and returns it with its
// keys sorted and given once. What is hashed and what a model is shown are
// both this form. CodeInvalid, CodeTooLarge.
func Canonical(schema []byte) (json.RawMessage, error) {
	if len(schema) > MaxSchema {
		return nil, moothall.Fail(moothall.CodeTooLarge, "tool schema", "the schema is above 64 KiB")
	}
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil || v == nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "tool schema", Message: "the schema is not a JSON object", Err: err}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, moothall.Fail(moothall.CodeInvalid, "tool schema", "something follows the schema")
	}
	switch v["type"] {
	case nil:
		v["type"] = "object"
	case "object":
	default:
		return nil, moothall.Fail(moothall.CodeInvalid, "tool schema", "the schema does not describe an object")
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "tool schema", Err: err}
	}
	if len(out) > MaxSchema {
		return nil, moothall.Fail(moothall.CodeTooLarge, "tool schema", "the schema is above 64 KiB")
	}
	return out, nil
}

// Clean makes a foreign text fit to be shown: valid UTF-8, no control or
// formatting characters but the line feed, at most limit bytes. The second
// result says how many bytes were left out at the end.
func Clean(text string, limit int) (string, int) {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= limit {
		return text, 0
	}
	end := limit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], len(text) - end
}
