package constrain

import "slices"

// where is the place of a fact.
type where uint8

const (
	between  where = iota // words
	inWord                // at follows it
	afterDot              // after a sign that ends a sentence, or belongs to a name
	inNumber
	afterComma // or point, in or after a number
	inQuote
	inSign // of which some bytes are to come
)

// fact is a state. at are the places in the texts that what is being written
// stands at; none for a free word that stands nowhere.
type fact struct {
	f        *Facts
	id       int
	place    where
	sentence bool // between, inSign: one begins
	need     int  // inSign: bytes
	free     bool // in a word: it need not stand anywhere
	dot      bool // afterDot, afterComma: the sign was a full stop
	at       []int32
	number   *numeral
	table    *[256]made // what follows, for the states that most tokens pass
}

type made struct {
	to   *fact
	made bool
}

// hub is a state that many others lead to.
func (f *Facts) hub(s fact) *fact {
	s.table = new([256]made)
	return f.add(s)
}

func (f *Facts) add(s fact) *fact {
	f.ids++
	s.f, s.id = f, f.ids
	return &s
}

// ends reports whether an answer may end here.
func (s *fact) ends() bool {
	switch s.place {
	case inWord:
		return s.free || s.standsAlone()
	case inNumber, afterComma:
		return s.number.whole
	case inQuote, inSign:
		return false
	}
	return true
}

// standsAlone reports whether a word of the texts ends where this one does.
func (s *fact) standsAlone() bool {
	for _, i := range s.at {
		if !wordByte(s.f.text[i]) {
			return true
		}
	}
	return false
}

// after is the state after a byte, nil when it may not come.
func (s *fact) after(b byte) *fact {
	if s.table != nil {
		t := &s.table[b]
		if !t.made {
			t.to, t.made = s.step(b), true
		}
		return t.to
	}
	key := factStep{s.id, b}
	to, ok := s.f.steps[key]
	if !ok {
		to = s.step(b)
		s.f.steps[key] = to
	}
	return to
}

func (s *fact) step(b byte) *fact {
	switch s.place {
	case inWord:
		return s.word(b)
	case afterDot:
		if wordByte(b) {
			return s.strict(b)
		}
		return s.rest(b, s.dot)
	case inNumber:
		return s.digit(b)
	case afterComma:
		return s.comma(b)
	case inQuote:
		if b == '"' {
			if len(s.at) == 0 || !s.standsAlone() && !s.afterSign() {
				return nil
			}
			return s.f.middle
		}
		return s.strict(b)
	case inSign:
		return s.sign(b)
	}
	return s.rest(b, s.sentence)
}

// sign is for a byte of a sign of three bytes.
func (s *fact) sign(b byte) *fact {
	switch {
	case b < 0x80 || b > 0xBF:
		return nil
	case s.need > 1:
		return s.f.add(fact{place: inSign, sentence: s.sentence, need: s.need - 1})
	case s.sentence:
		return s.f.begin
	}
	return s.f.middle
}

// afterSign reports whether what was quoted ends with no letter.
func (s *fact) afterSign() bool {
	for _, i := range s.at {
		if i > 0 && !wordByte(s.f.text[i-1]) {
			return true
		}
	}
	return false
}

// rest is for a byte between words.
func (s *fact) rest(b byte, sentence bool) *fact {
	f := s.f
	switch {
	case digitByte(b):
		if n := f.numbers.more[rune(b)]; n != nil {
			return f.add(fact{place: inNumber, number: n, at: f.move(f.places(false), b)})
		}
		return nil
	case b == '"':
		return f.quote
	case b == signs:
		return f.add(fact{place: inSign, sentence: sentence, need: 2})
	case wordByte(b):
		return s.open(b, sentence)
	case b == '\n' || b == '!' || b == '?' || b == '.' || b == ':' || sentence:
		return f.begin
	}
	return f.middle
}

// places are where words begin.
func (f *Facts) places(sentence bool) []int32 {
	if sentence {
		return f.starts
	}
	for i, p := range f.starts {
		if p >= f.common {
			return f.starts[:i]
		}
	}
	return f.starts
}

// open begins a word.
func (s *fact) open(b byte, sentence bool) *fact {
	capital := 'A' <= b && b <= 'Z'
	at := s.f.move(s.f.places(sentence), b)
	if capital { // a name: that of a unit which stands nowhere is no place for it
		at = slices.DeleteFunc(at, s.f.inUnits)
	}
	return s.f.known(fact{place: inWord, free: !capital, at: at})
}

// inUnits reports whether a place is in a unit that stands nowhere.
func (f *Facts) inUnits(i int32) bool { return i > f.units && i < f.common }

// madeUp reports whether one of these units has come to its end.
func (f *Facts) madeUp(at []int32) bool {
	return slices.ContainsFunc(at, func(i int32) bool { return f.inUnits(i) && f.text[i] == '\n' })
}

// move takes the places on where a byte follows.
func (f *Facts) move(at []int32, b byte) []int32 {
	var out []int32
	b = lower(b)
	for _, i := range at {
		if f.text[i] == b && int(i)+1 < len(f.text) {
			out = append(out, i+1)
		}
	}
	return out
}

// known is a state that has a place, or is free.
func (f *Facts) known(s fact) *fact {
	switch {
	case len(s.at) > 0:
		return f.add(s)
	case s.free && s.place == inWord:
		return f.lower
	case s.free && s.place == afterDot && s.dot:
		return f.full
	case s.free:
		return f.add(s)
	}
	return nil
}

// strict goes on where the byte must stand in the texts.
func (s *fact) strict(b byte) *fact {
	place := s.place
	if place == afterDot {
		place = inWord
	}
	return s.f.known(fact{place: place, at: s.f.move(s.at, b)})
}

// word is for a byte in a word or after it.
func (s *fact) word(b byte) *fact {
	at := s.f.move(s.at, b)
	switch {
	case digitByte(b), b == '_', b == '@':
		return s.f.known(fact{place: inWord, at: at})
	case s.f.madeUp(at):
		return nil
	case wordByte(b):
		return s.f.known(fact{place: inWord, free: s.free, at: at})
	case !s.ends():
		return nil
	case b == '.' || b == '/' || b == ':':
		return s.f.known(fact{place: afterDot, free: true, dot: b != '/', at: at})
	}
	return s.rest(b, false)
}

// digit is for a byte in a number or after it.
func (s *fact) digit(b byte) *fact {
	to := s.number.more[rune(b)]
	switch {
	case digitByte(b):
		if to == nil {
			return nil
		}
		return s.f.add(fact{place: inNumber, number: to, at: s.f.move(s.at, b)})
	case b == '.' || b == ',':
		if to == nil && !s.number.whole {
			return nil
		}
		next := fact{place: afterComma, number: &numeral{tree: s.f.numbers, whole: s.number.whole}, dot: b == '.'}
		if to != nil {
			next.number.more = to.more
		}
		return s.f.add(next)
	case wordByte(b): // 14th, 20kg, 9b23889e
		return s.f.known(fact{place: inWord, free: s.number.whole, at: s.f.move(s.at, b)})
	case !s.number.whole:
		return nil
	}
	return s.rest(b, false)
}

// comma is for what follows a comma or point after a number.
func (s *fact) comma(b byte) *fact {
	if digitByte(b) {
		if to := s.number.more[rune(b)]; to != nil {
			return s.f.add(fact{place: inNumber, number: to})
		}
		return nil
	}
	if !s.number.whole {
		return nil
	}
	return s.rest(b, s.dot)
}
