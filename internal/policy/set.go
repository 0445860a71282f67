package policy

import (
	"iter"
	"math/bits"
)

// set is a set of tools, one bit for each by its number in the rules. It is
// immutable once shared.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

// has is false for a tool that the rules do not number.
func (s set) has(i int) bool { return i >= 0 && i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

// and returns what both have; they are of the same rules.
func (s set) and(o set) set {
	out := make(set, len(s))
	for i := range out {
		out[i] = s[i] & o[i]
	}
	return out
}

// or returns what either has; they are of the same rules.
func (s set) or(o set) set {
	out := make(set, len(s))
	for i := range out {
		out[i] = s[i] | o[i]
	}
	return out
}

// all goes through the numbers, rising.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
