// Package weights holds the files of the built-in network, as they were built
// into the program. A program that was built with the tag noweights has none,
// and says so.
//
//	model, vocab, ok := weights.Load()
//
// All functions are safe for concurrent use.
package weights

import "unsafe"

// Here reports whether the program was built with the weights.
func Here() bool { return model != "" && vocab != "" }

// Load returns the two files where they lie in the program, which must not be
// written to: the system reads a page of them when it is first looked at, and
// keeps no other copy. ok is false when the program has none.
func Load() (m, v []byte, ok bool) {
	if !Here() {
		return nil, nil, false
	}
	return view(model), view(vocab), true
}

func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Release tells the system that the files will not be looked at for a while.
// Who still does gets them as they are, only later.
func Release() {
	if Here() {
		release(view(model))
	}
}
