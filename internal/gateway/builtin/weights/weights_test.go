//go:build !noweights

package weights_test

import (
	"bytes"
	"os"
	"testing"

	"moothall/internal/gateway/builtin/weights"
)

// TestLoad wants both files or none, and what lies in the folder.
func TestLoad(t *testing.T) {
	t.Parallel()
	model, vocab, ok := weights.Load()
	if ok != weights.Here() {
		t.Errorf("loaded: %v, here: %v", ok, weights.Here())
	}
	for name, got := range map[string][]byte{"model.bin": model, "vocab.bin": vocab} {
		info, err := os.Stat(name)
		if there := err == nil; there != ok {
			t.Fatalf("%s lies here: %v; loaded: %v", name, there, ok)
		}
		if ok && info.Size() != int64(len(got)) {
			t.Errorf("%s has %d bytes, %d were loaded", name, info.Size(), len(got))
		}
	}
}

// TestInPlace wants no copies, and the same bytes after they were given back.
func TestInPlace(t *testing.T) {
	t.Parallel()
	model, vocab, ok := weights.Load()
	if !ok {
		t.Fatal("the program has no weights")
	}
	again, more, _ := weights.Load()
	if &model[0] != &again[0] || &vocab[0] != &more[0] {
		t.Error("the files were copied")
	}
	weights.Release()
	for name, got := range map[string][]byte{"model.bin": model, "vocab.bin": vocab} {
		want, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v; after it was given back it is as it was: %v", name, err, bytes.Equal(got, want))
		}
	}
}
