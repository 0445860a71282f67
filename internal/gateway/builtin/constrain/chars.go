package constrain

import (
	"unicode"
	"unicode/utf8"
)

// escaped are the characters that have a short escape, in the order of
// escapes.
var escaped = []rune{'"', '\\', '\n', '\r', '\t', '\b', '\f'}

const escapes = `"\nrtbf`

// char takes a byte inside a text.
func (f *frame) char(b byte, out []*frame) []*frame {
	switch {
	case f.need < 0:
		for i := range len(escapes) {
			if escapes[i] == b {
				return f.take(escaped[i], out)
			}
		}
		return out
	case f.need > 0:
		if b&0xC0 != 0x80 {
			return out
		}
		return f.partial(f.half<<6|rune(b&0x3F), f.width+1, f.need-1, out)
	case b == '"':
		if f.at >= f.form.min && (f.state == nil || f.state.ends) && f.copyEnds() {
			out = keep(out, f.up)
		}
		return out
	case b == '\\':
		return f.backslash(out)
	case b < 0x20:
		return out
	case b < utf8.RuneSelf:
		return f.take(rune(b), out)
	case b >= 0xC2 && b < 0xE0:
		return f.partial(rune(b&0x1F), 1, 1, out)
	case b >= 0xE0 && b < 0xF0:
		return f.partial(rune(b&0x0F), 1, 2, out)
	case b >= 0xF0 && b < 0xF5:
		return f.partial(rune(b&0x07), 1, 3, out)
	}
	return out
}

// room is how many characters must and may follow after n more.
func (f *frame) room(n int) (least, most int) {
	least, most = f.form.min-f.at-n, none
	if f.form.max != none {
		most = f.form.max - f.at - n
	}
	return max(least, 0), most
}

// full reports whether no character fits any more.
func (f *frame) full() bool { return f.form.max != none && f.at >= f.form.max }

// take adds a whole character.
func (f *frame) take(r rune, out []*frame) []*frame {
	if f.full() || f.at == 0 && f.form.tight() && unicode.IsSpace(r) { // no name begins with a space
		return out
	}
	next := frame{op: chars, up: f.up, form: f.form, at: f.at + 1}
	if f.state != nil {
		s := f.form.pattern.step(f.state, r)
		if s == nil {
			return out
		}
		if least, most := f.room(1); !s.free && !s.reach.within(least, most) {
			return out
		}
		if !s.free {
			next.state = s
		}
	}
	return f.copied(next, r, out)
}

// backslash begins an escape if one of them leads on.
func (f *frame) backslash(out []*frame) []*frame {
	if f.full() {
		return out
	}
	next := *f
	next.need = -1
	for _, r := range escaped {
		probe := *f
		probe.need = 0
		if len(probe.take(r, nil)) > 0 {
			return keep(out, &next)
		}
	}
	return out
}

// partial adds a byte of a character that takes several.
func (f *frame) partial(bits rune, width, need int8, out []*frame) []*frame {
	least := [...]rune{2: 0x80, 3: 0x800, 4: 0x10000}[width+need]
	low := max(bits<<(6*need), least)
	high := min(bits<<(6*need)|(1<<(6*need)-1), unicode.MaxRune)
	if low > high || low >= 0xD800 && high <= 0xDFFF || f.full() {
		return out
	}
	if need == 0 {
		return f.take(low, out)
	}
	if f.state != nil {
		if a, b := f.room(1); !f.form.pattern.some(f.state, low, high, a, b) {
			return out
		}
	}
	if f.copy != nil && !f.soft && !f.copy.some(low, high) {
		return out
	}
	next := *f
	next.half, next.width, next.need = bits, width, need
	return keep(out, &next)
}
