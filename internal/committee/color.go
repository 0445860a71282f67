package committee

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// palette are the colours with a name, in the order in which personas without
// one get them.
var palette = []string{"blue", "red", "green", "magenta", "yellow", "cyan", "white", "grey"}

// codes are what terminals call them.
var codes = map[string]string{
	"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "white": "37", "grey": "90",
}

func validColor(s string) bool {
	_, ok := rgb(s)
	return s == "" || ok || slices.Contains(palette, s)
}

// rgb reads #rrggbb.
func rgb(s string) ([]byte, bool) {
	digits, ok := strings.CutPrefix(s, "#")
	b, err := hex.DecodeString(digits)
	return b, ok && err == nil && len(b) == 3
}

// paint returns the sequence that switches a terminal to a colour, "" for one
// that is not valid.
func paint(s string) string {
	if b, ok := rgb(s); ok {
		return fmt.Sprintf("\x1b[38;2;%d;%d;%dm", b[0], b[1], b[2])
	}
	if c, ok := codes[s]; ok {
		return "\x1b[" + c + "m"
	}
	return ""
}
