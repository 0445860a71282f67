package weights_test

import (
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
