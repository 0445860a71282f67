package engine

const (
	loopTail = 6144 // bytes at the end of a text that are looked at
	// A shorter stretch is no loop in what is shown: there are rulers,
	// tables and rows of zeros.
	loopShown = 400
	// What is held back may be a call that writes a file, and files repeat
	// themselves more.
	loopHeld = 6000
)

// loop finds out that a text has begun to repeat itself: its end is one
// stretch said over and over. It costs a bounded number of steps a byte.
type loop struct {
	min    int // bytes of a stretch that counts
	tail   []byte
	since  int
	border []int32
	length int // of the stretch that repeats
	period int // of what is repeated
}

// add takes more text. It reports whether the text is a loop by now.
func (l *loop) add(s string) bool {
	l.since += len(s)
	if len(s) > loopTail {
		s = s[len(s)-loopTail:]
	}
	l.tail = append(l.tail, s...)
	if l.since < max(256, l.min/4) || len(l.tail) < l.min {
		return false
	}
	l.since = 0
	if over := len(l.tail) - loopTail; over > 0 {
		l.tail = append(l.tail[:0], l.tail[over:]...)
	}
	return l.look()
}

// look computes the borders of the reversed tail: a stretch of n bytes at its
// end whose longest border has b bytes repeats with the period n-b.
func (l *loop) look() bool {
	n := len(l.tail)
	if cap(l.border) < n {
		l.border = make([]int32, loopTail)
	}
	border := l.border[:cap(l.border)]
	at := func(i int) byte { return l.tail[n-1-i] }
	border[0] = 0
	for i, b := 1, 0; i < n; i++ {
		for b > 0 && at(i) != at(b) {
			b = int(border[b-1])
		}
		if at(i) == at(b) {
			b++
		}
		border[i] = int32(b)
		if length, period := i+1, i+1-b; length >= l.min && length >= period*times(period) {
			l.length, l.period = length, period // go on: the longest stretch counts
		}
	}
	return l.period > 0
}

// times is how often a stretch must come to be a loop: long ones are rarer by
// chance, and short ones frequent on purpose.
func times(period int) int {
	switch {
	case period > 600:
		return 3
	case period > 8:
		return 6
	}
	return 40
}

// unloop returns a text with the stretch that repeats at its end said once.
func unloop(text string) string {
	l := loop{min: loopShown, tail: []byte(text[max(0, len(text)-loopTail):])}
	if len(text) < l.min || !l.look() {
		return text
	}
	return text[:len(text)-l.length+l.period]
}
