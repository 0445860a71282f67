// Package weights holds the files of the built-in network, as they were built
// into the program. A program that was built without them says so.
//
// Both functions are safe for concurrent use.
package weights

import "embed"

// The pattern names model.bin and vocab.bin by their first letters, and the
// README by its own, so that it matches something when the two are not there.
//
//go:embed [Rmv]*
var files embed.FS

const (
	modelFile = "model.bin"
	vocabFile = "vocab.bin"
)

// Here reports whether the program was built with the weights.
func Here() bool {
	for _, name := range []string{modelFile, vocabFile} {
		f, err := files.Open(name)
		if err != nil {
			return false
		}
		f.Close()
	}
	return true
}

// Load returns copies of the two files, which can be given back to the system
// when they are no longer used. ok is false when the program has none.
func Load() (model, vocab []byte, ok bool) {
	model, err := files.ReadFile(modelFile)
	if err != nil {
		return nil, nil, false
	}
	if vocab, err = files.ReadFile(vocabFile); err != nil {
		return nil, nil, false
	}
	return model, vocab, true
}
