package firewall

import (
	"slices"
	"strings"
)

// tells are words that give away a text under a simple cipher: long enough
// to have a shape of their own, and in nearly every attempt.
var tells = []string{"instruction", "instructions", "previous", "disregard", "password"}

// maxShifts bounds the passes over a text that shows many tells.
const maxShifts = 3

// ciphers scans the text read backwards or with its letters shifted, when
// one of the tells shows up that way.
func (s *scanner) ciphers(v *view) {
	var shifts []byte
	backwards := false
	for _, w := range v.words {
		if n := w.end - w.off; n < 8 || n > 12 {
			continue
		}
		raw := v.text[w.off:w.end]
		for _, tell := range tells {
			if len(raw) != len(tell) {
				continue
			}
			if k, ok := shiftOf(raw, tell); ok && k != 0 && len(shifts) < maxShifts && !slices.Contains(shifts, k) {
				shifts = append(shifts, k)
			}
			backwards = backwards || isReversed(raw, tell)
		}
	}
	for _, k := range shifts {
		s.view(&view{text: v.text, direct: true, shift: k}, encoded)
	}
	if backwards {
		r := []rune(v.text)
		slices.Reverse(r)
		s.view(&view{text: string(r), loose: true}, encoded)
	}
}

// shiftOf returns the Caesar shift that makes raw of tell.
func shiftOf(raw, tell string) (byte, bool) {
	k := (raw[0] | 0x20 - tell[0] + 26) % 26
	for i := range len(tell) {
		c := raw[i] | 0x20
		if c < 'a' || c > 'z' || (c-tell[i]+26)%26 != k {
			return 0, false
		}
	}
	return k, true
}

func isReversed(raw, tell string) bool {
	if raw[0]|0x20 != tell[len(tell)-1] {
		return false
	}
	b := []byte(strings.ToLower(raw))
	slices.Reverse(b)
	return string(b) == tell
}
