package fs

import (
	"bytes"
	"fmt"
	"strings"

	"moothall"
)

// ReplaceOnce puts new in place of old, which must stand in the text exactly
// once. A text with Windows line ends is matched with them when old, written
// with plain ones, is not found as it stands. CodeInvalid otherwise.
func ReplaceOnce(text, old, new string) (string, error) {
	if old == "" {
		return "", moothall.Fail(moothall.CodeInvalid, "edit", "old_text is empty; give the text that is to be replaced")
	}
	n := count(text, old)
	if n == 0 && strings.Contains(text, "\r\n") {
		old, new = windowsEnds(old), windowsEnds(new)
		n = count(text, old)
	}
	switch n {
	case 0:
		return "", &moothall.Error{Code: moothall.CodeInvalid, Op: "edit", Message: "old_text does not stand in the file",
			Remedy: "read the file and copy the text exactly, with its spaces and line ends"}
	case 1:
		return strings.Replace(text, old, new, 1), nil
	}
	return "", &moothall.Error{Code: moothall.CodeInvalid, Op: "edit", Message: fmt.Sprintf("old_text stands in the file %d times (counted up to %d)", n, manyPlaces),
		Remedy: "give more of the text around it, so that it is found once"}
}

// manyPlaces ends the counting: beyond it the number tells nobody anything.
const manyPlaces = 100

// count counts where old begins, overlapping places included: each of them
// could be the one that was meant.
func count(text, old string) int {
	n := 0
	for n < manyPlaces {
		i := strings.Index(text, old)
		if i < 0 {
			break
		}
		n++
		text = text[i+1:]
	}
	return n
}

func windowsEnds(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// edited applies a change to the bytes of a file in the file's own encoding.
func edited(old []byte, shown string, change func(string) (string, error)) ([]byte, Encoding, error) {
	text, enc, err := decoded(old, shown)
	if err != nil {
		return nil, "", err
	}
	if back, err := Encode(text, enc); err != nil || !bytes.Equal(back, old) {
		return nil, "", moothall.Fail(moothall.CodeUnsupported, "edit", shown+" is written in a way that would not survive an edit")
	}
	text, err = change(text)
	if err != nil {
		return nil, "", err
	}
	b, err := Encode(text, enc)
	return b, enc, err
}
