package fs

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"moothall"
)

// Encoding names how a text is written as bytes.
type Encoding string

// The encodings that are told apart. Windows-1252 is a guess: any bytes that
// are not UTF-8 could be in many encodings, and this one is the commonest.
const (
	UTF8    Encoding = "UTF-8"
	UTF8BOM Encoding = "UTF-8 with BOM"
	UTF16LE Encoding = "UTF-16 LE"
	UTF16BE Encoding = "UTF-16 BE"
	Windows Encoding = "Windows-1252 (a guess)"
)

var (
	bom8  = []byte{0xEF, 0xBB, 0xBF}
	bomLE = []byte{0xFF, 0xFE}
	bomBE = []byte{0xFE, 0xFF}
)

// Decode finds out how bytes are written and returns their text. The error
// is CodeUnsupported and names the kind of what is no text.
func Decode(b []byte) (string, Encoding, error) {
	switch {
	case bytes.HasPrefix(b, bom8) && utf8.Valid(b):
		return string(b[3:]), UTF8BOM, nil
	case bytes.HasPrefix(b, bomLE) && !bytes.HasPrefix(b, []byte{0xFF, 0xFE, 0, 0}):
		return decode16(b[2:], false)
	case bytes.HasPrefix(b, bomBE):
		return decode16(b[2:], true)
	}
	if kind := Kind(b); kind != "" {
		return "", "", binary(kind)
	}
	if utf8.Valid(b) {
		return string(b), UTF8, nil
	}
	s, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil || bytes.ContainsRune(s, utf8.RuneError) {
		return "", "", binary("data of an unknown kind")
	}
	return string(s), Windows, nil
}

func binary(kind string) error {
	return moothall.Fail(moothall.CodeUnsupported, "decode text", kind)
}

func decode16(b []byte, big bool) (string, Encoding, error) {
	enc := UTF16LE
	if big {
		enc = UTF16BE
	}
	if len(b)%2 != 0 {
		return "", "", binary("data of an unknown kind")
	}
	u := make([]uint16, len(b)/2)
	for i := range u {
		lo, hi := b[2*i], b[2*i+1]
		if big {
			lo, hi = hi, lo
		}
		u[i] = uint16(hi)<<8 | uint16(lo)
	}
	s := string(utf16.Decode(u))
	if strings.ContainsRune(s, 0) {
		return "", "", binary("data of an unknown kind")
	}
	return s, enc, nil
}

// Encode is the inverse of [Decode]. CodeUnsupported when the encoding lacks
// a character of the text.
func Encode(s string, enc Encoding) ([]byte, error) {
	switch enc {
	case UTF8BOM:
		return append(slices.Clone(bom8), s...), nil
	case UTF16LE, UTF16BE:
		return encode16(s, enc == UTF16BE), nil
	case Windows:
		b, err := charmap.Windows1252.NewEncoder().Bytes([]byte(s))
		if err != nil {
			return nil, moothall.Fail(moothall.CodeUnsupported, "encode text",
				"the file is written in "+string(enc)+", which lacks a character of the new text")
		}
		return b, nil
	}
	return []byte(s), nil
}

func encode16(s string, big bool) []byte {
	out := slices.Clone(bomLE)
	if big {
		out = slices.Clone(bomBE)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		lo, hi := byte(u), byte(u>>8)
		if big {
			lo, hi = hi, lo
		}
		out = append(out, lo, hi)
	}
	return out
}
